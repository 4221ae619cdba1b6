package child

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mini-me/mm/internal/acp"
)

// item is something the agent sent for a session: an update, or a permission request.
type item struct {
	session    string
	update     acp.SessionUpdate
	permission *permission
	elicit     *elicitation
}

// cost is what an item takes of the room for items, about its bytes.
func (it item) cost() int64 {
	n := int64(itemCost + len(it.update.Raw))
	if it.permission != nil {
		n += int64(len(it.permission.req.ToolCall.RawInput))
	}
	return min(n, inboxBytes)
}

// refuse refuses an item that asks for something and reports whether it was one. A request outside a
// turn is rejected.
func (it item) refuse() bool {
	switch {
	case it.permission != nil:
		it.permission.reply <- choose(it.permission.req.Options, false, "")
	case it.elicit != nil:
		it.elicit.reply <- elicited{resp: acp.ElicitResponse{Action: acp.ElicitCancel}}
	default:
		return false
	}
	return true
}

// permission is a request that waits for its answer.
type permission struct {
	ctx   context.Context // ends when the agent gives the request up
	req   acp.RequestPermissionRequest
	reply chan acp.RequestPermissionResponse
	taken bool // an ask has it
}

// handler takes what the agent sends.
type handler struct{ c *Client }

// Notification hands an update to the ask whose session it is for. It blocks while that ask is
// busy: that is how a slow front end slows the agent.
func (h handler) Notification(method string, params json.RawMessage) {
	if method != acp.MethodUpdate {
		return
	}
	u, err := acp.ParseUpdate(params)
	if err != nil {
		h.c.complain("sent an update that can't be read: %v", err)
		return
	}
	if u.Kind == acp.UpdateSubagent {
		h.c.join(u)
	}
	h.c.deliver(item{session: u.SessionID, update: u})
}

// maxSessions bounds the sessions of one agent, those of agents below it included.
const maxSessions = 4096

// join gives the session of an agent below to the ask that its parent belongs to. It is done in the
// read loop: that session's own updates may be the very next lines.
func (c *Client) join(u acp.SessionUpdate) {
	var s acp.SubagentUpdate
	if u.Decode(&s) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.asks[u.SessionID]; a != nil && c.asks[s.SessionID] == nil && len(c.asks) < maxSessions {
		c.asks[s.SessionID] = a
	}
}

// requestKey is the context's key of the request that Accept has handed over.
type requestKey struct{}

// Accept hands a request over to its ask in the order of messages (acp.Accepter): Request runs beside the
// read loop, where what the agent says next could come before. A request behind the answer to its session's
// prompt, outside of a turn, isn't taken.
func (h handler) Accept(ctx context.Context, method string, params json.RawMessage) (context.Context, error) {
	switch {
	case method == acp.MethodRequestPermission:
		p := &permission{ctx: ctx, reply: make(chan acp.RequestPermissionResponse, 1)}
		if err := acp.DecodeParams(params, &p.req); err != nil {
			return ctx, err
		}
		p.taken = !h.late(p.req.SessionID) && h.c.deliver(item{session: p.req.SessionID, permission: p})
		return context.WithValue(ctx, requestKey{}, p), nil
	case method == acp.MethodElicit && h.c.questions():
		e := &elicitation{ctx: ctx, reply: make(chan elicited, 1)}
		if err := e.read(params); err != nil {
			return ctx, err
		}
		e.taken = !h.late(e.req.SessionID) && h.c.deliver(item{session: e.req.SessionID, elicit: e})
		return context.WithValue(ctx, requestKey{}, e), nil
	}
	return ctx, nil
}

// late reports whether the answer to a session's prompt has been read.
func (h handler) late(session string) bool {
	h.c.mu.Lock()
	a := h.c.asks[session]
	h.c.mu.Unlock()
	return a != nil && a.ended()
}

// Request serves the agent's requests: what was offered, and nothing else.
func (h handler) Request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch r := ctx.Value(requestKey{}).(type) {
	case *permission:
		return h.permission(r), nil
	case *elicitation:
		return r.wait()
	}
	switch {
	case method == acp.MethodReadTextFile && h.c.files():
		return h.readFile(ctx, params)
	case method == acp.MethodWriteTextFile && h.c.files():
		return h.writeFile(ctx, params)
	}
	return nil, acp.MethodNotFound(method)
}

func (h handler) permission(p *permission) acp.RequestPermissionResponse {
	if !p.taken {
		// Nobody asked for anything: a request outside a turn is rejected.
		h.c.complain("asked for permission outside of a task: rejected: %s", p.req.ToolCall.Title)
		return choose(p.req.Options, false, "")
	}
	select {
	case r := <-p.reply:
		return r
	case <-p.ctx.Done():
		return acp.PermissionCancelled()
	}
}

// deliver hands an item to its ask. Items for a session that isn't known yet are kept while a
// session/new is under way. It reports whether somebody takes the item.
func (c *Client) deliver(it item) bool {
	c.mu.Lock()
	a := c.asks[it.session]
	if a == nil {
		defer c.mu.Unlock()
		return c.keepLocked(it)
	}
	c.mu.Unlock()
	return a.inbox.put(it)
}

// adopt gives an ask its session, with what came for it already.
func (c *Client) adopt(a *ask) (early []item, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asks[a.id] != nil {
		return nil, errors.New("answered session/new with a session id that is in use")
	}
	c.asks[a.id] = a
	return c.takeEarlyLocked(a.id), nil
}

// opened notes the end of a session/new; what came for sessions that nobody opened is dropped.
func (c *Client) opened() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.openedLocked()
}

func (c *Client) openedLocked() {
	c.opening--
	if c.opening > 0 {
		return
	}
	for _, it := range c.early {
		it.refuse()
	}
	c.early, c.earlyBytes = nil, 0
}

// forget takes an ask's sessions away.
func (c *Client) forget(a *ask) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, other := range c.asks {
		if other == a {
			delete(c.asks, id)
		}
	}
}
