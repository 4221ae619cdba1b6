package main

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/mini-me/mm/internal/engine"
)

// endTime is how long the end of mm may take before it is forced. Nothing below may live on for
// more than 2 s, also where the machine is busy and a guard gives a command 0.3 s after that; and each
// asker gives the agent that it asks longer than that one takes (child's grace).
func endTime(depth int) time.Duration {
	switch depth {
	case 0:
		return time.Second
	case 1:
		return 500 * time.Millisecond
	}
	return 200 * time.Millisecond
}

// ending returns what begins the end of mm, which a signal begins too: all below is ended while the
// front end winds up. Where that takes too long, because a terminal is paused or an editor doesn't
// read, the process ends all the same; what it had started sees its pipes close.
func (o *options) ending(ctx context.Context, e *engine.Engine) (begin func()) {
	sig := signalsOf(ctx)
	begin = sync.OnceFunc(func() {
		time.AfterFunc(endTime(e.File().Depth), func() {
			os.Exit(sig.status())
		})
		e.Stop()
	})
	context.AfterFunc(ctx, begin)
	return begin
}
