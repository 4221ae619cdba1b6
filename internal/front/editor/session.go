package editor

import (
	"context"
	"fmt"
	"sync"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/internal/ui"
)

// open is one ACP session.
type open struct {
	ctx    context.Context // ends with the session
	stop   context.CancelFunc
	work   sync.WaitGroup // what goes on beside the turns
	server *server
	s      *engine.Session
	out    *updates
	listed chan struct{} // closed once the server has told its models, or hasn't in time

	greeting sync.Mutex // held while the client is greeted
	setting  sync.Mutex // held while a chosen model is put in place

	mu      sync.Mutex
	running *running // guarded by mu: the newest prompt
	closed  bool     // guarded by mu
	models  []string // of the server, nil until they are known; guarded by mu
	model   string   // the chosen one, "" for one whose name isn't known; guarded by mu
	title   string   // as the client knows it; the running prompt's
	left    []string // MCP servers that came with the session and can't be used; set before it begins
}

// running is a prompt at work, or one that waits for the one before it to end.
type running struct {
	cancel context.CancelFunc
	done   chan struct{}
	ses    *open
	before *running // guarded by the session's mu
}

// wait waits for the prompt before this one to be answered. Also a prompt that is refused waits: who
// waits for it means all before it as well.
func (r *running) wait() {
	r.ses.mu.Lock()
	before := r.before
	r.ses.mu.Unlock()
	if before == nil {
		return
	}
	<-before.done
	r.ses.mu.Lock()
	r.before = nil
	r.ses.mu.Unlock()
}

// end notes that the prompt has been answered.
func (r *running) end() {
	r.cancel()
	close(r.done)
}

// ended reports whether the prompt has been answered.
func (r *running) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

type runKey struct{}

// runOf returns what begin noted for a prompt.
func runOf(ctx context.Context) *running {
	r, _ := ctx.Value(runKey{}).(*running)
	return r
}

// newSession opens a session; begin starts it or goes on with a saved one.
func newSession(srv *server, client acp.ClientCapabilities, begin func(engine.SessionOptions) (*engine.Session, error)) (*open, error) {
	ses := &open{server: srv, listed: make(chan struct{})}
	ses.ctx, ses.stop = context.WithCancel(context.Background())
	ses.out = &updates{conn: srv.conn, client: client, log: srv.o.Log, person: !srv.e.Asked()}
	var err error
	o := engine.SessionOptions{Sink: ses.out, Asker: asker{ses}, Questioner: asker{ses}}
	if client.FS.ReadTextFile || client.FS.WriteTextFile {
		o.Files = files{ses: ses}
	}
	ses.s, err = begin(o)
	if err != nil {
		ses.stop()
		return nil, err
	}
	ses.out.session, ses.model = ses.s.ID, ses.s.Model().Name()
	return ses, nil
}

func (ses *open) id() string { return ses.s.ID }

// greet tells the client what it can do here, once it knows the session, and unless it has closed it
// by then.
func (ses *open) greet() {
	ses.greeting.Lock()
	defer ses.greeting.Unlock()
	ses.mu.Lock()
	closed := ses.closed
	ses.mu.Unlock()
	if closed {
		return
	}
	for _, name := range ses.left {
		ses.out.Emit(ui.Notice{Level: ui.Warning, Text: fmt.Sprintf(
			"[warning: MCP server %s: can't be used: SSE isn't supported — give its address as \"http\" if it speaks streamable HTTP]", name)})
	}
	if ses.server.e.Asked() {
		close(ses.listed) // nobody chooses
		return
	}
	var list acp.AvailableCommands
	for _, c := range ses.s.Commands() {
		cmd := acp.AvailableCommand{Name: c.Name, Description: c.Help}
		if c.Args != "" {
			cmd.Input = &acp.CommandInput{Hint: c.Args}
		}
		list.Commands = append(list.Commands, cmd)
	}
	ses.out.update(list)
	ses.listModels()
}

// begin notes a prompt in the order of arrival. One that comes during another cancels it, and runs
// when that has ended (supplement 12).
func (ses *open) begin(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	r := &running{cancel: cancel, done: make(chan struct{}), ses: ses}
	ses.mu.Lock()
	defer ses.mu.Unlock()
	r.before = ses.running
	ses.running = r
	if r.before != nil {
		r.before.cancel()
	}
	return context.WithValue(ctx, runKey{}, r)
}

// prompt runs a turn; the prompts before it have ended.
func (ses *open) prompt(ctx context.Context, p *content) (any, error) {
	ses.mu.Lock()
	closed := ses.closed
	ses.mu.Unlock()
	if closed {
		return nil, acp.UnknownSession(ses.id())
	}
	if ctx.Err() != nil {
		return acp.PromptResponse{StopReason: acp.StopCancelled}, nil
	}
	done := ses.do(ctx, p)
	ses.retitle()
	if done.Turn == nil {
		ses.follow()
	}
	return ses.answer(done)
}

// do carries out a prompt. What an asker sends is a task and never a command.
func (ses *open) do(ctx context.Context, p *content) engine.Done {
	if ses.server.e.Asked() {
		out := ses.s.Ask(ctx, p.text(), p.images...)
		return engine.Done{Turn: &out}
	}
	return ses.s.Do(ctx, p.text(), p.images...)
}

// answer is the response to a prompt. Failures cross ACP so that an asker can tell them apart
// (supplement 16).
func (ses *open) answer(d engine.Done) (any, error) {
	if d.Text != "" {
		ses.out.say(d.Text)
	}
	if d.Turn == nil {
		return acp.PromptResponse{StopReason: acp.StopEndTurn}, nil
	}
	f := d.Turn.Failure
	if d.Turn.Reason != turn.StopError || f == nil {
		return acp.PromptResponse{StopReason: acp.StopReason(d.Turn.Reason)}, nil
	}
	if f.Where == turn.InAsk || f.Where == turn.InHook || f.Cause == turn.NoImages {
		// A user's own ask: its text is the answer. And an image for a model that takes none, which
		// could be known only now: images were offered, so this is no error of the client.
		ses.out.say(f.Message)
		return acp.PromptResponse{StopReason: acp.StopEndTurn}, nil
	}
	return nil, acp.TurnFailed(code(f.Cause), string(f.Where), f.Message)
}

func code(c turn.Cause) int64 {
	switch c {
	case turn.Silence:
		return acp.CodeWatchdog
	case turn.Looping:
		return acp.CodeLoop
	case turn.EmptyTurn:
		return acp.CodeEmptyTurn
	case turn.BadStructure:
		return acp.CodeStructuredOutput
	}
	return acp.CodeModel
}

// cancel cancels the running prompt and those that wait behind it.
func (ses *open) cancel() {
	ses.mu.Lock()
	defer ses.mu.Unlock()
	for r := ses.running; r != nil; r = r.before {
		r.cancel()
	}
}

// close waits for the last turn and ends the session.
func (ses *open) close() {
	ses.mu.Lock()
	ses.closed = true
	last := ses.running
	ses.mu.Unlock()
	if last != nil {
		<-last.done
	}
	ses.greeting.Lock() // nothing is said of a session after its end
	ses.stop()
	ses.greeting.Unlock()
	ses.work.Wait()
	ses.s.Close()
}
