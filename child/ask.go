package child

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// Task is one thing to do, in a session of its own.
type Task struct {
	Cwd  string   // absolute
	Dirs []string // further folders, absolute
	Text string
	// Files is where an mm reads and writes; nil is the disk.
	Files ui.FileSystem
	// Parent is the asker's session, for the agent's session file.
	Parent string
	// Number tells the asker's tasks apart in events, whatever ids their agents give: some begin with
	// "1" in each session.
	Number int64
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

// Empty reports whether the turn failed because the model answered nothing.
func (e *TurnError) Empty() bool { return e.Code == acp.CodeEmptyTurn }

// Error is the message without the brackets of mm's own texts.
func (e *TurnError) Error() string {
	return strings.TrimPrefix(strings.TrimSuffix(strings.TrimPrefix(e.Message, "["), "]"), "error: ")
}

// ask is a task at work.
type ask struct {
	c      *Client
	task   Task
	host   ui.Host
	caller context.Context    // the asker's: its end cancels
	turn   context.Context    // ends when the prompt was answered
	over   context.CancelFunc // of turn
	told   chan struct{}      // closed once the agent was told of a cancel
	id     string             // the session's
	inbox  *inbox
	prompt atomic.Pointer[acp.Pending] // nil before it was sent

	agents map[string]string       // path of each session's agent, by session id
	subs   map[string]ui.AskEnded  // agents below that work, by session id: how their end is told
	calls  map[string]*ui.ToolCall // that have not ended, by session and call id
	asked  map[string]*asked       // about which the gate is asked, by session and call id
	order  []string                // of calls, oldest first; may hold some that have ended
	past   map[string]int          // how many calls of an id have ended
	passed map[string]bool         // calls that passed the asker's gate
	spoken map[string]message      // the last message without an id, by session id
	answer answer

	settled chan string // calls about which the gate has answered, for the ask's own goroutine

	work  sync.WaitGroup // the prompt, its cancel and decisions under way: they end with turn
	after sync.WaitGroup // postToolCall hooks under way: they are waited for
}

// Ask gives the agent a task and passes on what happens until its turn has ended. Cancelling ctx
// cancels the turn; an agent that doesn't follow within StopAfter is killed. The Done holds what
// was said in any case.
func (c *Client) Ask(ctx context.Context, t Task, host ui.Host) (Done, error) {
	a := &ask{c: c, task: t, host: host, caller: ctx, told: make(chan struct{}), inbox: newInbox(c),
		agents: map[string]string{}, subs: map[string]ui.AskEnded{}, calls: map[string]*ui.ToolCall{}, asked: map[string]*asked{}, settled: make(chan string), past: map[string]int{}, passed: map[string]bool{}, spoken: map[string]message{}}
	a.turn, a.over = context.WithCancel(context.WithoutCancel(ctx))
	defer a.work.Wait()
	defer a.over()
	defer a.after.Wait()
	early, err := a.open()
	if err != nil {
		return Done{}, c.why(err)
	}
	defer c.release(a)
	begun := t.Begun
	begun.Ask, begun.Session = a.ask(a.id), a.id
	host.Emit(begun)
	resp, err := a.run(early)
	a.over()
	a.work.Wait() // what was asked of the person is off the screen
	a.withdrawn()
	if err != nil {
		err = c.why(c.loginError(err))
		a.leave(a.c.cmd.Name + " " + err.Error())
		return a.done(""), err
	}
	a.leave(a.c.cmd.Name + " ended its turn first")
	return a.done(string(resp.StopReason)), nil
}

// run sends the prompt and passes on what comes until its answer has arrived and everything before
// it was passed on.
func (a *ask) run(early []item) (acp.PromptResponse, error) {
	var resp acp.PromptResponse
	prompt, err := a.c.conn.Send(a.caller, acp.MethodPrompt,
		acp.PromptRequest{SessionID: a.id, Prompt: []acp.ContentBlock{acp.Text(a.task.Text)}})
	if err != nil {
		a.drain(early...)
		return resp, err
	}
	a.prompt.Store(prompt)
	defer a.cancelled(a.follow)()
	answered := make(chan error, 1)
	a.work.Go(func() {
		// The answer is waited for also after a cancel; a dead agent ends the call.
		answered <- prompt.Wait(context.Background(), &resp)
		a.over()
	})
	for _, it := range early {
		a.take(it)
	}
	for {
		select {
		case it := <-a.inbox.items:
			a.take(*it)
			a.inbox.free(*it)
		case key := <-a.settled:
			a.decided(key)
		case err := <-answered:
			a.drain()
			return resp, err
		}
	}
}

// ended reports whether the prompt's answer has been read.
func (a *ask) ended() bool {
	p := a.prompt.Load()
	return p != nil && p.Answered()
}

// drain takes what the read loop had handed over before the answer, behind what came before the session
// was known where that wasn't taken yet. What asks for something by then is refused: the agent's turn is over.
func (a *ask) drain(early ...item) {
	for _, it := range append(early, a.inbox.close()...) {
		if !it.refuse() {
			a.take(it)
		}
	}
}

// cancelled runs f beside the work once the asker cancels. The returned function makes sure that f runs
// no more, or will end with the turn.
func (a *ask) cancelled(f func()) (stop func()) {
	a.work.Add(1)
	stopped := context.AfterFunc(a.caller, func() {
		defer a.work.Done()
		f()
	})
	return func() {
		if stopped() {
			a.work.Done()
		}
	}
}

// follow cancels the agent's turn, since the asker's has ended, and kills an agent that doesn't follow.
// While our own front end takes nothing the agent can't be heard: that time doesn't count.
func (a *ask) follow() {
	if a.turn.Err() != nil {
		return
	}
	a.work.Go(func() {
		a.tell()
		close(a.told)
	})
	if _, ended := await(&a.c.slow, a.task.StopAfter, a.turn.Done()); !ended {
		a.c.kill(fmt.Sprintf("did not follow a cancel within %v and was killed", a.task.StopAfter))
	}
}

// tell sends session/cancel. An agent that doesn't read holds it up no longer than it may live.
func (a *ask) tell() {
	ctx, cancel := context.WithTimeout(a.turn, a.task.StopAfter)
	defer cancel()
	err := a.c.conn.Notify(ctx, acp.MethodCancel, acp.SessionRequest{SessionID: a.id})
	if err != nil && a.turn.Err() == nil && !errors.Is(err, acp.ErrClosed) {
		a.c.cmd.Log("cancelling %s: %v", a.c.cmd.Name, err)
	}
}

func (a *ask) done(reason string) Done {
	return Done{Text: a.answer.String(), StopReason: reason, Ask: a.ask(a.id)}
}

// ask is the id of a session's task among the events of the asker.
func (a *ask) ask(session string) string {
	return fmt.Sprintf("%s/%s#%d", a.c.cmd.Name, session, a.task.Number)
}

// take passes one item on. What asks for something is refused once the turn is over; Accept knows it
// already, but for what comes while the prompt's own Send is still returning.
func (a *ask) take(it item) {
	if (a.turn.Err() != nil || a.ended()) && it.refuse() {
		return
	}
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

// decide answers a permission request beside the work: the asker's gate decides. After a cancel the
// answer waits until the agent was told of it: "cancelled" alone would only refuse this call.
func (a *ask) decide(p *permission) {
	t := a.announce(p.req)
	a.submitted(t)
	key := a.key(p.req.SessionID, p.req.ToolCall.ToolCallID)
	a.questioned(key)
	a.work.Go(func() {
		defer func() {
			select {
			case a.settled <- key:
			case <-a.turn.Done():
			}
		}()
		ctx, done := a.whileAsked(p.ctx)
		defer done()
		d := a.host.Decide(ctx, consent.Request{Call: t.Call, Asks: consent.UnlessYolo, Impossible: a.impossible(p.req.Options)})
		switch {
		case d.Cancelled:
			a.afterTold(p.ctx)
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

// whileAsked is a context for what the agent asks of the asker's user: it ends when the asker
// cancels, when the agent gives the request up or dies, and when the agent's turn is over. It comes
// of the asker's, so that a cancel ends all of them at once: none is shown because one before it went.
func (a *ask) whileAsked(request context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(a.caller)
	given := context.AfterFunc(request, cancel)
	over := context.AfterFunc(a.turn, cancel)
	return ctx, func() { given(); over(); cancel() }
}

// afterTold waits, after a cancel, until the agent was told of it.
func (a *ask) afterTold(request context.Context) {
	if a.caller.Err() == nil {
		return
	}
	select {
	case <-a.told:
	case <-a.turn.Done():
	case <-request.Done():
	}
}

// impossible says why no answer can allow a call, "" where one can.
func (a *ask) impossible(options []acp.PermissionOption) string {
	for _, kind := range allowing {
		if _, ok := find(options, kind); ok {
			return ""
		}
	}
	return a.c.cmd.Name + " offered no way to allow it"
}

// The kinds of options that allow and that reject, what means once first.
var (
	allowing  = [...]acp.OptionKind{acp.AllowOnce, acp.AllowAlways}
	rejecting = [...]acp.OptionKind{acp.RejectOnce, acp.RejectAlways}
)

// choose answers with the option that means once and has the wanted sign, else the closest one of
// the same sign. An agent that offers none is refused by "cancelled".
func choose(options []acp.PermissionOption, allow bool, reason string) acp.RequestPermissionResponse {
	want := rejecting
	if allow {
		want = allowing
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
