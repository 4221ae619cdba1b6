package main

import (
	"context"
	"io"
	"os"

	"github.com/mini-me/mm/internal/front/window"
)

// runWindow is the window.
func (o *options) runWindow(ctx context.Context) error {
	if !isTerminal(o.in) || !isTerminal(o.out) {
		return usagef("-tui needs a terminal — mm without flags takes lines from a pipe, mm -p one question")
	}
	e, _, done, err := o.open(io.Discard)
	if err != nil {
		return err
	}
	defer done()
	id, cwd, err := o.session(e)
	if err != nil {
		return err
	}
	t, err := o.tty()
	if err != nil {
		return err
	}
	if t == nil {
		return usagef("-tui needs a terminal that can move its cursor (TERM=%s) — mm without flags needs less", os.Getenv("TERM"))
	}
	defer func() { _ = t.Close() }()
	t.FullScreen()
	err = window.Run(ctx, e, window.Options{In: o.in, Out: o.out, TTY: t, Env: os.Environ(), Colour: o.colour(), Resume: id, Cwd: cwd,
		History: historyFile(e), Ending: o.ending(ctx, e)})
	if err != nil {
		return err
	}
	return ended(ctx)
}
