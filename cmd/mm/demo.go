package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	team "github.com/mini-me/mm/testdata/agents"
)

func newDemo(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Watch a delegation; needs no model and no agent file",
		Long: `demo starts a small team on a scripted model: a lead, who asks jan, who looks around
with bash and can ask homer. Type anything, watch the hand-over, answer the question.
Ask for homer by name to see an agent two levels down. Without a terminal, demo
plays one question and its answer.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.demo(cmd.Context()) },
	}
}

// demo is line mode on the embedded team.
func (o *options) demo(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "mm-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for the demo's files: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := copyTeam(dir); err != nil {
		return err
	}
	o.config = filepath.Join(dir, "lead.yaml")
	if isTerminal(o.in) {
		fmt.Fprintln(o.out, "A team on a scripted model: type anything (\"what is here?\", \"let homer count\"), /quit ends.")
		return o.lineMode(ctx, o.in, true)
	}
	// One full run: a question, and "allow once" when permission is asked.
	return o.lineMode(ctx, strings.NewReader("what is here?\na\n"), false)
}

// copyTeam writes the embedded agent files into a folder.
func copyTeam(dir string) error {
	files, err := fs.Glob(team.Files, "*.yaml")
	if err != nil {
		return err
	}
	for _, name := range files {
		b, err := team.Files.ReadFile(name)
		if err != nil {
			return err
		}
		if !strings.HasSuffix(name, ".script.yaml") {
			b = append(b, "\nsessionsDir: sessions\n"...) // nobody goes on with a demo
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			return fmt.Errorf("writing the demo's files: %w", err)
		}
	}
	return nil
}
