package engine

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/internal/ui"
)

// Replayed is one thing that was said or done in a conversation: a person's words, or an event as it
// was emitted then (Text, Thought, ToolCall, Plan), without its pieces.
type Replayed struct {
	User   string
	Images []llm.Image // that came with the person's words
	Event  ui.Event    // nil for a person's words
}

// Replay tells the conversation so far again, in its order, and its plan at the end. Messages and
// calls have ids that those to come don't repeat. No turn may run meanwhile.
func (s *Session) Replay(yield func(Replayed) bool) {
	history := s.conv.History()
	results := resultsOf(history)
	r := replay{e: s.engine, session: s.ID, shown: s.conv.Shown, results: results, yield: yield}
	for _, m := range history {
		if !r.message(m) {
			return
		}
	}
	if title, steps := s.plan.Snapshot(); len(steps) > 0 || title != "" {
		yield(Replayed{Event: ui.Plan{Entries: steps}})
	}
}

// resultsOf is what calls returned, by id.
func resultsOf(history []llm.Message) map[string]string {
	results := map[string]string{}
	for _, m := range history {
		if m.Role == llm.RoleTool {
			results[m.CallID] = m.Content
		}
	}
	return results
}

// replay is one conversation that is told again: a session's own, or that of an agent asked in it.
type replay struct {
	e               *Engine
	session         string
	agent, ask      string // as in events; "" for a session's own
	depth           int
	shown           func(call string) turn.Shown
	results         map[string]string
	yield           func(Replayed) bool
	messages, calls int
}

// id is that of a message or call among the events of the session.
func (r *replay) id(own string) string {
	if r.ask == "" {
		return own
	}
	return r.ask + "/" + own
}

func (r *replay) message(m llm.Message) bool {
	switch m.Role {
	case llm.RoleUser:
		if r.ask != "" {
			return true // it stands with the start of the ask
		}
		return r.yield(Replayed{User: m.Content, Images: m.Images})
	case llm.RoleTool:
		return true // stands with its call
	}
	r.messages++
	id := r.id(messageID(r.messages))
	if m.Thought != "" && !r.yield(Replayed{Event: ui.Thought{Agent: r.agent, Ask: r.ask, Message: id, Text: m.Thought}}) {
		return false
	}
	if m.Content != "" && !r.yield(Replayed{Event: ui.Text{Agent: r.agent, Ask: r.ask, Message: id, Text: m.Content}}) {
		return false
	}
	for _, c := range m.Calls {
		r.calls++
		t := r.call(c)
		if !r.asked(t, r.shown(c.ID).Asked) || !r.yield(Replayed{Event: t}) {
			return false
		}
	}
	return true
}

// call is a call that has ended long ago.
func (r *replay) call(c llm.Call) ui.ToolCall {
	shown := r.shown(c.ID)
	result, ended := r.results[c.ID]
	t := ui.ToolCall{
		Call: consent.Call{ID: r.id(callID(r.calls)), Agent: r.agent, Tool: c.Name, Title: shown.Title, Kind: shown.Kind, Input: json.RawMessage(c.Arguments), Locations: slices.Clone(shown.Locations), Diffs: slices.Clone(shown.Diffs)},
		Ask:  r.ask, Status: ui.Completed, Line: shown.Line, Quiet: shown.Quiet, Result: result, Output: shown.Output,
	}
	if shown.Failed || shown.Title == "" || !ended { // it never came to be shown: mm was ended first
		t.Status = ui.Failed
	}
	if t.Title == "" {
		t.Title = c.Name
	}
	if t.Kind == "" {
		t.Kind = consent.KindOther
	}
	if t.Line == "" {
		t.Line = c.Name + ": " + t.Title
	}
	if t.Output == "" {
		t.Output = t.Result
	}
	return t
}

// maxReplayed is how deep asked agents are followed.
const maxReplayed = 8

// asked tells what an asked agent did, behind the announcement of the call t that asked it. Nothing is
// told where its session wasn't kept, or is no longer there.
func (r *replay) asked(t ui.ToolCall, id string) bool {
	if id == "" || r.e.Store() == nil || r.depth == maxReplayed {
		return true
	}
	f, err := r.e.Store().Load(id)
	if err != nil || f.Parent != r.session {
		return true
	}
	var in struct{ Agent, Prompt string }
	_ = json.Unmarshal(t.Input, &in) // it has been read before
	state := stateOf(f)
	below := replay{e: r.e, session: id, depth: r.depth + 1, results: resultsOf(state.History), yield: r.yield,
		agent: strings.TrimPrefix(r.agent+"/"+in.Agent, "/"), ask: r.id(in.Agent + "/" + id),
		shown: func(call string) turn.Shown { return state.Shown[call] }}
	begun := t
	begun.Status, begun.Result, begun.Output = ui.InProgress, "", ""
	if !r.yield(Replayed{Event: begun}) || !r.yield(Replayed{Event: ui.AskStarted{Agent: below.agent, Ask: below.ask, Parent: r.ask,
		Call: t.ID, Session: id, Provider: f.Provider, Model: f.Model, Prompt: in.Prompt}}) {
		return false
	}
	for _, m := range state.History {
		if !below.message(m) {
			return false
		}
	}
	return r.yield(Replayed{Event: ui.AskEnded{Agent: below.agent, Ask: below.ask, Parent: r.ask, Call: t.ID}})
}
