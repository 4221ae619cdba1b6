// Package turn is one conversation: its history, the model loop, and the calls of each step.
//
// A front end calls Ask (or Relay, for a question to a named agent) and gets back when the turn has
// ended; meanwhile the turn emits events to its Sink. Turns of one conversation run one after the
// other: only the goroutine inside Ask or Relay touches the history. Whatever ends a turn, the
// history stays well-formed: roles alternate, each call has its result, and the turn closes with an
// assistant message.
package turn

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/watchdog"
)

// Options are the parts of a conversation. Model may be nil where only Relay is used.
type Options struct {
	Model llm.Model
	Tools *tools.Set
	// Refresh, if set, gives the tools at the start of each turn: the same set while nothing has
	// changed, since other declarations cost the server its prompt cache.
	Refresh      func(ctx context.Context) *tools.Set
	Gate         *consent.Gate
	Asker        tools.Asker // for Relay
	Sink         ui.Sink
	Questioner   ui.Questioner // nil when nobody can be asked
	Instructions string
	Cwd          string // absolute
	Session      string // its id
	MaxTurns     int    // model calls in one turn
	Watchdog     time.Duration
	// Structure is the form of final answers; nil for free text.
	Structure *Structure
	// After runs the postToolCall hooks on a call that has ended. It returns what they add for the
	// model, and why they deny it, "" when they don't: its output is withheld then. May be nil.
	After func(ctx context.Context, t ui.ToolCall) (addition, denied string)
	// Keeper is told what must not be lost; nil keeps nothing.
	Keeper Keeper
	// Now is the clock; time.Now when nil.
	Now func() time.Time
}

// Conversation is one history and the turns that make it.
type Conversation struct {
	o    Options
	loop tools.Loop

	turn        sync.Mutex    // held while a turn runs
	messages    int           // numbers the assistant's messages; touched by the running turn
	compactions int           // numbers the compactions; touched by the running turn
	wire        []llm.Message // the system message and the history, as sent; touched by the running turn
	declared    []llm.Tool
	calls       atomic.Int64 // numbers the calls, so that ids which a model repeats stay apart

	mu      sync.Mutex        // guards what other goroutines may read between steps
	history []llm.Message     // without the system message; it only grows, or is replaced as a whole
	sums    []int             // of messageCost, up to and with each message of history
	asking  map[string]string // sessions of asked agents, by the id of the call at work
	shown   map[string]Shown  // how the calls in history were shown, by call id
	errs    []Fault
	task    string                        // the first question, kept word for word
	told    int                           // tokens of the conversation, as the server told last
	toldAt  int                           // how many messages that covers
	warned  bool                          // that the server cuts the prompt
	asked   atomic.Pointer[[]llm.Message] // the history as of the start of the turn
}

// Fault is an error that ended a turn, as the session file records it.
type Fault struct {
	Time    time.Time `json:"time"`
	Where   Where     `json:"where"`
	Message string    `json:"message"`
}

// Where says which part a Fault comes from (supplement 9).
type Where string

// The parts.
const (
	InGeneration Where = "generation"
	InTool       Where = "tool"
	InAsk        Where = "ask"
	InWatchdog   Where = "watchdog"
	InHook       Where = "hook"
	InACP        Where = "acp"
)

// Failure ends a turn: what people and models read, and what kind it is.
type Failure struct {
	Where   Where
	Cause   Cause
	Message string
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// Cause is the kind of a Failure, for ACP error codes and exit statuses.
type Cause int

// The kinds.
const (
	ModelError Cause = iota
	Silence
	Looping
	EmptyTurn
	BadStructure
	NoImages // the model takes no images, and the question has one
)

// Stop reasons of a turn, as ACP v1 has them.
const (
	EndTurn         = "end_turn"
	MaxTokens       = "max_tokens"
	MaxTurnRequests = "max_turn_requests"
	Cancelled       = "cancelled"
	StopError       = "error" // not of ACP: Outcome.Failure says why
)

// Outcome is how a turn ended.
type Outcome struct {
	// Answer is what was written after the last tool call, or all that was written if that is empty.
	Answer string
	Reason string
	// Failure is set when Reason is StopError, and for MaxTurnRequests and MaxTokens says so in words.
	Failure *Failure
	Usage   llm.Usage
}

// New returns an empty conversation.
func New(o Options) *Conversation {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tools == nil {
		o.Tools = tools.NewSet()
	}
	c := &Conversation{o: o, asking: map[string]string{}, shown: map[string]Shown{}}
	c.declare()
	return c
}

// refresh takes the tools of this turn.
func (c *Conversation) refresh(ctx context.Context) {
	if c.o.Refresh == nil {
		return
	}
	if set := c.o.Refresh(ctx); set != c.o.Tools {
		c.o.Tools = set
		c.declare()
	}
}

// declare notes how the tools are declared to the model.
func (c *Conversation) declare() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.declared = nil
	for _, t := range c.o.Tools.All() {
		spec := t.Spec()
		c.declared = append(c.declared, llm.Tool{Name: spec.Name, Description: spec.Description, Parameters: spec.Parameters})
	}
}

