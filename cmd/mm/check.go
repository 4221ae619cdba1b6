package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
)

// checkTime bounds the check of one model server, which may have to load its model.
const checkTime = 60 * time.Second

func newCheck(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check an agent file and all it names, and that its servers answer",
		Long: `check reads an agent file and the files of the agents it can ask, and sends each
model server two tiny requests: does it answer, stream, call tools, how large is
its context window. One line each, with ✓ or what to do.

Exit status: 0 all is well, 1 something isn't, 2 the agent file can't be read.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.config = args[0]
			}
			f, env, err := o.load()
			if err != nil {
				return err
			}
			c := &checker{out: o.out, env: env, seen: map[string]bool{}}
			c.file(cmd.Context(), f, nil)
			if c.failed > 0 {
				return statusError(exitFailed)
			}
			return nil
		},
	}
}

// checker checks files and what they name.
type checker struct {
	out    io.Writer
	env    agents.Env
	seen   map[string]bool // models that were asked, by server and name
	failed int
}

func (c *checker) good(format string, args ...any) {
	fmt.Fprintln(c.out, ui.Clean("✓ "+fmt.Sprintf(format, args...)))
}

func (c *checker) bad(format string, args ...any) {
	c.failed++
	fmt.Fprintln(c.out, ui.Clean("✗ "+fmt.Sprintf(format, args...)))
}

func (c *checker) note(format string, args ...any) {
	fmt.Fprintln(c.out, ui.Clean("! "+fmt.Sprintf(format, args...)))
}

// file checks an agent file; path is the agents that led to it.
func (c *checker) file(ctx context.Context, f *agents.File, path []string) {
	name := f.Path
	if name == "" {
		name = "no agent file: all defaults"
	}
	c.good("%s%s", label(path), name)
	for _, w := range f.Warnings {
		c.note("%s%s", label(path), w)
	}
	c.model(ctx, f, path)
	if n := countHooks(f); n > 0 {
		c.good("%s%d hook(s)", label(path), n)
	}
	c.commands(f, path)
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

// maxAsked is how deep agents are asked.
const maxAsked = 2

// asked checks an agent that can be asked.
func (c *checker) asked(ctx context.Context, a agents.Asked, path []string) {
	switch {
	case a.Err != nil:
		for _, line := range strings.Split(a.Err.Error(), "\n") {
			c.bad("%s%s", label(path), line)
		}
	case a.File != nil:
		c.file(ctx, a.File, path)
	default:
		c.found(label(path)+"agent", a.Command)
	}
}

// label puts the path of an agent before a line.
func label(path []string) string {
	if len(path) == 0 {
		return ""
	}
	return strings.Join(path, "/") + ": "
}

// found checks that a command can be run.
func (c *checker) found(what, command string) {
	if _, err := exec.LookPath(command); err != nil {
		c.bad("%s: %s is not on the PATH: install it, or write its path", what, command)
		return
	}
	c.good("%s: %s", what, command)
}

// commands checks the language servers and MCP servers.
func (c *checker) commands(f *agents.File, path []string) {
	for _, name := range sorted(f.LSPServers) {
		s := f.LSPServers[name]
		if _, err := exec.LookPath(s.Command); err != nil {
			c.note("%slanguage server %s (%s) is not on the PATH: it will be skipped", label(path), name, s.Command)
			continue
		}
		c.good("%slanguage server %s (%s)", label(path), name, strings.Join(s.Extensions, " "))
	}
	for _, name := range sorted(f.MCPServers) {
		if s := f.MCPServers[name]; s.Command != "" {
			c.found(label(path)+"MCP server "+name, s.Command)
		} else {
			c.good("%sMCP server %s at %s", label(path), name, s.URL)
		}
	}
}

func sorted[T any](m map[string]T) []string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

func countHooks(f *agents.File) int {
	n := 0
	for _, list := range f.Hooks {
		n += len(list)
	}
	return n
}

// model asks a model server, once for each server and model.
func (c *checker) model(ctx context.Context, f *agents.File, path []string) {
	key := f.Provider + " " + f.BaseURL + " " + f.Model + " " + f.Script
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	if f.Provider == "scripted" {
		c.good("%smodel: the script %s", label(path), filepath.Base(f.Script))
		return
	}
	m, err := engine.NewModel(f, version)
	if err != nil {
		c.bad("%smodel: %v", label(path), err)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	r, err := llm.Probe(ctx, m, c.waiting(label(path)))
	if err != nil {
		c.bad("%smodel: %s", label(path), probeError(err, f))
		return
	}
	c.good("%smodel %s @ %s (%s): %s", label(path), r.Model, r.Provider, r.BaseURL, describe(r))
	if r.Tools == llm.ToolsUnused {
		c.note("%s%s did not call a tool when it was told to: it may be too small for mm", label(path), r.Model)
	}
}

// errRefused ends a probe of a server that isn't there: waiting wouldn't help a check.
var errRefused = errors.New("connection refused")

// waiting shows what is waited for.
func (c *checker) waiting(label string) func(llm.Event) error {
	said := ""
	return func(e llm.Event) error {
		if strings.Contains(e.Waiting, errRefused.Error()) {
			return errRefused
		}
		if e.Waiting != "" && e.Waiting != said {
			said = e.Waiting
			c.note("%s%s", label, e.Waiting)
		}
		return nil
	}
}

func probeError(err error, f *agents.File) string {
	switch {
	case errors.Is(err, errRefused):
		return fmt.Sprintf("nothing answers at %s: start the server (%s), or correct baseURL", f.BaseURL, startHint(f.Provider))
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("%s did not answer within %v", f.BaseURL, checkTime)
	}
	return err.Error()
}

// startHint says how a known server is started.
func startHint(provider string) string {
	switch provider {
	case "ollama":
		return "ollama serve"
	case "llamacpp":
		return "llama-server -m MODEL.gguf --jinja"
	case "lmstudio":
		return "lms server start"
	case "dockermodelrunner":
		return "docker desktop enable model-runner --tcp 12434"
	case "vllm":
		return "vllm serve MODEL"
	}
	return provider
}

func describe(r llm.Report) string {
	parts := []string{fmt.Sprintf("window %d tokens", r.Window)}
	if r.Streams {
		parts = append(parts, "streams")
	} else {
		parts = append(parts, "answers in one piece")
	}
	switch r.Tools {
	case llm.ToolsNative:
		parts = append(parts, "calls tools")
	case llm.ToolsText:
		parts = append(parts, "calls tools as text, which mm reads")
	case llm.ToolsRefused:
		parts = append(parts, "takes no tools, so they are declared in the prompt")
	}
	return strings.Join(append(parts, fmt.Sprintf("first token after %.1f s", r.FirstToken.Seconds())), ", ")
}
