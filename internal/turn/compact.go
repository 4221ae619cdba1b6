package turn

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// How full the window may get before the history is compacted, and how much of it what is kept word
// for word may take, in percent (supplement 3).
const (
	fullAt      = 80
	keepPercent = 40
	// resultPercent bounds one tool result: a larger one is cut, since it would leave no room.
	resultPercent = 35
)

// errNothingToCompact means that the history can't be made smaller.
var errNothingToCompact = errors.New("there is nothing to compact")

// makeRoom compacts the history when the next request would nearly fill the window.
func (r *running) makeRoom() {
	window := r.o.Model.Window(r.ctx)
	r.mu.Lock()
	used, _ := r.usedLocked()
	r.mu.Unlock()
	if window <= 0 || used*100 < window*fullAt {
		return
	}
	if err := r.compact(window); err != nil && !errors.Is(err, errNothingToCompact) && r.ctx.Err() == nil {
		r.emit(ui.Notice{Level: ui.Warning, Text: "[compaction failed: " + err.Error() + "]", Compaction: true})
	}
}

// overflowed compacts after the server said that the request doesn't fit, once in a turn. It
// reports whether asking again makes sense.
func (r *running) overflowed(err error) bool {
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindContext || r.compacted || r.ctx.Err() != nil {
		return false
	}
	r.compacted = true
	window := e.Context
	if window <= 0 {
		window = r.o.Model.Window(r.ctx)
	}
	return r.compact(window) == nil
}

// Compact shortens the history now (/compact): a summary by the model, the last exchanges kept.
func (c *Conversation) Compact(ctx context.Context) (Outcome, error) {
	var err error
	out := c.run(ctx, func(r *running) Outcome {
		if err = r.compact(r.o.Model.Window(r.ctx)); r.ctx.Err() != nil {
			return r.ended()
		}
		return r.outcome(EndTurn, nil)
	})
	return out, err
}

// compact puts a summary in the place of all but the first question and the last exchanges. Calls
// are never parted from their results.
func (r *running) compact(window int) error {
	history := r.History()
	keep := split(history, window*keepPercent/100)
	var head []llm.Message
	if keep > 1 {
		summary, err := r.summary(history[:keep], window)
		if err != nil {
			return err
		}
		head = r.head(summary, history[keep:])
	} else {
		keep = 0
	}
	tail, cut := shorten(history[keep:], window*keepPercent/100)
	if keep == 0 && !cut {
		return errNothingToCompact
	}
	r.replace(append(head, tail...))
	if keep > 0 {
		r.emit(ui.Notice{Level: ui.Info, Text: fmt.Sprintf("[compacted: %d messages → summary]", keep), Compaction: true})
	} else {
		r.emit(ui.Notice{Level: ui.Info, Text: "[compacted: long tool results were cut]"})
	}
	return nil
}

// summary lets the model summarise messages, and tells how that goes.
func (r *running) summary(list []llm.Message, window int) (string, error) {
	r.phase("Compacting")
	r.dog.Phase("waiting for the first token")
	r.compactions++
	c := ui.Compaction{ID: fmt.Sprintf("compaction-%d", r.compactions), Status: ui.CompactionRunning}
	r.emit(c)
	text, err := r.summarise(list, window)
	switch {
	case err != nil && r.ctx.Err() != nil:
		c.Status, err = ui.CompactionCancelled, r.ctx.Err()
	case err != nil:
		c.Status, c.Error = ui.CompactionFailed, err.Error()
	default:
		c.Status, c.Summary = ui.CompactionDone, text
	}
	r.emit(c)
	return text, err
}

// split returns where the part begins that is kept word for word: whole exchanges from the end that
// fit into budget tokens, at least the last one. 0 keeps everything.
func split(history []llm.Message, budget int) int {
	at, cost := len(history), 0
	for i := len(history) - 1; i >= 0; i-- {
		cost += messageCost(history[i])
		if history[i].Role == llm.RoleTool {
			continue // belongs to the calls before it
		}
		if at < len(history) && cost > budget {
			break
		}
		at = i
	}
	return at
}

// The marks of a summary in the history.
const (
	summaryBegins = "[summary of the conversation so far]"
	summaryEnds   = "[end of the summary]"
)

