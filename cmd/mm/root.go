package main

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// options are the flags of mm itself.
type options struct {
	streams
	config   string
	cwd      string
	acp      bool
	tui      bool
	print    bool
	ask      string
	asking   bool // --ask was given
	output   string
	strict   bool
	timeout  span
	logFile  string
	logLevel string
	noColor  bool
	goOn     bool
	resume   string
}

// run carries out a command line and returns the exit status.
func run(args []string, s streams) int {
	ctx, sig := signals()
	defer sig.stop()
	args = normalise(args)
	root := newRoot(s, !asks(args))
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	err := root.ExecuteContext(withSignals(ctx, sig))
	if status := sig.status(); status != 0 && err != nil {
		return status
	}
	return report(err, s)
}

// normalise lets -acp and -tui be written with one dash: cobra would read a word after one dash as
// a cluster of shorthands. --p is taken for -p.
func normalise(args []string) []string {
	out := slices.Clone(args)
	for i, a := range out {
		switch a {
		case "--":
			return out
		case "-acp", "-tui":
			out[i] = "-" + a
		case "--p":
			out[i] = "-p"
		}
	}
	return out
}

// asks reports whether a prompt follows, which may equal a command's name (mm --ask jan demo).
func asks(args []string) bool {
	for _, a := range args {
		switch {
		case a == "--":
			return false
		case a == "-p", a == "--print", a == "--ask", strings.HasPrefix(a, "--ask="):
			return true
		}
	}
	return false
}

func newRoot(s streams, commands bool) *cobra.Command {
	o := &options{streams: s}
	c := &cobra.Command{
		Use:   "mm [flags]",
		Short: "A coding agent that asks other agents for help",
		Long: `mm is a coding agent for small local models that asks other agents for help.

Without flags it is line mode: type a question, /help shows the commands. The
agent file is --config, $MM_CONFIG, ./mm.yaml or ~/.config/mm/mm.yaml; without
one, mm uses a model server that it finds on this machine.`,
		Example: `  mm                                line mode
  mm -p "what is here?"             one question, the answer on stdout
  echo "review this" | mm --ask jan ask the agent jan of the agent file
  mm -tui                           the window
  mm -acp                           for editors: ACP over stdio
  mm demo                           watch a delegation; needs no model

Exit status of -p and --ask: 0 answered, 1 failed, 2 usage or agent file,
3 denied by a hook, 4 no answer, 5 watchdog or --timeout, 6 a call was refused
(with --strict).`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.asking = cmd.Flags().Changed("ask") // also with an empty name: a variable that wasn't set
			return o.dispatch(cmd.Context(), args)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.acp, "acp", false, "be an ACP agent over stdio (-acp)")
	f.BoolVar(&o.tui, "tui", false, "the window: the whole screen, with the team at work (-tui)")
	f.BoolVarP(&o.print, "print", "p", false, "answer the prompt on stdout and end")
	f.StringVar(&o.ask, "ask", "", "ask the agent `NAME`; the prompt is stdin, after PROMPT when both are given")
	f.StringVar(&o.output, "output", "text", "with -p and --ask: `FORMAT` text, json or events")
	f.BoolVar(&o.strict, "strict", false, "with -p and --ask: exit 6 when a call was refused")
	f.Var(&o.timeout, "timeout", "with -p and --ask: give up after the time `D` (90s, 5m)")
	p := c.PersistentFlags()
	p.StringVarP(&o.config, "config", "c", "", "agent `FILE`")
	p.StringVar(&o.cwd, "cwd", "", "folder `DIR` to work in")
	p.BoolVar(&o.goOn, "continue", false, "go on with the newest session of this folder")
	p.StringVar(&o.resume, "resume", "", "go on with the session `ID` (or its beginning)")
	p.StringVar(&o.logFile, "log", "", "append log lines (JSON) to `FILE`")
	p.StringVar(&o.logLevel, "log-level", "info", "`LEVEL` debug, info, warn or error")
	p.BoolVar(&o.noColor, "no-color", false, "no colours (also NO_COLOR)")
	c.SetFlagErrorFunc(func(_ *cobra.Command, err error) error {
		return usagef("%v — mm --help shows the flags", err)
	})
	complete(c, o)
	if commands {
		c.AddCommand(newDemo(o), newInit(o), newCheck(o), newAgents(o), newSessions(o), newSchema(o), newVersion(o))
	} else {
		c.CompletionOptions.DisableDefaultCmd = true
		c.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"})
	}
	return c
}

// compatible refuses flags that contradict each other, or that would be ignored.
func (o *options) compatible() error {
	var modes []string
	for name, on := range map[string]bool{"-acp": o.acp, "-tui": o.tui, "-p": o.print, "--ask": o.asking} {
		if on {
			modes = append(modes, name)
		}
	}
	slices.Sort(modes)
	switch {
	case len(modes) > 1:
		return usagef("%s can't be used together", strings.Join(modes, " and "))
	case o.asking || o.print:
	case o.strict:
		return usagef("--strict goes with -p or --ask")
	case o.output != "text":
		return usagef("--output goes with -p or --ask")
	case o.timeout > 0:
		return usagef("--timeout goes with -p or --ask")
	}
	return nil
}

// span is a duration flag that also takes plain seconds, as agent files do.
type span time.Duration

func (s *span) String() string { return time.Duration(*s).String() }
func (s *span) Type() string   { return "duration" }

// Set reads 90s, 5m or 90.
func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if n, atoi := strconv.Atoi(text); atoi == nil {
		d, err = time.Duration(n)*time.Second, nil
	}
	if err != nil || d < 0 {
		return errors.New("write a time such as 90s, 5m, or plain seconds")
	}
	*s = span(d)
	return nil
}

// dispatch starts the front end that the flags name.
func (o *options) dispatch(ctx context.Context, args []string) error {
	if err := o.compatible(); err != nil {
		return err
	}
	if o.asking || o.print {
		return o.runOnce(ctx, args)
	}
	if len(args) > 0 {
		return usagef("unknown command %q — to ask the model, use mm -p %q; mm --help shows the commands", args[0], strings.Join(args, " "))
	}
	if o.acp {
		return o.runACP(ctx)
	}
	if o.tui {
		return o.runWindow(ctx)
	}
	return o.runLine(ctx)
}
