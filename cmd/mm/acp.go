package main

import (
	"context"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/front/editor"
)

// runACP is the ACP agent. Stdout is the protocol's alone from here on.
func (o *options) runACP(ctx context.Context) error {
	out, err := acp.PrivateStdout()
	if err != nil {
		return err
	}
	in := acp.PrivateStdin(o.in)
	e, logf, done, err := o.open(o.err)
	if err != nil {
		return err
	}
	defer done()
	err = editor.Run(ctx, e, editor.Options{In: in, Out: out, CloseIn: in.Close, Ending: o.ending(ctx, e), Log: logf})
	if err := ended(ctx); err != nil {
		return err
	}
	return err
}
