package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/front/line"
	"github.com/mini-me/mm/internal/proc"
	"github.com/mini-me/mm/internal/tty"
)

// runLine is line mode.
func (o *options) runLine(ctx context.Context) error {
	return o.lineMode(ctx, o.in, isTerminal(o.in))
}

// lineMode is line mode on the given input.
func (o *options) lineMode(ctx context.Context, in io.Reader, terminal bool) error {
	e, _, done, err := o.open(io.Discard)
	if err != nil {
		return err
	}
	defer done()
	id, cwd, err := o.session(e)
	if err != nil {
		return err
	}
	opts := line.Options{In: in, Out: o.out, Terminal: terminal, Colour: o.colour(), Resume: id, Cwd: cwd, Preview: e.File().PreviewLines,
		Ending: o.ending(ctx, e)}
	if terminal {
		opts.Interrupts = signalsOf(ctx).interruptible()
		t, err := o.tty()
		if err != nil {
			return err
		}
		if t != nil {
			defer func() { _ = t.Close() }()
			opts.TTY, opts.History = t, historyFile(e)
		}
	}
	if err := line.Run(ctx, e, opts); err != nil {
		return err
	}
	return ended(ctx)
}

// ended tells the end by a signal from other ends: the exit status is the signal's then.
func ended(ctx context.Context) error {
	if status := signalsOf(ctx).status(); status != 0 {
		return statusError(status)
	}
	return nil
}

// tty puts the terminal into raw mode, for the editor. It is nil where there is none that can show one.
func (o *options) tty() (*tty.TTY, error) {
	out, ok := o.out.(*os.File)
	if !ok || !isTerminal(out) || os.Getenv("TERM") == "dumb" || os.Getenv("TERM") == "" {
		return nil, nil
	}
	self, err := proc.Self()
	if err != nil {
		return nil, err
	}
	t, err := tty.Open(o.in, out, self)
	if err != nil {
		return nil, fmt.Errorf("putting the terminal into raw mode: %w", err)
	}
	return t, nil
}

// historyFile is where typed questions are kept: beside the sessions.
func historyFile(e *engine.Engine) string {
	if e.File().SessionsDir == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(e.File().SessionsDir), "history")
}
