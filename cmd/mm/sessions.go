package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/session"
	"github.com/mini-me/mm/internal/ui"
)

// session returns which saved session to go on with, "" for none, and the folder to work in: "" for
// the one that the session worked in.
func (o *options) session(e *engine.Engine) (id, cwd string, err error) {
	if cwd, err = engine.Getwd(o.cwd); err != nil {
		return "", "", usagef("%v", err)
	}
	switch {
	case o.goOn && o.resume != "":
		return "", "", usagef("use --continue or --resume, not both")
	case o.goOn:
		id, err = e.NewestSession(cwd)
		return id, cwd, err
	case o.resume != "":
		store := e.Store()
		if store == nil {
			return "", "", usagef("--resume: sessions aren't kept here; set sessionsDir in the agent file")
		}
		if id, err = store.Find(o.resume); err != nil {
			return "", "", usagef("--resume: %v", err)
		}
		if o.cwd == "" {
			cwd = ""
		}
	}
	return id, cwd, nil
}

func newSessions(o *options) *cobra.Command {
	all := false
	c := &cobra.Command{
		Use:   "sessions",
		Short: "List, show, export and delete saved conversations",
		Long: `sessions works on the conversations that mm keeps (sessionsDir in the agent file,
~/.local/state/mm/sessions otherwise). Without a subcommand it lists them. An ID may
be cut as long as only one session begins so. Go on with one: mm --resume ID, or
mm --continue for the newest of this folder.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return o.listSessions(all) },
	}
	list := &cobra.Command{Use: "list", Short: "List the sessions, the newest first", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return o.listSessions(all) }}
	for _, x := range []*cobra.Command{c, list} {
		x.Flags().BoolVar(&all, "all", false, "also those of asked agents")
	}
	format, out := "markdown", ""
	show := &cobra.Command{Use: "show ID", Short: "Show a session", Args: cobra.ExactArgs(1), ValidArgsFunction: o.completeSessions,
		RunE: func(_ *cobra.Command, args []string) error { return o.showSession(args[0]) }}
	export := &cobra.Command{Use: "export ID", Short: "Write a session as Markdown or JSON", Args: cobra.ExactArgs(1), ValidArgsFunction: o.completeSessions,
		RunE: func(_ *cobra.Command, args []string) error { return o.exportSession(args[0], format, out) }}
	export.Flags().StringVar(&format, "format", format, "markdown or json")
	export.Flags().StringVarP(&out, "output", "o", "", "write to this new file instead of stdout")
	remove := &cobra.Command{Use: "delete ID...", Short: "Delete sessions, and those of the agents that they asked", Args: cobra.MinimumNArgs(1), ValidArgsFunction: o.completeSessions,
		RunE: func(_ *cobra.Command, args []string) error { return o.deleteSessions(args) }}
	c.AddCommand(list, show, export, remove)
	return c
}

// store is where the agent file keeps sessions.
func (o *options) store() (*session.Store, error) {
	f, _, err := o.load()
	if err != nil {
		return nil, err
	}
	if f.SessionsDir == "" {
		return nil, errors.New("sessions aren't kept here: set sessionsDir in the agent file")
	}
	return session.NewStore(f.SessionsDir), nil
}

func (o *options) completeSessions(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	s, err := o.store()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	list, _, err := s.List()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for _, i := range list {
		ids = append(ids, cobra.CompletionWithDesc(i.ID, ui.CleanLine(i.Title)))
	}
	return ids, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// listSessions lists sessions on stdout, and on stderr what in their folder isn't one.
func (o *options) listSessions(all bool) error {
	s, err := o.store()
	if err != nil {
		return err
	}
	list, damaged, err := s.List()
	if err != nil {
		return err
	}
	for _, d := range damaged {
		fmt.Fprintln(o.err, ui.CleanLine(fmt.Sprintf("[warning: %v]", d)))
	}
	if len(list) == 0 {
		fmt.Fprintln(o.err, "no sessions yet: mm keeps a conversation once it has begun")
	}
	for _, i := range list {
		if i.Parent != "" && !all {
			continue
		}
		if _, err := fmt.Fprintln(o.out, ui.CleanLine(fmt.Sprintf("%s  %s  %s", i.ID, engine.Describe(i, time.Now()), i.Cwd))); err != nil {
			return err
		}
	}
	return nil
}

func (o *options) loadSession(name string) (*session.File, error) {
	s, err := o.store()
	if err != nil {
		return nil, err
	}
	id, err := s.Find(name)
	if err != nil {
		return nil, err
	}
	return s.Load(id)
}

func (o *options) showSession(name string) error {
	f, err := o.loadSession(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(o.out, ui.Clean(f.Markdown()))
	return err
}

// exportSession writes a session as it is; on a terminal its text is made safe to show.
func (o *options) exportSession(name, format, path string) error {
	f, err := o.loadSession(name)
	if err != nil {
		return err
	}
	var b []byte
	switch format {
	case "markdown", "md":
		b = []byte(f.Markdown())
	case "json":
		if b, err = f.JSON(); err != nil {
			return err
		}
	default:
		return usagef("--format: %q is not one of markdown, json", format)
	}
	if path == "" {
		if isTerminal(o.out) {
			b = []byte(ui.Clean(string(b)))
		}
		_, err = o.out.Write(b)
		return err
	}
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("exporting session %s: %w", f.ID, err)
	}
	_, err = to.Write(b)
	return errors.Join(err, to.Close())
}

// deleteSessions deletes sessions and what belongs to them; one that can't be is named, the others go.
func (o *options) deleteSessions(names []string) error {
	s, err := o.store()
	if err != nil {
		return err
	}
	var all []error
	for _, name := range names {
		id, err := s.Find(name)
		if err != nil {
			all = append(all, err)
			continue
		}
		below, err := s.DeleteAll(id)
		if err != nil {
			all = append(all, err)
			continue
		}
		fmt.Fprintf(o.out, "deleted %s", id)
		if len(below) > 0 {
			fmt.Fprintf(o.out, " and %d session(s) of asked agents", len(below))
		}
		fmt.Fprintln(o.out)
	}
	return errors.Join(all...)
}
