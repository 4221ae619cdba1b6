package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/proc"
	"github.com/mini-me/mm/internal/ui"
)

const (
	// BashTimeout is how long a command may run (tools.fr.md, bash).
	BashTimeout = 30 * time.Second
	// bashGrace is what a command that is stopped gets to clean up. It is far shorter than what an
	// asker gives the agent that runs the command.
	bashGrace = 500 * time.Millisecond
	// bashLook is how often a running command's output is looked at.
	bashLook = 100 * time.Millisecond
	// bashMaxFile ends a command that would fill the disk: "yes" writes gigabytes in 30 s.
	bashMaxFile = 512 << 20
)

// BashOptions configure the bash tool.
type BashOptions struct {
	MaxOutput int           // characters of a result; all when 0
	Timeout   time.Duration // BashTimeout when 0
	Guard     string        // see proc.Spec; "" runs commands without a guard
	Env       []string      // of commands; mm's own when nil
	MaxFile   int64         // bytes of output that end a command; 512 MiB when 0
}

// Bash runs shell commands.
//
// Output goes to a temporary file, not through a pipe: a background task of the command holds it
// open for as long as it likes, and nobody waits for that. What a command that was stopped had
// started is gone before the call returns; what one that ended by itself left in the background
// lives on.
type Bash struct{ o BashOptions }

// NewBash returns the bash tool.
func NewBash(o BashOptions) *Bash {
	if o.Timeout == 0 {
		o.Timeout = BashTimeout
	}
	if o.MaxFile == 0 {
		o.MaxFile = bashMaxFile
	}
	return &Bash{o}
}

// Spec declares the tool.
func (t *Bash) Spec() Spec {
	return Spec{
		Name: "bash",
		Description: fmt.Sprintf("Run a shell command (bash -c): no stdin, stdout and stderr together, %s at most. "+
			"Start what runs longer in the background (nohup … &).", t.o.Timeout),
		Parameters: json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}`),
		Counter:    Counter{"⚙", "command"},
	}
}

// Prepare reads the command. "cmd" is understood as well: small models write it.
func (t *Bash) Prepare(_ context.Context, c Call) Plan {
	p := Plan{Title: "bash", Kind: consent.KindExecute, Asks: consent.UnlessYolo, RejectedAs: "command"}
	command, err := bashCommand(c.Args)
	if err != nil {
		p.Refused = err.Error()
		return p
	}
	p.Title = command
	p.Line = "🛠️ bash: " + command
	p.Run = func(ctx context.Context, host ui.Host) Result { return t.run(ctx, host, c.Cwd, command) }
	return p
}

// bashCommand returns the command of a call, or the model's text for what is wrong with it.
func bashCommand(args json.RawMessage) (string, error) {
	var in struct {
		Command string `json:"command"`
		Cmd     string `json:"cmd"`
	}
	const send = ` — send {"command": "the shell command to run"}]`
	if len(args) > 0 {
		if err := json.Unmarshal(args, &in); err != nil {
			return "", errors.New(strings.TrimSuffix(BadArguments("bash", err), "]") + send)
		}
	}
	if strings.TrimSpace(in.Command) == "" {
		in.Command = in.Cmd
	}
	switch {
	case strings.TrimSpace(in.Command) == "":
		return "", errors.New("[bash: there is no command" + send)
	case strings.ContainsRune(in.Command, 0):
		return "", errors.New("[bash: the command has a NUL character, which no command can have" + send)
	}
	return in.Command, nil
}

// run runs the command and words what came of it.
func (t *Bash) run(ctx context.Context, host ui.Host, cwd, command string) Result {
	out, err := newBashOutput()
	if err != nil {
		return Result{Text: fmt.Sprintf("[error: there is no file for the output: %v]", err), Failed: true}
	}
	defer out.close()
	p, err := proc.Start(proc.Spec{
		Path: "bash", Args: []string{"-c", command}, Dir: cwd, Env: t.o.Env,
		Stdout: out.file, Stderr: out.file, Guard: t.o.Guard,
	})
	if err != nil {
		return Result{Text: fmt.Sprintf("[error: %v]", err), Failed: true}
	}
	stopped := t.await(ctx, host, p, out)
	var notes []string
	if stopped != "" {
		if err := p.End(proc.Grace{Term: bashGrace}); err != nil {
			notes = append(notes, fmt.Sprintf("[warning: %v]", err))
		}
		notes = append(notes, stopped)
	} else if !p.Exit().Success() {
		notes = append(notes, fmt.Sprintf("[exit code: %v]", p.Exit()))
	}
	r := Result{Text: bashText(out.read(t.o.MaxOutput), notes), Failed: len(notes) > 0}
	if e := p.Exit(); stopped == "" && e.Code >= 0 {
		r.ExitCode = &e.Code
	}
	return r
}

// await returns when the command has ended by itself, or why it must be stopped. Output that grows
// is a sign of life.
func (t *Bash) await(ctx context.Context, host ui.Host, p *proc.Process, out *bashOutput) (stopped string) {
	timeout := time.NewTimer(t.o.Timeout)
	defer timeout.Stop()
	look := time.NewTicker(bashLook)
	defer look.Stop()
	var size int64
	for {
		select {
		case <-p.Done():
			return ""
		case <-ctx.Done():
			return unlessDone(p, "[error: cancelled]")
		case <-timeout.C:
			return unlessDone(p, fmt.Sprintf("[error: %s timeout exceeded]", t.o.Timeout))
		case <-look.C:
		}
		now := out.size()
		if now > t.o.MaxFile {
			return fmt.Sprintf("[error: the output grew over %d MiB — command stopped; use head or grep]", t.o.MaxFile>>20)
		}
		if now != size {
			host.Alive()
		}
		size = now
	}
}

// unlessDone returns why a command must be stopped, "" if it has just ended by itself.
func unlessDone(p *proc.Process, why string) string {
	select {
	case <-p.Done():
		return ""
	default:
		return why
	}
}

// bashText puts the notes after the output. A result is never empty.
func bashText(output string, notes []string) string {
	if strings.TrimSpace(output) == "" {
		output = ""
		if len(notes) == 0 {
			return "(no output)"
		}
	}
	if output != "" && len(notes) > 0 && !strings.HasSuffix(output, "\n") {
		output += "\n"
	}
	return output + strings.Join(notes, "\n")
}
