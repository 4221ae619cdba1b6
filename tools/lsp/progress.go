package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// maxTokens bounds how much progress of a server is followed at a time.
const maxTokens = 1000

// work is something that a server reports to be at.
type work struct {
	title string
	// slow means that it was waited for in vain: no call waits for it any more.
	slow bool
}

// progressed notes the beginning and end of work that a server reports.
func (c *conn) progressed(token, kind, title string) {
	c.update(func() {
		switch kind {
		case "begin":
			c.begun++
			if len(c.progress) < maxTokens {
				c.progress[token] = work{title: oneLine(title)}
			}
		case "end":
			delete(c.progress, token)
		}
	})
}

// busyLocked reports whether the server is at work that is worth waiting for. mu must be held.
func (c *conn) busyLocked() bool {
	for _, w := range c.progress {
		if !w.slow {
			return true
		}
	}
	return false
}

// giveUp lets no further call wait for what the server is at now.
func (c *conn) giveUp() {
	c.update(func() {
		for token, w := range c.progress {
			w.slow = true
			c.progress[token] = w
		}
	})
}

// unfinished says on a line of its own that the server is at work, so that an answer may lack
// something; "" when it isn't.
func (c *conn) unfinished() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.progress) == 0 {
		return ""
	}
	var titles []string
	for _, token := range sortedKeys(c.progress) {
		titles = append(titles, c.progress[token].title)
	}
	return "\n(" + c.server.Name + " is still at work: " + strings.Join(titles, ", ") + " — there may be more)"
}

// await waits until done holds, which is asked with mu locked, for at most the given time. It
// reports whether it does.
func (c *conn) await(ctx context.Context, limit time.Duration, done func() bool) (bool, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		c.mu.Lock()
		ok, changed := done(), c.changed
		c.mu.Unlock()
		if ok {
			return true, nil
		}
		select {
		case <-changed:
		case <-timer.C:
			return false, nil
		case <-c.rpc.DisconnectNotify():
			return false, c.gone(errEnded{})
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// errEnded stands for the end of a connection that is waited on without a request.
type errEnded struct{}

func (errEnded) Error() string { return "the connection has ended" }

// settle waits until a server that reports progress has had none for a while. A new server gets
// a moment to begin, and is asked something about the document that every server answers once it is
// up: asked more too early, some answer that there is nothing, and the time for its diagnostics
// isn't the time for its start.
func (c *conn) settle(ctx context.Context, d *document) error {
	limit := c.limits.busy
	switch {
	case c.ready && !c.stirs(c.beginnings()):
		return nil
	case !c.ready:
		limit = c.limits.index
		if _, err := c.await(ctx, c.limits.begin, func() bool { return c.begun > 0 }); err != nil {
			return err
		}
		if err := c.knock(ctx, d); err != nil {
			return err
		}
	}
	end := time.Now().Add(limit)
	for {
		var begun int
		calm, err := c.await(ctx, time.Until(end), func() bool { begun = c.begun; return !c.busyLocked() })
		if err != nil {
			return err
		}
		if !calm {
			c.giveUp()
			break
		}
		if begun == 0 {
			break // it reports nothing
		}
		more, err := c.await(ctx, c.limits.quiet, func() bool { return c.begun > begun || c.busyLocked() })
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	c.ready = true
	return nil
}

// knock waits until the server answers at all. What it answers doesn't matter.
func (c *conn) knock(ctx context.Context, d *document) error {
	if c.able(symbols) != nil {
		return nil
	}
	var ignored json.RawMessage
	err := c.askOnce(ctx, "textDocument/documentSymbol", map[string]documentID{"textDocument": {d.uri}}, &ignored)
	var gone *goneError
	if ctx.Err() != nil || errors.As(err, &gone) {
		return err
	}
	return nil
}

// stirs reports whether the server works or has begun to since there were n beginnings.
func (c *conn) stirs(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.busyLocked() || c.begun > n
}

func (c *conn) beginnings() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.begun
}
