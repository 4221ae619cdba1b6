package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mini-me/mm/internal/ui"
)

// server is what is known of one server. Fields are guarded by all.mu but for the first two. One
// goroutine at a time runs it, from its start to its end, and only that one changes them.
type server struct {
	Server
	all *Servers

	conn     *conn         // the living connection; nil without one
	starting chan struct{} // not nil while it is being started; closed when that is over. Set by whoever wants it
	settled  bool          // the first start is over
	failure  string        // why there is no connection; "" while none has failed
	failures int           // starts that failed in a row
	again    time.Time     // when the next start may be tried for the sake of the list
	tools    []*Tool       // as last listed
	told     map[string]bool
}

// had is the word for having the server: it is started, or reached.
func (s *server) had() string {
	if s.URL != "" {
		return "reached"
	}
	return "started"
}

// call calls a tool, over a new connection where there is none. A call that can't have reached the
// server is made once more.
func (s *server) call(ctx context.Context, r request, limit int) (text string, failed bool, err error) {
	for again := true; ; again = false {
		c, err := s.connected(ctx, r.host)
		if err != nil {
			return "", false, err
		}
		result, err := c.call(ctx, r)
		var unsent *unsentError
		switch {
		case err == nil:
			return c.text(ctx, result, limit), result.IsError, nil
		case !again || !errors.As(err, &unsent):
			return "", false, err
		}
	}
}

// connected returns a living connection, started if there is none. The start goes on when the
// caller stops waiting for it; while it lasts, it has its own limit, so that the host is kept alive.
func (s *server) connected(ctx context.Context, host ui.Host) (*conn, error) {
	for tried := false; ; {
		s.all.mu.Lock()
		switch {
		case s.all.closed:
			s.all.mu.Unlock()
			return nil, errClosed
		case s.conn != nil && !s.conn.dead():
			c := s.conn
			s.all.mu.Unlock()
			return c, nil
		case s.conn == nil && s.starting == nil && tried:
			defer s.all.mu.Unlock()
			return nil, &startError{s.failure}
		}
		over := s.clearedLocked()
		if over == nil {
			over, tried = s.startLocked(), true
		}
		s.all.mu.Unlock()
		if err := wait(ctx, over, host); err != nil {
			return nil, err
		}
	}
}

// clearedLocked returns what is closed when a connection that has ended is cleared away, nil where
// there is none.
func (s *server) clearedLocked() <-chan struct{} {
	if s.conn == nil {
		return nil
	}
	return s.conn.cleared
}

// wait waits for a channel to be closed, as long as ctx lasts.
func wait(ctx context.Context, done <-chan struct{}, host ui.Host) error {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
			host.Alive()
		}
	}
}

// startLocked starts the server in the background, unless that is under way.
func (s *server) startLocked() (over <-chan struct{}) {
	if s.starting == nil {
		over := make(chan struct{})
		s.starting = over
		s.all.work.Go(func() { s.run(over) })
	}
	return s.starting
}

// run starts the server and watches the connection until its end.
func (s *server) run(over chan struct{}) {
	ctx, cancel := context.WithTimeoutCause(s.all.ctx, s.all.limits.start, &slowError{s.all.limits.start})
	defer cancel()
	c, list, err := s.open(ctx)
	cancel()
	var now []*Tool
	if err == nil {
		now = s.choose(list)
	}
	s.all.mu.Lock()
	s.starting = nil
	if err != nil {
		s.failedLocked(err)
	} else {
		s.conn, s.failure, s.failures = c, "", 0
		s.applyLocked(now)
	}
	s.settleLocked()
	s.all.mu.Unlock()
	close(over)
	if err == nil {
		s.watch(c)
	}
}

// open connects and lists the tools.
func (s *server) open(ctx context.Context) (*conn, []listed, error) {
	c, err := s.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	list, err := c.list(ctx)
	if err == nil {
		return c, list, nil
	}
	if ctx.Err() != nil {
		err = c.withWords(context.Cause(ctx))
	}
	c.close()
	switch answer := asRPC(err); {
	case answer != nil:
		err = answer
	case ctx.Err() == nil:
		err = errors.New(c.reason)
	}
	return nil, nil, fmt.Errorf("listing its tools: %w", err)
}

// watch lists the tools anew when they have changed, and clears the connection away at its end.
func (s *server) watch(c *conn) {
	stop := context.AfterFunc(s.all.ctx, func() { c.giveUp(errClosed) })
	defer stop()
	for times := 0; !s.ended(c, times >= s.all.limits.relists); times++ {
		s.relist(c)
		select { // a server that changes all the time isn't listed all the time
		case <-time.After(s.all.limits.relist):
		case <-c.ctx.Done():
		}
	}
	c.close()
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	s.conn = nil
	close(c.cleared)
	if !s.all.closed {
		s.failure = c.reason
		s.all.o.Log("MCP server %s ended: %s", s.Name, c.reason)
	}
}

// relist lists the tools anew; those that were known stay where that fails.
func (s *server) relist(c *conn) {
	ctx, cancel := context.WithTimeoutCause(c.ctx, s.all.limits.start, &slowError{s.all.limits.start})
	defer cancel()
	list, err := c.list(ctx)
	switch {
	case err == nil:
		now := s.choose(list)
		s.all.mu.Lock()
		defer s.all.mu.Unlock()
		s.applyLocked(now)
	case !c.dead():
		s.warn("the list of its tools has changed and can't be had: %s", s.mask(plainReason(err)))
	}
}

// ended waits for a change of the list, unless there were enough of them, or the end of the
// connection, which it reports.
func (s *server) ended(c *conn, enough bool) bool {
	changed := c.changed
	if enough {
		changed = nil
	}
	select {
	case <-changed:
		return c.dead()
	case <-c.over:
	case <-c.ctx.Done():
	}
	return true
}
