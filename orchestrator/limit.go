package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// errTimeout is the cause of a context that a limit ended.
var errTimeout = errors.New("timeout")

// limit is an entry's timeout: the whole ask without the time that a human takes.
type limit struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	total  time.Duration

	mu    sync.Mutex
	timer *time.Timer   // guarded by mu; nil when there is no limit
	left  time.Duration // guarded by mu: when holds > 0
	since time.Time     // guarded by mu: when the timer was started
	holds int           // guarded by mu
}

func newLimit(parent context.Context, d time.Duration) *limit {
	l := &limit{total: d, left: d, since: time.Now()}
	l.ctx, l.cancel = context.WithCancelCause(parent)
	if d > 0 {
		l.timer = time.AfterFunc(d, func() { l.cancel(errTimeout) })
	}
	return l
}

func (l *limit) stop() {
	l.mu.Lock()
	if l.timer != nil {
		l.timer.Stop()
	}
	l.mu.Unlock()
	l.cancel(nil)
}

// expired reports whether the limit ended the ask.
func (l *limit) expired() bool { return context.Cause(l.ctx) == errTimeout }

func (l *limit) reason() string { return fmt.Sprintf("timed out after %v", l.total) }

// hold stops the clock until release is called.
func (l *limit) hold() (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timer == nil {
		return func() {}
	}
	l.holds++
	if l.holds == 1 && l.timer.Stop() {
		l.left -= time.Since(l.since)
	}
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.holds--
		if l.holds == 0 && l.ctx.Err() == nil {
			l.since = time.Now()
			l.timer.Reset(max(l.left, 0))
		}
	})
}

// host lends h to a child, with the clock stopped while a human is waited for.
func (l *limit) host(h ui.Host) ui.Host { return limited{h, l} }

type limited struct {
	ui.Host
	l *limit
}

func (h limited) Decide(ctx context.Context, r consent.Request) consent.Decision {
	defer h.l.hold()()
	return h.Host.Decide(ctx, r)
}

func (h limited) AskUser(ctx context.Context, f ui.Form) ui.FormReply {
	defer h.l.hold()()
	return h.Host.AskUser(ctx, f)
}

func (h limited) Hold() func() {
	a, b := h.l.hold(), h.Host.Hold()
	return func() { a(); b() }
}
