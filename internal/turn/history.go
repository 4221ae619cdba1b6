package turn

import (
	"strings"

	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
)

// Texts that stand in the history where nothing else would be well-formed.
const (
	neverRan   = "[cancelled before it ran]"
	noOutput   = "(no output)"
	noAnswer   = "[no answer]"
	emptyNudge = "[your last step was empty: answer the question, or call a tool]"
)

// History returns a copy of the messages, without the system message.
func (c *Conversation) History() []llm.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]llm.Message(nil), c.history...)
}

// Faults returns the errors that ended turns.
func (c *Conversation) Faults() []Fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Fault(nil), c.errs...)
}

func (c *Conversation) fault(f Failure) *Fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	fault := Fault{Time: c.o.Now(), Where: f.Where, Message: f.Message}
	c.errs = append(c.errs, fault)
	return &fault
}

// append adds messages, and keeps them.
func (c *Conversation) append(m ...llm.Message) {
	c.place(m...)
	if c.o.Keeper != nil && len(m) > 0 {
		c.o.Keeper.Added(m)
	}
}

// place adds messages. The history only ever grows at its end, so that servers can reuse the
// prompt they have read. wire has the same messages again: it is the model's own while it streams,
// which keeps each message's encoding in it.
func (c *Conversation) place(m ...llm.Message) {
	if c.wire == nil {
		c.wire = []llm.Message{{Role: llm.RoleSystem, Content: notEmpty(c.o.Instructions)}}
	}
	c.wire = append(c.wire, m...)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, x := range m {
		c.history = append(c.history, x)
		c.sums = append(c.sums, c.costLocked(len(c.sums))+messageCost(x))
	}
}

// close ends the turn in the history with an assistant message: strict chat templates refuse two
// user messages in a row, or one after a tool's result.
func (c *Conversation) close(out Outcome) {
	if n := len(c.wire); n == 0 || c.wire[n-1].Role == llm.RoleAssistant {
		return
	}
	why := "[" + out.Reason + "]"
	if out.Failure != nil {
		why = out.Failure.Message
	}
	c.append(llm.Message{Role: llm.RoleAssistant, Content: notEmpty(why)})
}

func notEmpty(s string) string {
	if strings.TrimSpace(s) == "" {
		return "(empty)"
	}
	return s
}

// noteAsked keeps the history as it is at the start of a turn.
func (c *Conversation) noteAsked() {
	c.mu.Lock()
	defer c.mu.Unlock()
	history := c.history[:len(c.history):len(c.history)]
	c.asked.Store(&history)
}

// saidOf lists a history for with_context: questions, answers, a line for each call, never what
// tools returned.
func (c *Conversation) saidOf(history []llm.Message) []ui.Said {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []ui.Said
	for _, m := range history {
		if m.Role == llm.RoleTool {
			continue
		}
		if m = m.WithoutImages(); strings.TrimSpace(m.Content) != "" {
			out = append(out, ui.Said{Who: string(m.Role), Text: m.Content})
		}
		for _, call := range m.Calls {
			out = append(out, ui.Said{Who: "tool " + call.Name, Text: c.shown[call.ID].Title})
		}
	}
	return out
}
