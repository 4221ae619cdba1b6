// Package orchestrator is the Supervisor: the named agents of an agent file, each a child process
// that is started at its first ask (or ahead of it, Prewarm) and reused after.
//
// An ask goes: the name and the depth are checked, preAsk hooks run, the context is put before the
// prompt, the child works (its updates and permission requests go to the Host that the asking
// conversation lends), postAsk hooks run. Asks may run side by side, to different agents or to the
// same one.
package orchestrator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mini-me/mm/child"
	"github.com/mini-me/mm/internal/ui"
)

// MaxDepth is how deep agents are asked: the agent that a user started is at depth 0.
const MaxDepth = 2

// Names of internal types that callers outside this module need.
type (
	// Ask is a task for a named agent.
	Ask = ui.Ask
	// Workplace is where an asked agent works.
	Workplace = ui.Workplace
	// FileSystem is where it reads and writes.
	FileSystem = ui.FileSystem
	// Said is one entry of a conversation sent before a task.
	Said = ui.Said
	// Answer is what came of an Ask.
	Answer = ui.Answer
	// Host is what an asking conversation lends to an ask.
	Host = ui.Host
	// Event is something that happens during an ask.
	Event = ui.Event
)

// Agent is a named agent that can be asked.
type Agent struct {
	Name string
	Role string // its description, "(no description)" when it has none
	// Title, Provider and Model are from its file; "" when they aren't known.
	Title, Provider, Model string
	// Server tells its model's server from others; "" when that isn't known.
	Server string
	// Yolo is the yolo of its entry, nil when none is set.
	Yolo *bool
	// Command starts it.
	Command child.Command
	// Timeout bounds a whole ask, without the time that a human takes; 0 means none.
	Timeout time.Duration
	// Prewarm has Supervisor.Prewarm start it.
	Prewarm bool
	// Skips says that it is known to act without asking.
	Skips bool
	// Broken is why its file can't be used, "" when it can.
	Broken string
}

// Hooks run around an ask (preAsk, postAsk).
type Hooks interface {
	// Guards reports whether PostAsk has hooks for the agent: its words are kept back until then.
	Guards(agent string) bool
	// PreAsk may deny the ask or replace its prompt.
	PreAsk(ctx context.Context, a Ask) HookResult
	// PostAsk may withhold or replace the answer.
	PostAsk(ctx context.Context, a Ask, answer string) HookResult
}

// HookResult is what hooks say of an ask. The zero value goes on.
type HookResult struct {
	Deny     bool
	Reason   string
	Replaced bool
	Text     string // the new prompt or answer when Replaced
	Context  string
	Warnings []string // lines for the person
}

// Options configure a Supervisor.
type Options struct {
	Agents []Agent
	// Depth is this process's own depth (MM_ASK_DEPTH).
	Depth int
	// Hooks may be nil.
	Hooks Hooks
	// MaxContext bounds the context sent before a prompt, in characters.
	MaxContext int
	// StopAfter is how long a cancelled child may take before it is killed. When 0, it is 5 s, and a
	// second less for each asker above: who asks us gives us no longer to end our own.
	StopAfter time.Duration
	// Spare reports whether the machine has memory for one more agent that nobody has asked yet; nil
	// means yes.
	Spare func() bool
}

// Supervisor asks named agents. Close ends all of them.
type Supervisor struct {
	o      Options
	names  []string
	agents map[string]*agent

	ctx    context.Context // ends with Stop
	end    context.CancelFunc
	stop   sync.Once
	warm   sync.Once
	queue  queue
	asks   atomic.Int64   // how many have begun
	mu     sync.Mutex     // held while ctx ends and while Prewarm begins
	ending sync.WaitGroup // the ends of children, and Prewarm
}

