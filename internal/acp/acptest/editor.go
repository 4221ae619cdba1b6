package acptest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/mini-me/mm/internal/acp"
)

// Options are the choices of an Editor. The zero Options are those of an editor that announces
// nothing and allows every call once.
type Options struct {
	// Capabilities is what the editor announces. What it didn't announce it also complains about.
	Capabilities acp.ClientCapabilities
	// Permission answers a permission request; nil chooses the first option that allows once. It
	// runs in a goroutine of its own and may block; ctx ends with the request.
	Permission func(ctx context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse
	// Elicit answers an elicitation; nil declines.
	Elicit func(ctx context.Context, r acp.ElicitRequest) acp.ElicitResponse
	// Serve answers what else the agent asks for (fs, terminal, methods of its own); nil refuses.
	Serve func(ctx context.Context, method string, params json.RawMessage) (any, error)
	// OnUpdate is called for each update, in order, in the reading goroutine. It may be nil; one that
	// blocks is an editor that doesn't read.
	OnUpdate func(acp.SessionUpdate)
	// Foreign is for agents other than mm: what only mm promises isn't asked of them.
	Foreign bool
}

// Editor is a client for tests: strict, and with a memory.
type Editor struct {
	Conn    *acp.Conn
	Checker *Checker

	t testing.TB
	o Options

	mu      sync.Mutex
	updates []acp.SessionUpdate            // guarded by mu
	asked   []acp.RequestPermissionRequest // guarded by mu
	changed chan struct{}                  // closed and replaced when something came; guarded by mu
}

// Connect makes an Editor of the ends of two pipes. closer closes both; that must end a Read.
func Connect(t testing.TB, r io.Reader, w io.Writer, closer func() error, o Options) *Editor {
	t.Helper()
	e := connect(t, r, w, closer, o)
	t.Cleanup(func() {
		if err := e.Conn.Close(); err != nil {
			t.Errorf("acptest: %v", err)
		}
		e.Conn.Wait()
	})
	return e
}

func connect(t testing.TB, r io.Reader, w io.Writer, closer func() error, o Options) *Editor {
	t.Helper()
	e := &Editor{Checker: NewChecker(t), t: t, o: o, changed: make(chan struct{})}
	e.Checker.Foreign = o.Foreign
	r, w = e.Checker.Tap(r, w, false)
	e.Conn = acp.NewConn(r, w, closer, e, acp.Options{Side: acp.Client})
	return e
}

// Initialize opens the connection. An error ends the test.
func (e *Editor) Initialize(ctx context.Context) acp.InitializeResponse {
	e.t.Helper()
	var res acp.InitializeResponse
	e.must(e.Conn.Call(ctx, acp.MethodInitialize, acp.InitializeRequest{
		ProtocolVersion:    acp.Version,
		ClientCapabilities: e.o.Capabilities,
		ClientInfo:         &acp.Implementation{Name: "acptest", Version: "1"},
	}, &res))
	if res.ProtocolVersion != acp.Version {
		e.t.Errorf("acptest: initialize answered version %d", res.ProtocolVersion)
	}
	return res
}

// NewSession begins a session in a folder. An error ends the test.
func (e *Editor) NewSession(ctx context.Context, cwd string) acp.NewSessionResponse {
	e.t.Helper()
	var res acp.NewSessionResponse
	e.must(e.Conn.Call(ctx, acp.MethodNewSession, acp.NewSessionRequest{Cwd: cwd}, &res))
	return res
}

// LoadSession goes on with a saved session, with a replay, or without one (session/resume).
func (e *Editor) LoadSession(ctx context.Context, id, cwd string, replay bool) acp.LoadSessionResponse {
	e.t.Helper()
	method := acp.MethodResumeSession
	if replay {
		method = acp.MethodLoadSession
	}
	var res acp.LoadSessionResponse
	e.must(e.Conn.Call(ctx, method, acp.LoadSessionRequest{SessionID: id, Cwd: cwd}, &res))
	return res
}

// Turn is what a prompt brought.
type Turn struct {
	StopReason acp.StopReason
	Text       string              // of the agent's messages
	Thought    string              // of its thoughts
	Updates    []acp.SessionUpdate // of all sessions, from the prompt to its answer
}

// Prompt asks in a session and waits for the turn's end. A turn that fails returns the error
// response, with what came before it.
func (e *Editor) Prompt(ctx context.Context, session, text string) (Turn, error) {
	return e.PromptBlocks(ctx, session, acp.Text(text))
}

// PromptBlocks is Prompt with content of any kind.
func (e *Editor) PromptBlocks(ctx context.Context, session string, blocks ...acp.ContentBlock) (Turn, error) {
	e.mu.Lock()
	from := len(e.updates)
	e.mu.Unlock()
	var res acp.PromptResponse
	err := e.Conn.Call(ctx, acp.MethodPrompt, acp.PromptRequest{SessionID: session, Prompt: blocks}, &res)
	e.mu.Lock()
	defer e.mu.Unlock()
	turn := Turn{StopReason: res.StopReason, Updates: append([]acp.SessionUpdate(nil), e.updates[from:]...)}
	for _, u := range turn.Updates {
		if c, chunkErr := u.Chunk(); u.SessionID == session && u.IsChunk() && chunkErr == nil {
			switch u.Kind {
			case acp.UpdateAgentMessage:
				turn.Text += c.Content.Text
			case acp.UpdateAgentThought:
				turn.Thought += c.Content.Text
			}
		}
	}
	return turn, err
}

// Cancel cancels what runs in a session.
func (e *Editor) Cancel(ctx context.Context, session string) {
	e.t.Helper()
	e.must(e.Conn.Notify(ctx, acp.MethodCancel, acp.SessionRequest{SessionID: session}))
}

// CloseSession closes a session.
func (e *Editor) CloseSession(ctx context.Context, session string) {
	e.t.Helper()
	e.must(e.Conn.Call(ctx, acp.MethodCloseSession, acp.SessionRequest{SessionID: session}, nil))
}

// Updates returns the updates of a session so far; of all sessions for "".
func (e *Editor) Updates(session string) []acp.SessionUpdate {
	e.mu.Lock()
	defer e.mu.Unlock()
	var us []acp.SessionUpdate
	for _, u := range e.updates {
		if session == "" || u.SessionID == session {
			us = append(us, u)
		}
	}
	return us
}

// Asked returns the permission requests so far.
func (e *Editor) Asked() []acp.RequestPermissionRequest {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]acp.RequestPermissionRequest(nil), e.asked...)
}

