package lsp

import (
	"context"
	"time"
)

// maxTokens bounds how much progress of a server is followed at a time.
const maxTokens = 1000

// progressed notes the beginning and end of work that a server reports.
func (c *conn) progressed(token, kind string) {
	c.update(func() {
		switch kind {
		case "begin":
			c.begun++
			if len(c.progress) < maxTokens {
				c.progress[token] = true
			}
		case "end":
			delete(c.progress, token)
		}
	})
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
// a moment to begin: asked too early, some answer that there is nothing. A server that reports no
// progress costs that moment, once.
func (c *conn) settle(ctx context.Context) error {
	limit := c.limits.busy
	switch {
	case c.ready && !c.stirs(c.beginnings()):
		return nil
	case !c.ready:
		limit = c.limits.index
		if _, err := c.await(ctx, c.limits.begin, func() bool { return c.begun > 0 }); err != nil {
			return err
		}
	}
	end := time.Now().Add(limit)
	for {
		var begun int
		calm, err := c.await(ctx, time.Until(end), func() bool { begun = c.begun; return len(c.progress) == 0 })
		if err != nil {
			return err
		}
		if !calm || begun == 0 {
			break // it takes too long, or reports nothing
		}
		more, err := c.await(ctx, c.limits.quiet, func() bool { return c.begun > begun || len(c.progress) > 0 })
		if err != nil {
			return err
		}
		if !more || !time.Now().Before(end) {
			break
		}
	}
	c.ready = true
	return nil
}

// stirs reports whether the server works or has begun to since there were n beginnings.
func (c *conn) stirs(n int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.progress) > 0 || c.begun > n
}

func (c *conn) beginnings() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.begun
}
