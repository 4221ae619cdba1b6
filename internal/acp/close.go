package acp

import (
	"errors"
	"fmt"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Close ends the connection: nothing more is accepted, what was sent before is written if the peer
// takes it within half a second, then reader and writer are closed, which frees whoever is blocked
// in them. It may be called more than once; each call returns when that is done.
func (c *Conn) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	err := c.rpc.Close()
	<-c.ended
	if errors.Is(err, jsonrpc2.ErrClosed) {
		return nil // by an earlier Close, or by the peer
	}
	return err
}

// Wait waits until all that the connection started has returned: handlers, reading and writing. It
// makes sense once the connection has ended, and must not be called by a handler.
func (c *Conn) Wait() {
	<-c.reading
	c.serving.Wait()
	<-c.out.done
}

// readEnded is called by the reading goroutine when there is nothing more to read.
func (c *Conn) readEnded(err error) {
	defer close(c.reading)
	c.setErr(err)
	if c.o.Side == Agent {
		c.finishRequests(err)
	}
}

func (c *Conn) setErr(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil && !c.closed {
		c.err = err
	}
}

// finishRequests lets the requests that are open answer before the connection ends: a client that
// pipes requests in and closes its end still reads. Long ones are cancelled by it.
func (c *Conn) finishRequests(err error) {
	c.mu.Lock()
	for _, in := range c.requests {
		if in.cancel != nil {
			in.cancel(fmt.Errorf("%w: %w", ErrClosed, err))
		}
	}
	c.mu.Unlock()
	served := make(chan struct{})
	go func() {
		c.serving.Wait()
		close(served)
	}()
	timer := time.NewTimer(closeGrace)
	defer timer.Stop()
	select {
	case <-served:
	case <-timer.C:
	case <-c.out.done:
	case <-c.Done():
	}
}

// writeFailed is called when the peer can't be written to any more. For an agent that is the end. A
// client goes on reading, since a child's last answer may still be on its way, however slowly; its
// owner learns of the failure from Call and Notify, and of the child's end from Done.
func (c *Conn) writeFailed(err error) {
	c.logf("writing to the peer: %v", err)
	c.setErr(err)
	if c.o.Side == Agent {
		_ = c.rpc.Close() // its error is for the one who calls Close
	}
}

// end is called once, by jsonrpc2, whoever ended the connection.
func (c *Conn) end() error {
	defer close(c.ended)
	written := c.out.stop(ErrClosed, closeGrace)
	var err error
	if c.closer != nil {
		err = c.closer()
	}
	if !written && !c.out.stopped(closeGrace) {
		err = errors.Join(err, errors.New("closing the connection: a write is still blocked"))
	}
	return err
}

func (c *Conn) noise(line []byte) {
	if c.o.OnNoise != nil {
		c.o.OnNoise(clip(line))
	}
}

func (c *Conn) log(text string) {
	if c.o.Log != nil {
		c.o.Log(text)
	}
}

func (c *Conn) logf(format string, v ...any) { c.log(fmt.Sprintf(format, v...)) }