// New returns a Supervisor. No process is started before the first ask, or Prewarm.
func New(o Options) *Supervisor {
	if o.StopAfter == 0 {
		o.StopAfter = max(5*time.Second-time.Duration(o.Depth)*time.Second, time.Second)
	}
	s := &Supervisor{o: o, agents: map[string]*agent{}, queue: queue{after: queueAfter}}
	s.ctx, s.end = context.WithCancel(context.Background())
	for _, a := range o.Agents {
		s.names = append(s.names, a.Name)
		s.agents[a.Name] = newAgent(a)
	}
	slices.Sort(s.names)
	return s
}

// Names lists the agents that can be asked, sorted.
func (s *Supervisor) Names() []string { return s.names }

// Agents lists the agents, sorted by name.
func (s *Supervisor) Agents() []Agent {
	out := make([]Agent, len(s.names))
	for i, n := range s.names {
		out[i] = s.agents[n].Agent
	}
	return out
}

// Lookup returns the agent of exactly that name: names are never guessed.
func (s *Supervisor) Lookup(name string) (Agent, bool) {
	a, ok := s.agents[name]
	if !ok {
		return Agent{}, false
	}
	return a.Agent, true
}

// Ask gives a task to an agent and waits for its answer. Ordinary failures are in the answer.
func (s *Supervisor) Ask(ctx context.Context, a Ask, host Host) Answer {
	ag, ok := s.agents[a.Agent]
	switch {
	case !ok:
		return Answer{Code: ui.AskUnknown, Reason: fmt.Sprintf("unknown agent %q — agents: %s", a.Agent, strings.Join(s.names, ", "))}
	case s.o.Depth >= MaxDepth:
		return Answer{Code: ui.AskFailed, Reason: fmt.Sprintf("agents are asked two levels deep at most (MM_ASK_DEPTH=%d)", s.o.Depth)}
	}
	pre := s.pre(ctx, &a, host)
	if pre.Deny {
		return Answer{Code: ui.AskDenied, Denied: pre.Reason, Context: pre.Context}
	}
	answer := s.checked(ctx, ag, a, host)
	answer.Context = strings.TrimSpace(pre.Context + "\n" + answer.Context)
	return answer
}

// checked lets the agent work and the postAsk hooks judge its answer.
func (s *Supervisor) checked(ctx context.Context, ag *agent, a Ask, host Host) Answer {
	var back *withheld
	if s.o.Hooks != nil && s.o.Hooks.Guards(a.Agent) {
		back = &withheld{Host: host, agent: a.Agent}
		host = back
	}
	answer, ended := s.work(ctx, ag, a, host)
	if answer.Text != "" || answer.Code == ui.Answered {
		s.post(ctx, a, &answer, host)
	}
	if back != nil {
		if ctx.Err() != nil {
			answer.Text = "" // the hooks haven't seen it
		}
		back.release(answer.Text)
	}
	if ended.Ask != "" {
		ended.Answer, ended.Reason = answer.Text, answer.Reason
		host.Emit(ended)
	}
	return answer
}

func (s *Supervisor) pre(ctx context.Context, a *Ask, host Host) HookResult {
	if s.o.Hooks == nil {
		return HookResult{}
	}
	r := s.o.Hooks.PreAsk(ctx, *a)
	warn(host, r.Warnings)
	if r.Replaced {
		a.Prompt = r.Text
	}
	return r
}

func warn(host Host, lines []string) {
	for _, l := range lines {
		host.Emit(ui.Notice{Level: ui.Warning, Text: "[warning: " + l + "]"})
	}
}

func (s *Supervisor) post(ctx context.Context, a Ask, answer *Answer, host Host) {
	if s.o.Hooks == nil || ctx.Err() != nil {
		return
	}
	r := s.o.Hooks.PostAsk(ctx, a, answer.Text)
	warn(host, r.Warnings)
	answer.Context = r.Context
	switch {
	case r.Deny:
		*answer = Answer{Code: ui.AskDenied, Denied: r.Reason, Context: r.Context, Started: true}
	case r.Replaced:
		answer.Text, answer.Replaced = r.Text, true
		switch empty := strings.TrimSpace(r.Text) == ""; {
		case empty && answer.Code == ui.Answered:
			answer.Code = ui.AskNoAnswer
		case !empty && answer.Code == ui.AskNoAnswer:
			answer.Code, answer.Reason = ui.Answered, ""
		}
	}
}

