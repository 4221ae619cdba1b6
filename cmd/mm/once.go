package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/front/once"
)

// maxStdin bounds the question that is read from stdin, in bytes.
const maxStdin = 16 << 20

// runOnce answers one question: mm -p and mm --ask.
func (o *options) runOnce(ctx context.Context, args []string) error {
	switch o.output {
	case "text", "json", "events":
	default:
		return usagef("--output: %q is not one of text, json, events", o.output)
	}
	e, _, done, err := o.open(io.Discard)
	if err != nil {
		return err
	}
	defer done()
	// A wrong name is told before stdin is read: a pipeline shall not wait for its input in vain.
	if text := once.Unknown(e, o.ask); o.asking && text != "" {
		fmt.Fprintln(o.err, text)
		return statusError(once.ExitUsage)
	}
	o.ending(ctx, e)
	if o.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeoutCause(ctx, time.Duration(o.timeout), once.ErrTimeout) // reading the question counts
		defer stop()
	}
	prompt, err := o.prompt(ctx, args)
	if context.Cause(ctx) == once.ErrTimeout {
		fmt.Fprintf(o.err, "[error: the question had not been read after %v — stopped by --timeout]\n", time.Duration(o.timeout))
		return statusError(once.ExitTimeout)
	}
	if err != nil {
		return err
	}
	id, cwd, err := o.session(e)
	if err != nil {
		return err
	}
	status := once.Run(ctx, e, once.Options{
		Agent: o.ask, Prompt: prompt, Resume: id, Cwd: cwd, Output: o.output, Strict: o.strict, Timeout: time.Duration(o.timeout),
		Stdout: o.out, Shown: isTerminal(o.out), Stderr: o.err, Progress: isTerminal(o.err), Terminal: isTerminal(o.out),
	})
	if err := ended(ctx); err != nil {
		return err
	}
	if status != exitOK {
		return statusError(status)
	}
	return nil
}

// prompt is the question: the arguments, then stdin where that is a pipe or a file, or "-" asks
// for it.
func (o *options) prompt(ctx context.Context, args []string) (string, error) {
	stdin := piped(o.in)
	if len(args) == 0 && isTerminal(o.in) {
		fmt.Fprintln(o.err, "type the question and end it with Ctrl-D:")
		stdin = true
	}
	var words []string
	for _, a := range args {
		if a == "-" {
			stdin = true
		} else {
			words = append(words, a)
		}
	}
	prompt := strings.Join(words, " ")
	if stdin {
		b, err := readAll(ctx, io.LimitReader(o.in, maxStdin+1))
		switch {
		case err != nil:
			return "", fmt.Errorf("reading the question from stdin: %w", err)
		case len(b) > maxStdin:
			return "", usagef("the question on stdin is larger than %d MiB", maxStdin>>20)
		}
		text := strings.ToValidUTF8(strings.TrimRight(string(b), "\r\n"), "\ufffd")
		if prompt != "" && text != "" {
			prompt += "\n\n"
		}
		prompt += text
	}
	if strings.TrimSpace(prompt) == "" {
		if o.ask != "" {
			return "", usagef("the question is empty: pipe it in or write it after --ask %s", o.ask)
		}
		return "", usagef("the question is empty: write it after -p or pipe it in")
	}
	return prompt, nil
}

// readAll reads to the end, or until ctx ends: a signal must end mm also while nobody writes or
// closes its stdin. The read that blocks then ends with the process.
func readAll(ctx context.Context, r io.Reader) ([]byte, error) {
	type result struct {
		b   []byte
		err error
	}
	done := make(chan result, 1)
	go func() {
		b, err := io.ReadAll(r)
		done <- result{b, err}
	}()
	select {
	case got := <-done:
		return got.b, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// piped reports whether stdin is a pipe, a socket or a file, rather than a terminal or /dev/null.
func piped(f *os.File) bool {
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice == 0
}
