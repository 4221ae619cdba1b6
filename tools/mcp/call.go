package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mini-me/mm/internal/ui"
)

// call is a call under way.
type call struct {
	host    ui.Host
	ctx     context.Context
	silence time.Duration
	id      string // the model's call
	// turn holds something while the person of this call is asked: one form at a time.
	turn chan struct{}
	// refused is set when HTTP answered 404: the session is forgotten, and the call wasn't made.
	refused atomic.Bool

	mu     sync.Mutex
	timer  *time.Timer // guarded by mu: gives up after a silence; nil where there is no limit
	held   int         // guarded by mu: questions that wait for a person
	done   bool        // guarded by mu
	forms  int         // guarded by mu: questions so far
	asking sync.WaitGroup
}

// callKey finds the call in a context that descends from it.
type callKey struct{}

// request is a call to be made.
type request struct {
	id      string // the model's call
	tool    string // the server's name for it
	args    json.RawMessage
	host    ui.Host
	silence time.Duration
}

// call calls a tool and waits for its answer, as long as progress comes.
func (c *conn) call(ctx context.Context, r request) (*sdk.CallToolResult, error) {
	outer := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })()
	k := &call{id: r.id, host: r.host, silence: r.silence, turn: make(chan struct{}, 1)}
	k.ctx = context.WithValue(ctx, callKey{}, k)
	silent := &silentError{after: r.silence}
	if r.silence > 0 {
		k.timer = time.AfterFunc(r.silence, func() { cancel(silent) })
	}
	params := &sdk.CallToolParams{Name: r.tool, Arguments: r.args}
	token := c.begin(k)
	params.SetProgressToken(token)
	result, err := c.session.CallTool(k.ctx, params)
	cause := context.Cause(ctx)
	cancel(nil)
	c.finish(k, token)
	switch {
	case err == nil:
		return result, nil
	case outer.Err() == nil && cause == error(silent):
		return nil, c.silent(outer, silent)
	}
	return nil, c.wrong(outer, k, cause, err)
}

// wrong finds out what an error of a call means.
func (c *conn) wrong(ctx context.Context, k *call, cause, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(cause, errClosed):
		return errClosed
	case k.refused.Load(), errors.Is(err, sdk.ErrConnectionClosed), errors.Is(err, io.ErrClosedPipe):
		c.giveUp(errGone)
		return &unsentError{err}
	}
	if answer := asRPC(err); answer != nil {
		return answer
	}
	if c.web != nil && !c.dead() {
		return err // of this request alone
	}
	// The connection has ended. Why is known when all of it is gone, which has its own limits.
	c.giveUp(errGone)
	select {
	case <-c.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	return &goneError{c.reason}
}

// silent asks a server that was silent whether it lives. One that doesn't answer is given up.
func (c *conn) silent(ctx context.Context, e *silentError) error {
	within, cancel := context.WithTimeout(ctx, c.limits.ping)
	defer cancel()
	err := c.session.Ping(within, nil)
	switch {
	case err == nil || asRPC(err) != nil: // that it has no ping is an answer, too
		return &silentError{after: e.after, alive: true}
	case ctx.Err() != nil:
		return ctx.Err()
	}
	c.giveUp(e)
	return e
}

// begin notes a call and returns its progress token.
func (c *conn) begin(k *call) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
	token := fmt.Sprintf("mm-%d", c.count)
	c.calls[token] = k
	return token
}

// finish ends a call: its host isn't used any more when it returns.
func (c *conn) finish(k *call, token string) {
	c.mu.Lock()
	delete(c.calls, token)
	c.mu.Unlock()
	k.mu.Lock()
	k.done = true
	if k.timer != nil {
		k.timer.Stop()
	}
	k.mu.Unlock()
	k.asking.Wait()
}

// progress is a sign of life of a call.
func (c *conn) progress(p *sdk.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	c.mu.Lock()
	k := c.calls[token]
	c.mu.Unlock()
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.done {
		return
	}
	if k.timer != nil && k.held == 0 {
		k.timer.Reset(k.silence)
	}
	k.host.Alive()
}
