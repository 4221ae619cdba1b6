package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/ui"
)

func newCheck(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check an agent file and all it names, and that its servers answer",
		Long: `check reads an agent file and the files of the agents it can ask, and sends each
model server two tiny requests: does it answer, stream, call tools, how large is
its context window. One line each: ✓ is well, ✗ is wrong and what to do, ! works
but is worth knowing. It starts no MCP server, language server or agent, and runs
no hook.

Exit status: 0 all is well, 1 something isn't, 2 the agent file can't be read.`,
		Example: `  mm check
  mm check team/lead.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.config = args[0]
			}
			return o.check(cmd.Context())
		},
	}
}

func (o *options) check(ctx context.Context) error {
	f, env, err := o.load()
	if err != nil {
		return err
	}
	c := &checker{out: o.out, env: env, seen: map[string]bool{}}
	c.file(ctx, f, nil)
	if err := ended(ctx); err != nil {
		return err
	}
	if c.failed > 0 {
		fmt.Fprintf(c.out, "%s to mend\n", plural(c.failed, "thing"))
		return statusError(exitFailed)
	}
	return nil
}

// plural is a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// checker checks files and what they name.
type checker struct {
	out    io.Writer
	env    agents.Env
	seen   map[string]bool // models that were asked, by server and name
	files  []string        // that led to the one at hand
	failed int
}

func (c *checker) good(format string, args ...any) { c.say("✓ ", format, args) }

func (c *checker) note(format string, args ...any) { c.say("! ", format, args) }

func (c *checker) bad(format string, args ...any) {
	c.failed++
	c.say("✗ ", format, args)
}

func (c *checker) say(mark, format string, args []any) {
	fmt.Fprintln(c.out, ui.Clean(mark+fmt.Sprintf(format, args...)))
}

// file checks an agent file; path is the agents that led to it.
func (c *checker) file(ctx context.Context, f *agents.File, path []string) {
	name := f.Path
	if name == "" {
		name = "no agent file (mm init writes one): all defaults"
	}
	at := label(path)
	c.good("%s%s", at, name)
	for _, w := range f.Warnings {
		c.note("%s%s", at, w)
	}
	c.files = append(c.files, f.Path)
	defer func() { c.files = c.files[:len(c.files)-1] }()
	if _, err := engine.New(engine.Options{File: f, Version: version, AgentEnv: c.env}); err != nil {
		c.lines(at, err)
	} else {
		c.model(ctx, f, path)
	}
	c.parts(f, at)
	c.team(ctx, f, path)
}

// lines tells an error, which may have several lines.
func (c *checker) lines(at string, err error) {
	for _, line := range strings.Split(strings.TrimSpace(err.Error()), "\n") {
		c.bad("%s%s", at, line)
	}
}

// maxAsked is how deep agents are asked.
const maxAsked = 2

// team checks the agents that can be asked.
func (c *checker) team(ctx context.Context, f *agents.File, path []string) {
	if len(path) >= maxAsked {
		if len(f.MMConfigs) > 0 {
			c.note("%sits own mmConfigs are out of reach: agents are asked two levels deep at most", label(path))
		}
		return
	}
	for _, a := range f.CheckEntries(c.env) {
		c.asked(ctx, a, append(slices.Clone(path), a.Name))
	}
}

// asked checks an agent that can be asked.
func (c *checker) asked(ctx context.Context, a agents.Asked, path []string) {
	at := label(path)
	if a.Role() == "" && a.Err == nil {
		c.note("%sit has no description, so the asking model can't know what it is for: add one to its entry", at)
	}
	switch {
	case a.Err != nil:
		c.lines(at, a.Err)
	case a.File == nil:
		c.found(at+"agent", a.Command)
	case slices.Contains(c.files, a.File.Path):
		c.note("%s%s is one of its askers: they can ask in a circle, which ends two levels deep", at, a.File.Path)
	default:
		c.file(ctx, a.File, path)
	}
}

// label puts the path of an agent before a line.
func label(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return strings.Join(path, "/") + ": "
}
