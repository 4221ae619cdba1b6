package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
)

func newInit(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a first agent file",
		Long: `init looks for model servers on this machine, asks which one and which model to use,
and writes a commented agent file: mm.yaml, or FILE. It can write a second agent
beside it, a reviewer that the first one may ask. An empty line takes the answer in
brackets; at the end of its input all of them. No file is ever overwritten.

With MM_BASE_URL (and MM_PROVIDER, MM_API_KEY) it asks that server instead.`,
		Example: `  mm init                  asks, and writes mm.yaml
  mm init </dev/null       takes the first server and model
  mm init team/lead.yaml   another file`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := "mm.yaml"
			if len(args) == 1 {
				path = args[0]
			}
			return o.initialise(cmd.Context(), path)
		},
	}
}

// choices are what the person chose for the new agent.
type choices struct {
	provider, baseURL, model string
	yolo, reviewer           bool
}

// initialise asks and writes.
func (o *options) initialise(ctx context.Context, path string) error {
	env, err := o.env()
	if err != nil {
		return err
	}
	reviewer := filepath.Join(filepath.Dir(path), "reviewer.yaml")
	for _, p := range []string{path, reviewer} {
		if _, err := os.Lstat(p); err == nil {
			return fmt.Errorf("%s is there already: remove it, or name a file in another folder: mm init FOLDER/mm.yaml", p)
		}
	}
	q := newQuestions(ctx, o.in, o.err)
	c, err := choose(ctx, q, env)
	if err != nil {
		return err
	}
	if err := write(path, agentText(c)); err != nil {
		return err
	}
	fmt.Fprintf(o.out, "wrote %s\n", path)
	if c.reviewer {
		if err := write(reviewer, reviewerText(c)); err != nil {
			return err
		}
		fmt.Fprintf(o.out, "wrote %s\n", reviewer)
	}
	flag := ""
	if filepath.Clean(path) != "mm.yaml" {
		flag = " -c " + path
	}
	fmt.Fprintf(o.out, "next: mm check%s tries the server, then mm%s starts\n", flag, flag)
	return nil
}

// choose asks for all choices.
func choose(ctx context.Context, q *questions, env agents.Env) (choices, error) {
	fmt.Fprintln(q.out, "Looking for model servers …")
	found := servers(ctx, q, env)
	var c choices
	var err error
	if len(found) == 0 {
		err = c.chooseUnseen(q)
	} else {
		err = c.chooseFound(q, found)
	}
	if err != nil {
		return c, err
	}
	if c.yolo, err = q.yes("May tools change things without asking you each time (yolo)?", false); err != nil {
		return c, err
	}
	c.reviewer, err = q.yes("Write a second agent, a reviewer, that this one can ask?", true)
	return c, err
}

// servers are the one of MM_BASE_URL, or those found on this machine.
func servers(ctx context.Context, q *questions, env agents.Env) []llm.Found {
	f, err := agents.Defaults(env)
	if err != nil || f.BaseURL == "" {
		found := llm.Discover(ctx, nil)
		if len(found) == 0 {
			fmt.Fprintln(q.out, "None answers on this machine (tried Ollama, llama.cpp, LM Studio, Docker Model Runner, vLLM).")
		}
		return found
	}
	m, err := llm.New(llm.Options{Provider: f.Provider, BaseURL: f.BaseURL, APIKey: f.APIKey, Headers: f.Headers, UserAgent: "mm/" + version})
	if err == nil {
		if lister, ok := m.(llm.Lister); ok {
			var s llm.Server
			if s, err = lister.List(ctx); err == nil {
				return []llm.Found{{Provider: f.Provider, BaseURL: f.BaseURL, Server: s}}
			}
		}
	}
	fmt.Fprintln(q.out, ui.Clean(fmt.Sprintf("The server of MM_BASE_URL doesn't answer: %v", err)))
	return nil
}

// chooseFound lets the person choose among servers that answer.
func (c *choices) chooseFound(q *questions, found []llm.Found) error {
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = fmt.Sprintf("%s at %s (%d models)", f.Provider, f.BaseURL, len(f.Server.Models))
		if f.Loading {
			names[i] = fmt.Sprintf("%s at %s (loading a model)", f.Provider, f.BaseURL)
		}
	}
	i, _, err := q.one("Which server?", names, false)
	if err != nil {
		return err
	}
	f := found[i]
	c.provider, c.baseURL = f.Provider, f.BaseURL
	models := llm.ChatModels(f.Server)
	if len(models) == 0 {
		fmt.Fprintln(q.out, "It lists no model yet; mm will take the first that it has.")
		return nil
	}
	_, c.model, err = q.one("Which model?", models, true)
	return err
}

// chooseUnseen lets the person name a server that doesn't answer yet.
func (c *choices) chooseUnseen(q *questions) error {
	var names []string
	for _, p := range agents.Providers() {
		names = append(names, p.Name)
	}
	names = append(names, "another OpenAI-compatible server")
	i, _, err := q.one("Which one will you use?", names, false)
	if err != nil {
		return err
	}
	if i == len(names)-1 {
		if c.baseURL, err = q.text("Its address, with /v1", "http://127.0.0.1:8080/v1"); err != nil {
			return err
		}
	} else {
		c.provider = names[i]
	}
	c.model, err = q.text("Which model? (empty: the first that the server lists)", "")
	return err
}

// write writes a new file, with its folder.
func write(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s is there already", path)
	}
	if err != nil {
		return fmt.Errorf("writing the agent file: %w", err)
	}
	if _, err := f.WriteString(text); err != nil {
		_ = f.Close()
		return fmt.Errorf("writing the agent file: %w", err)
	}
	return f.Close()
}
