package acp

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/sourcegraph/jsonrpc2"
)

// dispatcher is the jsonrpc2.Handler of a connection.
type dispatcher struct{ c *Conn }

// Handle starts to serve a request that register has accepted. It runs in the reading goroutine.
func (d dispatcher) Handle(ctx context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	d.c.start(ctx, req.ID.Num)
}

// logger is the jsonrpc2.Logger of a connection; the default one writes to stderr.
type logger struct{ c *Conn }

// Printf logs a line.
func (l logger) Printf(format string, v ...any) { l.c.logf(format, v...) }

// register makes room for a request of the peer and gives it an id of our own.
func (c *Conn) register(msg message) (id uint64, ok bool) {
	c.mu.Lock()
	if len(c.requests) < maxRequests {
		c.nextID++
		id, ok = c.nextID, true
		c.requests[id] = &inbound{message: msg, num: id}
	}
	c.mu.Unlock()
	if !ok {
		c.answer(msg.id, Internal("more than %d requests are open", maxRequests))
	}
	return id, ok
}

func (c *Conn) start(ctx context.Context, id uint64) {
	c.mu.Lock()
	in := c.requests[id]
	ctx, in.cancel = context.WithCancelCause(ctx)
	c.mu.Unlock()
	if a, ok := c.h.(Accepter); ok {
		accepted, err := a.Accept(ctx, in.method, in.params)
		if in.refuse = err; err == nil {
			ctx = accepted
		}
	}
	c.serving.Go(func() { c.serve(ctx, in) })
}

func (c *Conn) serve(ctx context.Context, in *inbound) {
	var result any
	err := in.refuse
	switch {
	case err != nil:
	case c.h == nil:
		err = MethodNotFound(in.method)
	default:
		result, err = c.h.Request(ctx, in.method, in.params)
	}
	then := func() {}
	if r, ok := result.(Reply); ok {
		result = r.Result
		if r.Then != nil {
			then = r.Then
		}
	}
	if c.respond(in, result, err) == nil && err == nil {
		then()
	}
	in.cancel(nil)
}

// respond queues the response to a request. It waits for room as long as the connection lives.
func (c *Conn) respond(in *inbound, result any, err error) error {
	defer func() {
		c.mu.Lock()
		delete(c.requests, in.num)
		c.mu.Unlock()
	}()
	body, failure := responseBody(result, err)
	if failure != nil {
		c.logf("encoding the answer to %s: %v", in.method, failure)
		body, _ = responseBody(nil, Internal("the answer to %s can't be encoded", in.method))
	}
	in.cost = cost(len(body), queueBytes)
	if err := c.acquire(context.Background(), c.out.room, in.cost); err != nil {
		return err
	}
	// The body travels as the result even when it is an error: replyFrame puts it in place.
	return c.rpc.SendResponse(context.Background(), &jsonrpc2.Response{ID: jsonrpc2.ID{Num: in.num}, Result: &body})
}

// responseBody is the member of a response that says what came of the request.
func responseBody(result any, err error) (json.RawMessage, error) {
	if err != nil {
		return encode([]byte(`"error":`), asError(err))
	}
	if result == nil {
		return json.RawMessage(`"result":{}`), nil
	}
	return encode([]byte(`"result":`), result)
}

func (c *Conn) replyFrame(r *jsonrpc2.Response) *frame {
	c.mu.Lock()
	in := c.requests[r.ID.Num]
	c.mu.Unlock()
	if in == nil || r.Result == nil {
		return nil
	}
	return &frame{data: responseLine(in.id, *r.Result), cost: in.cost, room: c.out.room}
}

func responseLine(id, body json.RawMessage) []byte {
	if id == nil {
		id = json.RawMessage("null")
	}
	data := make([]byte, 0, len(id)+len(body)+32)
	data = append(append(data, `{"jsonrpc":"2.0","id":`...), id...)
	return line(append(append(append(data, ','), body...), '}'))
}

// answer refuses a message from within the reading goroutine, which waits while a peer that
// floods us with such messages doesn't read the answers.
func (c *Conn) answer(id json.RawMessage, e *Error) {
	body, err := responseBody(nil, e)
	if err != nil {
		return
	}
	f := &frame{data: responseLine(id, body), room: c.out.replies}
	f.cost = cost(len(f.data), replyBytes)
	if c.out.acquire(c.out.ctx, f.room, f.cost) == nil {
		_ = c.out.push(f) // it fails only when all has ended anyway
	}
}

// notified handles a notification in the reading goroutine.
func (c *Conn) notified(msg message) {
	if msg.method == MethodCancelRequest {
		c.cancelled(field(msg.params, "requestId"))
		return
	}
	if c.h != nil {
		c.h.Notification(msg.method, msg.params)
	}
}

// cancelled ends the context of a request of the peer. "A cancel for an id already answered or
// unknown: ignore."
func (c *Conn) cancelled(id json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, in := range c.requests {
		if id != nil && sameID(in.id, id) && in.cancel != nil {
			in.cancel(Cancelled())
		}
	}
}

func (c *Conn) await(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.awaited[id] = true
}

// awaits reports whether a call with this id was sent and not answered before.
func (c *Conn) awaits(id uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.awaited[id]
	delete(c.awaited, id)
	return found
}

// maxClip bounds a line that is reported, in bytes.
const maxClip = 1 << 10

func clip(line []byte) string {
	if len(line) > maxClip {
		return string(toUTF8(line[:maxClip])) + "… (" + strconv.Itoa(len(line)) + " bytes)"
	}
	return string(line)
}
