package main

import (
	"context"
	"io"

	"github.com/mini-me/mm/internal/front/line"
)

// runLine is line mode.
func (o *options) runLine(ctx context.Context) error {
	return o.lineMode(ctx, o.in, isTerminal(o.in))
}

// lineMode is line mode on the given input.
func (o *options) lineMode(ctx context.Context, in io.Reader, terminal bool) error {
	logf, closeLog, err := o.log(io.Discard)
	if err != nil {
		return err
	}
	defer closeLog()
	e, err := o.engine(logf)
	if err != nil {
		return err
	}
	defer e.Close()
	id, cwd, err := o.session(e)
	if err != nil {
		return err
	}
	opts := line.Options{In: in, Out: o.out, Terminal: terminal, Colour: o.colour(), Resume: id, Cwd: cwd, Preview: e.File().PreviewLines,
		Ending: o.ending(ctx, e)}
	if terminal {
		opts.Interrupts = signalsOf(ctx).interruptible()
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
