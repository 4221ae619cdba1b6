package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

//go:generate go test -run ^TestGenerated$ -update .

var update = flag.Bool("update", false, "write the generated pages")

// TestGenerated writes, with -update, the command line's reference page and the manual page from
// the commands themselves, and fails when they are stale.
func TestGenerated(t *testing.T) {
	root := newRoot(streams{os.Stdin, os.Stdout, os.Stderr}, true)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("completion")
	golden(t, filepath.Join("..", "..", "docs", "reference", "command-line.md"), page(root))
	golden(t, filepath.Join("..", "..", "docs", "man", "mm.1"), manual(root))
}

func golden(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale: go generate ./cmd/mm", path)
	}
}

// each calls f for a command and all below it that people use.
func each(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if !sub.Hidden && sub.Name() != "help" {
			each(sub, f)
		}
	}
}

// page is docs/reference/command-line.md.
func page(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString("<!-- Generated from cmd/mm/: go generate ./cmd/mm -->\n\n# Command line\n\n" +
		"`-acp`, `-tui` and `-p` take one dash or two. What was asked for goes to stdout, all else to stderr. " +
		"See also [exit statuses](exit-statuses.md), [output](output.md) and [environment](environment.md).\n")
	each(root, func(c *cobra.Command) {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n```text\n%s\n```\n", c.CommandPath(), prose(description(c)), c.UseLine())
		if c.Example != "" {
			fmt.Fprintf(&b, "\n```text\n%s\n```\n", unindent(c.Example))
		}
		flags := c.NonInheritedFlags()
		if c == root {
			flags = c.Flags()
			flags.AddFlagSet(c.PersistentFlags())
		}
		if table := flagTable(flags); table != "" {
			b.WriteString("\n" + table)
		}
	})
	return b.String()
}

func description(c *cobra.Command) string {
	if c.Long != "" {
		return strings.TrimSpace(c.Long)
	}
	return c.Short + "."
}

// prose keeps indented lines of a help text as blocks.
func prose(text string) string {
	var out []string
	block := false
	for _, line := range strings.Split(text, "\n") {
		indented := strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "  ")
		if indented != block && strings.TrimSpace(line) != "" {
			out = append(out, "```text")
			if block {
				out[len(out)-1] = "```"
			}
			block = indented
		}
		out = append(out, line)
	}
	if block {
		out = append(out, "```")
	}
	return strings.Join(out, "\n")
}

func unindent(text string) string {
	return regexp.MustCompile(`(?m)^  `).ReplaceAllString(text, "")
}

func flagTable(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", flagWords(f), strings.ReplaceAll(usage(f), "|", `\|`)+defaultWords(f))
	})
	if b.Len() == 0 {
		return ""
	}
	return "| flag | meaning |\n|---|---|\n" + b.String()
}

func flagWords(f *pflag.Flag) string {
	words := "--" + f.Name
	if f.Shorthand != "" {
		words = "-" + f.Shorthand + ", " + words
	}
	value, _ := pflag.UnquoteUsage(f)
	return strings.TrimSpace(words + " " + value)
}

func usage(f *pflag.Flag) string {
	_, words := pflag.UnquoteUsage(f)
	return words
}

func defaultWords(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "0s", "[]":
		return ""
	}
	return "; default " + f.DefValue
}

// manual is the manual page, in the man macros.
func manual(root *cobra.Command) string {
	var b strings.Builder
	b.WriteString(".\\\" Generated from cmd/mm: go generate ./cmd/mm\n.TH MM 1\n.SH NAME\nmm \\- a coding agent that asks other agents for help\n.SH SYNOPSIS\n")
	each(root, func(c *cobra.Command) {
		if c.Runnable() {
			fmt.Fprintf(&b, ".B %s\n.br\n", roff(c.UseLine()))
		}
	})
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", paragraphs(description(root)))
	if root.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(unindent(root.Example)))
	}
	b.WriteString(".SH OPTIONS\n")
	root.Flags().AddFlagSet(root.PersistentFlags())
	manualFlags(&b, root.Flags())
	b.WriteString(".SH COMMANDS\n")
	each(root, func(c *cobra.Command) {
		if c == root || !c.Runnable() {
			return
		}
		fmt.Fprintf(&b, ".SS %s\n%s", roff(strings.TrimPrefix(c.CommandPath(), "mm ")), paragraphs(description(c)))
		manualFlags(&b, c.NonInheritedFlags())
	})
	b.WriteString(".SH FILES\n.TP\n.I mm.yaml\nThe agent file of a folder.\n.TP\n.I ~/.config/mm/mm.yaml\nThe agent file of a user.\n" +
		".TP\n.I ~/.local/state/mm/sessions\nSaved conversations.\n.SH SEE ALSO\nhttps://github.com/mini-me/mm/tree/main/docs\n")
	return b.String()
}

func manualFlags(b *strings.Builder, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && f.Name != "help" {
			fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(flagWords(f)), roff(usage(f)+defaultWords(f)))
		}
	})
}

// paragraphs writes a help text; indented lines keep their form.
func paragraphs(text string) string {
	var b strings.Builder
	for _, part := range strings.Split(text, "\n\n") {
		if strings.HasPrefix(part, " ") || strings.HasPrefix(part, "\t") {
			fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff(part))
			continue
		}
		fmt.Fprintf(&b, ".PP\n%s\n", roff(part))
	}
	return b.String()
}

// roff escapes what troff reads: backslashes, hyphens, and a dot or quote that begins a line.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(text)
	return regexp.MustCompile(`(?m)^([.'])`).ReplaceAllString(text, `\&$1`)
}
