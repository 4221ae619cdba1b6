package child

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/proc"
)

// grace is what a child gets to end: its own children and commands get less (mm's endTime), and all is
// over within 2 s.
func grace(depth int) proc.Grace {
	g := proc.Grace{Close: 700 * time.Millisecond, Term: 150 * time.Millisecond}
	for range depth {
		g.Close, g.Term = g.Close/3, g.Term/3
	}
	return g
}

// fate is why an agent can't be asked any more. The first reason counts: what follows from it (the
// exit status of a process that was killed) explains nothing.
type fate struct {
	once   sync.Once
	known  chan struct{} // closed when reason is set
	reason string
}

func (f *fate) is(reason string) {
	f.once.Do(func() {
		f.reason = reason
		close(f.known)
	})
}

// exitWait is how long an end may take to show: a process that exits closes its output first.
const exitWait = time.Second

// watch ends what is left of the agent once it has ended or can't be talked to any more: an agent
// that closed its output but lives, a process behind a launcher that died.
func (c *Client) watch() {
	defer close(c.gone)
	select {
	case <-c.conn.Done():
	case <-c.proc.Done():
	}
	timer := time.NewTimer(exitWait)
	defer timer.Stop()
	select {
	case <-c.proc.Done():
		c.fate.is(c.exit())
	case <-c.fate.known:
	case <-timer.C:
		c.fate.is("closed its output without ending" + lastLines(c.proc.Tail()))
	}
	c.endProcess()
	<-c.conn.Done() // all that it had written is read first
}

// exit says how the process ended and what it had to say last.
func (c *Client) exit() string {
	if p := c.proc.Panic(); p != "" {
		return "crashed: " + p
	}
	return fmt.Sprintf("ended (%s)%s", c.proc.Exit(), lastLines(c.proc.Tail()))
}

// Close ends the agent and waits until its processes are gone: stdin closes, then SIGTERM, then
// SIGKILL to all below it. Asks at work fail.
func (c *Client) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.fate.is("was ended")
	c.endProcess()
	c.hangUp()
	<-c.gone
	c.background.Wait()
	c.conn.Wait()
}

// kill ends the agent at once; its asks fail with the reason.
func (c *Client) kill(reason string) {
	c.fate.is(reason)
	c.cmd.Log("%s %s", c.cmd.Name, reason)
	if err := c.proc.Kill(); err != nil {
		c.cmd.Log("killing %s: %v", c.cmd.Name, err)
	}
	c.hangUp()
}

// endProcess ends the process and all below it; several may call it. The connection goes on
// reading, so that the agent can finish writing.
func (c *Client) endProcess() {
	if err := c.proc.End(grace(c.cmd.Depth)); err != nil {
		c.cmd.Log("ending %s: %v", c.cmd.Name, err)
	}
}

// hangUpWait is how long the last that an ended agent wrote is read.
const hangUpWait = 300 * time.Millisecond

// hangUp closes the connection to a process that has ended.
func (c *Client) hangUp() {
	timer := time.NewTimer(hangUpWait)
	defer timer.Stop()
	select {
	case <-c.conn.Done():
	case <-timer.C:
	}
	_ = c.conn.Close()
}

// why words the end of a connection.
func (c *Client) why(err error) error {
	if !errors.Is(err, acp.ErrClosed) {
		return err
	}
	timer := time.NewTimer(2 * exitWait)
	defer timer.Stop()
	select {
	case <-c.fate.known:
	case <-timer.C: // it reads nothing any more, and says nothing about it
		c.kill("closed its input without ending" + lastLines(c.proc.Tail()))
	}
	return errors.New(c.fate.reason)
}

// begin starts something that no ask waits for. It reports false once the client is closed.
func (c *Client) begin(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.background.Go(f)
	return true
}