// WaitUpdate waits until an update, of those that came before or later, satisfies f. When ctx ends
// first it ends the test.
func (e *Editor) WaitUpdate(ctx context.Context, f func(acp.SessionUpdate) bool) acp.SessionUpdate {
	e.t.Helper()
	for seen := 0; ; {
		e.mu.Lock()
		updates, changed := e.updates, e.changed
		e.mu.Unlock()
		for ; seen < len(updates); seen++ {
			if f(updates[seen]) {
				return updates[seen]
			}
		}
		e.wait(ctx, changed, "update")
	}
}

// WaitAsked waits until n permission requests have come and returns the n-th, counted from 1.
func (e *Editor) WaitAsked(ctx context.Context, n int) acp.RequestPermissionRequest {
	e.t.Helper()
	for {
		e.mu.Lock()
		asked, changed := e.asked, e.changed
		e.mu.Unlock()
		if len(asked) >= n {
			return asked[n-1]
		}
		e.wait(ctx, changed, "permission request")
	}
}

func (e *Editor) wait(ctx context.Context, changed chan struct{}, what string) {
	e.t.Helper()
	select {
	case <-changed:
	case <-e.Conn.Done():
		e.t.Fatalf("acptest: the connection ended before the awaited %s: %v", what, e.Conn.Err())
	case <-ctx.Done():
		e.t.Fatalf("acptest: the awaited %s didn't come: %v", what, ctx.Err())
	}
}

func (e *Editor) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatalf("acptest: %v", err)
	}
}

// Notification takes the agent's updates.
func (e *Editor) Notification(method string, params json.RawMessage) {
	if method != acp.MethodUpdate {
		return
	}
	u, err := acp.ParseUpdate(params)
	if err != nil {
		return // the Checker has said so
	}
	e.mu.Lock()
	e.updates = append(e.updates, u)
	e.changedLocked()
	e.mu.Unlock()
	if e.o.OnUpdate != nil {
		e.o.OnUpdate(u)
	}
}

func (e *Editor) changedLocked() {
	close(e.changed)
	e.changed = make(chan struct{})
}

// Request serves what the agent asks for.
func (e *Editor) Request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case acp.MethodRequestPermission:
		return e.permission(ctx, params)
	case acp.MethodElicit:
		var r acp.ElicitRequest
		if err := acp.DecodeParams(params, &r); err != nil {
			return nil, err
		}
		if e.o.Elicit == nil {
			return acp.ElicitResponse{Action: acp.ElicitDecline}, nil
		}
		return e.o.Elicit(ctx, r), nil
	}
	if e.o.Serve == nil {
		return nil, acp.MethodNotFound(method)
	}
	return e.o.Serve(ctx, method, params)
}

func (e *Editor) permission(ctx context.Context, params json.RawMessage) (any, error) {
	var r acp.RequestPermissionRequest
	if err := acp.DecodeParams(params, &r); err != nil {
		return nil, err
	}
	e.mu.Lock()
	e.asked = append(e.asked, r)
	e.changedLocked()
	e.mu.Unlock()
	if e.o.Permission == nil {
		return Choose(r, acp.AllowOnce), nil
	}
	return e.o.Permission(ctx, r), nil
}

// Choose answers by the first option of a kind, by cancelled when there is none.
func Choose(r acp.RequestPermissionRequest, kind acp.OptionKind) acp.RequestPermissionResponse {
	for _, o := range r.Options {
		if o.Kind == kind {
			return acp.Selected(o.OptionID)
		}
	}
	return acp.PermissionCancelled()
}

// ErrorOf returns the error response that a call ended with and fails the test when it ended
// otherwise.
func (e *Editor) ErrorOf(err error) *acp.Error {
	e.t.Helper()
	res, ok := errors.AsType[*acp.Error](err)
	if !ok {
		e.t.Fatalf("acptest: want an error response, got %v", err)
	}
	return res
}