// work lets the agent's child do the task. The event says that it has ended; its Ask is "" when the
// agent never got to work.
func (s *Supervisor) work(ctx context.Context, ag *agent, a Ask, host Host) (Answer, ui.AskEnded) {
	if ag.Broken != "" {
		return Answer{Code: ui.AskBadFile, Reason: ag.Broken}, ui.AskEnded{}
	}
	limit := newLimit(ctx, ag.Timeout)
	defer limit.stop()
	defer context.AfterFunc(s.ctx, func() { limit.cancel(nil) })()
	client, err := ag.start(limit.ctx)
	if err != nil {
		return s.failed(limit, err), ui.AskEnded{}
	}
	place := s.queue.enter(ag.Agent, limit.host(host))
	defer place.leave()
	done, err := client.Ask(limit.ctx, child.Task{
		Cwd: a.Cwd, Dirs: a.Dirs, Files: a.Files, Parent: a.Session, Number: s.asks.Add(1), Text: withContext(a, s.o.MaxContext), StopAfter: s.o.StopAfter,
		Begun: ui.AskStarted{Agent: a.Agent, Call: a.Call, Title: ag.Title, Provider: ag.Provider, Model: ag.Model, Prompt: a.Prompt},
	}, place)
	return s.word(limit, done, err), ui.AskEnded{Agent: a.Agent, Ask: done.Ask, Call: a.Call}
}

// word turns what a child did into an answer. end_turn alone is one; empty is never success.
func (s *Supervisor) word(l *limit, done child.Done, err error) Answer {
	if err != nil {
		a := s.failed(l, err)
		a.Text, a.Started = done.Text, true
		return a
	}
	a := Answer{Text: done.Text, Started: true, StopReason: done.StopReason}
	switch {
	case l.expired():
		a.Code, a.Reason = ui.AskTimedOut, l.reason()
	case done.StopReason == "cancelled":
		a.Code, a.Reason = ui.AskCancelled, "cancelled"
	case done.StopReason != "end_turn":
		a.Code, a.Reason = ui.AskFailed, stopWords(done.StopReason)
	case strings.TrimSpace(done.Text) == "":
		a.Code = ui.AskNoAnswer
	}
	return a
}

func (s *Supervisor) failed(l *limit, err error) Answer {
	a := Answer{Code: ui.AskFailed, Reason: err.Error()}
	var turn *child.TurnError
	switch {
	case l.expired():
		a.Code, a.Reason = ui.AskTimedOut, l.reason()
	case errors.Is(err, context.Canceled):
		a.Code, a.Reason = ui.AskCancelled, "cancelled"
	case errors.As(err, &turn) && turn.Where == "watchdog":
		a.Code = ui.AskTimedOut
	case errors.As(err, &turn) && turn.Empty():
		a.Code = ui.AskNoAnswer
	}
	return a
}

// stopWords says in words why a turn stopped short.
func stopWords(reason string) string {
	switch reason {
	case "":
		return "no stop reason"
	case "max_tokens":
		return "max_tokens (the answer was cut at its maxTokens)"
	case "max_turn_requests":
		return "max_turn_requests (its maxTurns was reached)"
	case "refusal":
		return "refusal (its model refused)"
	}
	return reason
}

// Stop cancels all asks, begins to end all children, and returns at once. Close waits for the end.
func (s *Supervisor) Stop() {
	s.stop.Do(func() {
		s.mu.Lock()
		s.end()
		s.mu.Unlock()
		for _, ag := range s.agents {
			s.ending.Go(ag.close)
		}
	})
}

// Close ends all children and waits until they are gone.
func (s *Supervisor) Close() {
	s.Stop()
	s.ending.Wait()
}
