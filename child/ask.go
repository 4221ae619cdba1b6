package child

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// Task is one thing to do, in a session of its own.
type Task struct {
	Cwd  string // absolute
	Text string
	// Begun is emitted once the agent has a session for the task, with Ask filled in.
	Begun ui.AskStarted
	// StopAfter is how long the agent may take to follow a cancel before it is killed.
	StopAfter time.Duration
}

// Done is how a task ended.
type Done struct {
	// Text is what was written after the last tool call, or all that was written if that is empty.
	Text string
	// StopReason is ACP's; "" when the turn failed.
	StopReason string
	// Ask is the task's id in events, "" when the agent never got to work.
	Ask string
}

// TurnError is an error response to session/prompt.
type TurnError struct {
	Code    int64
	Where   string // the part that failed, where the agent tells (mm does)
	Message string
}

// Error is the message without the brackets of mm's own texts.
func (e *TurnError) Error() string {
	return strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(e.Message, "["), "]"), "error: ")
}

// maxAnswer bounds the text that is kept of one ask, in bytes.
const maxAnswer = 8 << 20

// ask is a task at work.
type ask struct {
	c      *Client
	task   Task
	host   ui.Host
	caller context.Context // the asker's: its end cancels
	ctx    context.Context // also ended with the ask
	id     string          // the session's
	items  chan item
	over   chan struct{} // closed when no more items are taken

	agents map[string]string       // path of each session's agent, by session id
	calls  map[string]*ui.ToolCall // by session and call id
	passed map[string]bool         // calls that passed the asker's gate
	text   []byte
	last   int // where in text the part after the last tool call begins

	work  sync.WaitGroup // the prompt and decisions under way: they end with ctx
	after sync.WaitGroup // postToolCall hooks under way: they are waited for
}

// Ask gives the agent a task and passes on what happens until its turn has ended. Cancelling ctx
// cancels the turn; an agent that doesn't follow within StopAfter is killed. The Done holds what
// was said in any case.
func (c *Client) Ask(ctx context.Context, t Task, host ui.Host) (Done, error) {
	a := &ask{c: c, task: t, host: host, items: make(chan item, 64), over: make(chan struct{}),
		caller: ctx, agents: map[string]string{}, calls: map[string]*ui.ToolCall{}, passed: map[string]bool{}}
	var stop context.CancelFunc
	a.ctx, stop = context.WithCancel(ctx)
	defer a.work.Wait()
	defer stop()
	defer a.after.Wait()
	early, err := a.open(ctx)
	if err != nil {
		return Done{}, c.why(err)
	}
	defer c.release(a)
	finished := make(chan struct{})
	defer close(finished)
	defer context.AfterFunc(ctx, func() { a.cancel(finished) })()
	begun := t.Begun
	begun.Ask = a.ask(a.id)
	host.Emit(begun)
	for _, it := range early {
		a.take(it)
	}
	resp, err := a.run()
	if err != nil {
		return a.done(""), c.why(turnError(err))
	}
	return a.done(string(resp.StopReason)), nil
}

// open makes the session.
func (a *ask) open(ctx context.Context) ([]item, error) {
	c := a.c
	c.mu.Lock()
	c.opening++
	c.mu.Unlock()
	defer c.opened()
	var s acp.NewSessionResponse
	if err := c.conn.Call(ctx, acp.MethodNewSession, acp.NewSessionRequest{Cwd: a.task.Cwd}, &s); err != nil {
		if acp.ErrorCode(err) == acp.CodeAuthRequired {
			return nil, fmt.Errorf("needs a login: run `%s` once in a terminal (%s)", c.cmd.shellName(), turnError(err))
		}
		return nil, turnError(err)
	}
	if s.SessionID == "" {
		return nil, errors.New("answered session/new without a session id")
	}
	a.id = s.SessionID
	a.agents[a.id] = c.cmd.Name
	return c.adopt(a.id, a), nil
}

// run sends the prompt and passes on what comes until its answer has arrived and everything before
// it was passed on.
func (a *ask) run() (acp.PromptResponse, error) {
	var resp acp.PromptResponse
	answered := make(chan error, 1)
	a.work.Go(func() {
		// The answer is waited for also after a cancel; a dead agent ends the call.
		answered <- a.c.conn.Call(context.WithoutCancel(a.ctx), acp.MethodPrompt,
			acp.PromptRequest{SessionID: a.id, Prompt: []acp.ContentBlock{acp.Text(a.task.Text)}}, &resp)
	})
	for {
		select {
		case it := <-a.items:
			a.take(it)
		case err := <-answered:
			a.drain()
			return resp, err
		}
	}
}