// Ask runs one turn on a person's text, and images that come with it. It waits for a running turn to
// end first. Cancelling ctx ends the turn as cancelled.
func (c *Conversation) Ask(ctx context.Context, text string, images ...llm.Image) Outcome {
	return c.run(ctx, func(r *running) Outcome {
		m := question(text, images)
		r.pictures = len(images) > 0
		c.append(m)
		c.mu.Lock()
		if c.task == "" {
			c.task = m.Content
		}
		c.mu.Unlock()
		return r.loop()
	})
}

// run holds the conversation for one turn, under one watchdog.
func (c *Conversation) run(ctx context.Context, body func(*running) Outcome) Outcome {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.noteAsked()
	c.refresh(ctx)
	r := &running{Conversation: c, caller: ctx, start: c.o.Now(), counts: newCounts(c.o.Tools)}
	r.ctx, r.dog = watchdog.New(ctx, c.o.Watchdog)
	defer r.dog.Stop()
	out := body(r)
	c.close(out)
	var fault *Fault
	if f := out.Failure; f != nil && out.Reason == StopError {
		fault = c.fault(*f)
	}
	r.emitEnd(out)
	c.keepEnded(out, fault)
	return out
}

// Said returns the conversation as of the start of the running turn, for with_context.
func (c *Conversation) Said() []ui.Said {
	if p := c.asked.Load(); p != nil {
		return c.saidOf(*p)
	}
	return nil
}

// Reset forgets the history and what the loop detector saw (/new). It waits for a running turn.
func (c *Conversation) Reset() {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.history, c.sums, c.wire, c.errs = nil, nil, nil, nil
	c.task, c.told, c.toldAt = "", 0, 0
	clear(c.shown)
	c.loop.Reset()
}

// running is one turn at work.
type running struct {
	*Conversation
	caller context.Context // the front end's: its end means cancelled
	ctx    context.Context // also ended by the watchdog
	dog    *watchdog.Dog
	start  time.Time
	counts *counts
	usage  llm.Usage
	known  bool // usage was told by the server
	// compacted says that the turn has compacted once because the server refused a request.
	compacted bool
	waiting   string // what the model's server was last waited for
	corrected bool   // the answer was sent back once (Structure)
	pictures  bool   // the question has images
	all       []byte // all that was written
	last      int    // where in it the text since the last tool call begins
}

// ended words why the turn's context is done: the watchdog, else a cancel.
func (r *running) ended() Outcome {
	var silence *watchdog.Silence
	if r.caller.Err() == nil && errors.As(context.Cause(r.ctx), &silence) {
		text := silence.Error()
		if r.waiting != "" {
			text += "\n[" + r.waiting + "]"
		}
		return r.fail(InWatchdog, Silence, text)
	}
	return r.outcome(Cancelled, nil)
}

func (r *running) fail(where Where, cause Cause, message string) Outcome {
	return r.outcome(StopError, &Failure{Where: where, Cause: cause, Message: message})
}

func (r *running) outcome(reason string, f *Failure) Outcome {
	answer := r.all[r.last:]
	if len(answer) == 0 {
		answer = r.all
	}
	return Outcome{Answer: string(answer), Reason: reason, Failure: f, Usage: r.usage}
}

func (r *running) emitEnd(out Outcome) {
	end := ui.TurnEnded{Reason: out.Reason, Duration: r.Conversation.o.Now().Sub(r.start)}
	if out.Failure != nil {
		end.Error = out.Failure.Message
	}
	end.Summary = r.counts.line(end.Duration, r.usage, r.known)
	r.emit(ui.Phase{})
	r.emit(end)
}

func (c *Conversation) emit(e ui.Event) {
	if c.o.Sink != nil {
		c.o.Sink.Emit(e)
	}
}