// head is what stands before the kept part: the first question word for word and the summary, in
// the roles that alternate with it.
func (r *running) head(summary string, tail []llm.Message) []llm.Message {
	summary = summaryBegins + "\n" + summary + "\n" + summaryEnds
	if len(tail) > 0 && tail[0].Role == llm.RoleAssistant {
		return []llm.Message{{Role: llm.RoleUser, Content: r.task + "\n\n" + summary}}
	}
	return []llm.Message{{Role: llm.RoleUser, Content: r.task}, {Role: llm.RoleAssistant, Content: summary}}
}

// shorten cuts the results of tools, the longest first, until the messages fit into budget tokens,
// and drops thoughts, which no answer needs any more. It reports whether a result was cut.
func shorten(list []llm.Message, budget int) (out []llm.Message, cut bool) {
	out = make([]llm.Message, len(list))
	for i, m := range list {
		// A message is made anew: its bytes change.
		out[i] = llm.Message{Role: m.Role, Content: m.Content, Images: m.Images, Calls: m.Calls, CallID: m.CallID}
		if out[i].Content == "" && len(m.Calls) == 0 {
			out[i].Content = noAnswer
		}
	}
	for historyCost(out) > budget {
		longest := -1
		for i, m := range out {
			if m.Role == llm.RoleTool && (longest < 0 || len(m.Content) > len(out[longest].Content)) {
				longest = i
			}
		}
		if longest < 0 || len(out[longest].Content) < 400 {
			break
		}
		text := out[longest].Content
		out[longest] = llm.Message{Role: llm.RoleTool, CallID: out[longest].CallID, Content: tools.TruncateMiddle(text, len([]rune(text))/2)}
		cut = true
	}
	return out, cut
}

// replace puts another history in the place of this one.
func (c *Conversation) replace(history []llm.Message) {
	c.mu.Lock()
	c.history, c.sums = nil, nil
	c.told, c.toldAt = 0, 0
	c.mu.Unlock()
	c.wire = nil
	c.place(history...)
	if c.o.Keeper != nil {
		c.o.Keeper.Replaced(history, c.Task())
	}
}

// summaryOrder is the system prompt of a summary.
const summaryOrder = "You summarise conversations between a user and a coding agent so that the agent can go on with the work. " +
	"Keep: what the user wants, decisions, facts that were found out (file names, values, errors), what was done and what is left to do. " +
	"Plain text, at most 300 words. Write only the summary."

// summarise lets the model summarise messages.
func (r *running) summarise(list []llm.Message, window int) (string, error) {
	text := transcript(list, max(window*40/100, 500))
	req := llm.Request{Messages: []llm.Message{
		{Role: llm.RoleSystem, Content: summaryOrder},
		{Role: llm.RoleUser, Content: text},
	}}
	reply, err := r.o.Model.Stream(r.ctx, req, func(e llm.Event) error {
		if e.Waiting == "" {
			r.dog.Feed()
		}
		return r.ctx.Err()
	})
	switch {
	case err != nil:
		return "", err
	case strings.TrimSpace(reply.Message.Content) == "":
		return "", errors.New("the model gave no summary")
	}
	return strings.TrimSpace(reply.Message.Content), nil
}

// transcript writes messages for a summary, each cut so that the whole is about budget tokens.
func transcript(list []llm.Message, budget int) string {
	each := max(budget*4/max(len(list), 1), 80) // characters
	var b strings.Builder
	for _, m := range list {
		if text := strings.TrimSpace(m.WithoutImages().Content); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", m.Role, tools.TruncateMiddle(text, each))
		}
		for _, call := range m.Calls {
			fmt.Fprintf(&b, "calls %s: %s\n", call.Name, tools.Truncate(call.Arguments, each))
		}
	}
	return b.String()
}

// room bounds a tool's result so that it leaves room in the window.
func (r *running) room(text string) string {
	window := r.o.Model.Window(r.ctx)
	if window <= 0 || tokens(text)*100 <= window*resultPercent {
		return text
	}
	return tools.TruncateMiddle(text, window*resultPercent*4/100)
}