// drain takes what the read loop had handed over before the answer.
func (a *ask) drain() {
	for {
		select {
		case it := <-a.items:
			a.take(it)
		default:
			close(a.over)
			return
		}
	}
}

// cancel tells the agent to stop, and kills it when it doesn't in time.
func (a *ask) cancel(finished <-chan struct{}) {
	limit, done := context.WithTimeout(context.WithoutCancel(a.ctx), a.task.StopAfter)
	defer done()
	if err := a.c.conn.Notify(limit, acp.MethodCancel, acp.SessionRequest{SessionID: a.id}); err != nil {
		a.c.cmd.Log("cancelling %s: %v", a.c.cmd.Name, err)
	}
	select {
	case <-finished:
	case <-a.c.conn.Done():
	case <-limit.Done():
		a.c.cmd.Log("%s did not follow a cancel within %v and is killed", a.c.cmd.Name, a.task.StopAfter)
		a.c.kill()
	}
}

// closeWait is how long the answer to session/close is waited for, beside the next work.
const closeWait = 5 * time.Second

// release ends the session, so that a long-lived agent doesn't keep it.
func (c *Client) release(a *ask) {
	c.forget(a)
	if c.info.AgentCapabilities.SessionCapabilities.Close == nil || !c.Alive() {
		return
	}
	c.background.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeWait)
		defer cancel()
		_ = c.conn.Call(ctx, acp.MethodCloseSession, acp.SessionRequest{SessionID: a.id}, nil)
	})
}

func (a *ask) done(reason string) Done {
	text := a.text[a.last:]
	if len(strings.TrimSpace(string(text))) == 0 {
		text = a.text
	}
	return Done{Text: string(text), StopReason: reason, Ask: a.ask(a.id)}
}

// ask is the id of a session's task among the events of the asker.
func (a *ask) ask(session string) string { return a.c.cmd.Name + "/" + session }

// turnError makes a TurnError of an error response; other errors stay.
func turnError(err error) error {
	e, ok := errors.AsType[*acp.Error](err)
	if !ok {
		return err
	}
	t := &TurnError{Code: e.Code, Message: e.Message}
	if e.Data != nil {
		var data struct {
			Where string `json:"where"`
		}
		if json.Unmarshal(*e.Data, &data) == nil {
			t.Where = data.Where
		}
	}
	return t
}

// take passes one item on.
func (a *ask) take(it item) {
	if it.permission != nil {
		a.decide(it.permission)
		return
	}
	if it.elicit != nil {
		a.question(it.elicit)
		return
	}
	a.host.Alive()
	a.pass(it.update)
}

// decide answers a permission request beside the work: the asker's gate decides.
func (a *ask) decide(p *permission) {
	t := a.announce(p.req)
	a.work.Go(func() {
		ctx, cancel := context.WithCancel(p.ctx)
		defer cancel()
		defer context.AfterFunc(a.ctx, cancel)()
		d := a.host.Decide(ctx, consent.Request{Call: t.Call, Asks: consent.UnlessYolo})
		switch {
		case d.Cancelled:
			p.reply <- acp.PermissionCancelled()
		case d.Allow:
			a.note(t.ID)
			p.reply <- choose(p.req.Options, true, "")
		case d.By == consent.ByHook:
			p.reply <- choose(p.req.Options, false, "denied by a hook: "+d.Reason)
		default:
			p.reply <- choose(p.req.Options, false, "")
		}
	})
}

// choose answers with the option that means once and has the wanted sign, else the closest one of
// the same sign. An agent that offers none is refused by "cancelled".
func choose(options []acp.PermissionOption, allow bool, reason string) acp.RequestPermissionResponse {
	want := []acp.OptionKind{acp.RejectOnce, acp.RejectAlways}
	if allow {
		want = []acp.OptionKind{acp.AllowOnce, acp.AllowAlways}
	}
	r := acp.PermissionCancelled()
	for _, kind := range want {
		if o, ok := find(options, kind); ok {
			r = acp.Selected(o.OptionID)
			break
		}
	}
	if reason != "" {
		r.Meta = acp.MetaOf(acp.MetaKey, acp.RejectionMeta{Reason: reason})
	}
	return r
}

func find(options []acp.PermissionOption, kind acp.OptionKind) (acp.PermissionOption, bool) {
	for _, o := range options {
		if o.Kind == kind {
			return o, true
		}
	}
	return acp.PermissionOption{}, false
}
