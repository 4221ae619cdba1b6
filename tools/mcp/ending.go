package mcp

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/clip"
)

// dead reports whether the connection can't be used any more.
func (c *conn) dead() bool {
	select {
	case <-c.over:
	case <-c.ctx.Done():
	default:
		return false
	}
	return true
}

// close ends the connection and everything of it: calls under way first, then the session, then
// the process. It is called once, by the goroutine that watches the connection.
func (c *conn) close() {
	c.giveUp(errGone)
	silenced := c.silenced()
	reason := ""
	if cause := context.Cause(c.ctx); !errors.Is(cause, errGone) {
		reason = cause.Error()
	}
	closed := make(chan struct{})
	go func() {
		_ = c.session.Close() // it ends in any case
		close(closed)
	}()
	timer := time.NewTimer(c.limits.goodbye)
	select {
	case <-closed:
	case <-timer.C:
	}
	timer.Stop()
	if c.web != nil {
		c.web.close()
	}
	if c.process != nil {
		c.endProcess()
	}
	<-closed
	err := c.session.Wait()
	<-c.over
	c.release()
	switch {
	case reason != "":
	case silenced:
		reason = c.lastWords()
	case err != nil:
		reason = c.server.mask(plainReason(err))
	default:
		reason = errGone.Error()
	}
	c.reason = reason
	close(c.ended)
}

// release ends what is left below the session, and waits for it.
func (c *conn) release() {
	if c.web != nil {
		c.web.close()
	}
	if c.wire != nil {
		_ = c.wire.Close() // what it sends, a web that is closed doesn't
	}
	if c.process != nil {
		c.endProcess()
		_ = c.pipe.Close()
		<-c.pipe.ended
		<-c.pipe.out.Done()
	}
}

func (c *conn) endProcess() {
	c.pipe.out.Stop()
	if err := c.process.End(c.limits.end); err != nil {
		c.log("MCP server %s: %v", c.server.Name, err)
	}
	<-c.process.Done()
}

// lastWords says how the process ended, with the last line that tells why.
func (c *conn) lastWords() string {
	words := c.stderr()
	if words == "" {
		if noise := c.pipe.lastNoise(); noise != "" {
			words = "it wrote to stdout, where only the protocol belongs: " + noise
		}
	}
	s := c.process.Exit().String()
	if words != "" {
		s += ": " + words
	}
	return s
}

// stderr is the last line of the process's stderr, or that of a panic.
func (c *conn) stderr() string {
	if c.process == nil {
		return ""
	}
	if why := c.process.Panic(); why != "" {
		return c.server.mask(why)
	}
	lines := strings.Split(c.process.Tail(), "\n")
	return c.server.mask(clip.To(strings.TrimSpace(lines[len(lines)-1]), 300))
}
