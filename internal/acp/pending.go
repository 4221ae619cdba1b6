package acp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sourcegraph/jsonrpc2"
)

// Pending is a request that was sent and whose answer has to be waited for.
type Pending struct {
	c      *Conn
	method string
	out    *outgoing
	call   jsonrpc2.Waiter
}

// Send sends a request. What is sent after Send has returned comes after the request: a
// session/cancel must not overtake its prompt.
func (c *Conn) Send(ctx context.Context, method string, params any) (*Pending, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	body, err := encodeParams(method, params)
	if err != nil {
		return nil, err
	}
	out := &outgoing{params: body, cost: cost(len(body), queueBytes)}
	if err := c.acquire(ctx, c.out.room, out.cost); err != nil {
		return nil, err
	}
	call, err := c.rpc.DispatchCall(ctx, method, nil, jsonrpc2.ExtraField(paramsField, out))
	if err != nil {
		return nil, c.gone(err)
	}
	return &Pending{c, method, out, call}, nil
}

// needed is a result for which null won't do: what it holds is all that was asked for.
type needed interface{ needed() }

// Wait waits for the answer and decodes it into result unless that is nil; null leaves it as it is, but for
// one that is needed. An error response is returned with its *Error in the chain and its message as the text.
// When ctx ends, Wait returns its error at once.
func (p *Pending) Wait(ctx context.Context, result any) error {
	var raw json.RawMessage
	if err := p.call.Wait(ctx, &raw); err != nil {
		return plain(p.c.callFailed(ctx, p.out.id, err))
	}
	if result == nil {
		return nil
	}
	if isNull(raw) {
		if _, ok := result.(needed); !ok {
			return nil
		}
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, result); err != nil {
		return fmt.Errorf("reading the answer to %s: %s", p.method, fieldText(err))
	}
	return nil
}

// Answered reports whether the answer has been read. In an Accepter or a Notification it tells what
// came before the answer from what came after it.
func (p *Pending) Answered() bool {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	return !p.c.awaited[p.out.id]
}
