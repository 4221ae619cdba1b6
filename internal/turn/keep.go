package turn

import (
	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
)

// Keeper is told what a conversation must not lose, when it happens. Its methods return once that is
// safe from a kill (an asked agent's, whose asker has it too, soon after), and never fail: a turn
// doesn't end because a disk is full.
type Keeper interface {
	// Added tells messages that now stand at the end of the history. What Began and Returned told
	// is among them.
	Added(list []llm.Message)
	// Began tells an assistant's message whose calls run now; it isn't in the history yet.
	Began(m llm.Message)
	// Announced tells that a call of that message is shown to people (Conversation.Shown) and runs next.
	Announced(call llm.Call)
	// Returned tells what a call of that message returned. Calls that run side by side may tell it
	// from several goroutines.
	Returned(call llm.Call, text string)
	// Replaced tells another history in the place of the one before, and the first question.
	Replaced(history []llm.Message, task string)
	// Ended tells the end of a turn; fault is nil where none was noted.
	Ended(out Outcome, fault *Fault)
}

// Shown is how a call was shown to people.
type Shown struct {
	Title     string
	Line      string
	Kind      consent.Kind
	Locations []consent.Location
	Quiet     bool
	Failed    bool
	Output    string // "" where it is the result
	Diffs     []consent.Diff
	Asked     string // the session of the agent that it asked, as that agent names it
}

// Shown returns how a call of the history was shown.
func (c *Conversation) Shown(callID string) Shown {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shown[callID]
}

// show notes how a call is shown.
func (c *Conversation) show(id string, t ui.ToolCall) {
	s := Shown{Title: t.Title, Line: t.Line, Kind: t.Kind, Locations: t.Locations, Quiet: t.Quiet, Failed: t.Status == ui.Failed, Diffs: t.Diffs}
	if t.Done() && t.Output != t.Result {
		s.Output = t.Output
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s.Asked = c.asking[t.ID]
	if t.Done() {
		delete(c.asking, t.ID)
	}
	c.shown[id] = s
}

// State is a conversation as it was kept.
type State struct {
	History []llm.Message
	Shown   map[string]Shown // by call id
	Task    string           // the first question; "" where the history has it
	Faults  []Fault
	// Told is the size of the conversation in tokens as the server counted, and ToldAt how many
	// messages that covers.
	Told, ToldAt int
}

// Restore puts a conversation in place, to go on with it: the next request begins with the same
// bytes as the last one before. It is called before the first turn.
func (c *Conversation) Restore(s State) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.wire = nil
	c.mu.Lock()
	c.history, c.sums = nil, nil
	c.errs, c.task = append([]Fault(nil), s.Faults...), s.Task
	calls := 0
	for _, m := range s.History {
		if c.task == "" && m.Role == llm.RoleUser {
			c.task = m.Content
		}
		if m.Role == llm.RoleAssistant {
			c.messages++
		}
		calls += len(m.Calls)
	}
	for id, x := range s.Shown {
		c.shown[id] = x
	}
	c.mu.Unlock()
	c.calls.Store(int64(calls)) // front ends have seen these ids
	c.place(s.History...)
	c.mu.Lock()
	defer c.mu.Unlock()
	if s.ToldAt <= len(s.History) {
		c.told, c.toldAt = s.Told, s.ToldAt
	}
}

// Measured returns how large the conversation was after the last model call, as the server counted,
// and how many messages that covers; 0 when it hasn't told.
func (c *Conversation) Measured() (told, at int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.told, c.toldAt
}

// Task is the first question, word for word.
func (c *Conversation) Task() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.task
}

// SetModel lets another model answer from the next turn on. It waits for a running turn.
func (c *Conversation) SetModel(m llm.Model) {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.o.Model = m
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told, c.toldAt = 0, 0 // another model counts in its own way
}

// The keeper's side of a conversation; without one, nothing is told.

func (c *Conversation) keepBegan(m llm.Message) {
	if c.o.Keeper != nil {
		c.o.Keeper.Began(m)
	}
}

func (c *Conversation) keepAnnounced(call llm.Call) {
	if c.o.Keeper != nil {
		c.o.Keeper.Announced(call)
	}
}

func (c *Conversation) keepEnded(out Outcome, f *Fault) {
	if c.o.Keeper != nil {
		c.o.Keeper.Ended(out, f)
	}
}
