package child

import (
	"encoding/json"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// pass turns an update into the asker's event. Unknown kinds are signs of life and nothing more.
func (a *ask) pass(u acp.SessionUpdate) {
	agent := a.agents[u.SessionID]
	switch u.Kind {
	case acp.UpdateAgentMessage, acp.UpdateAgentThought:
		a.chunk(agent, u)
	case acp.UpdateToolCall, acp.UpdateToolCallUpdate:
		var t acp.ToolCallUpdate
		if u.Decode(&t) == nil {
			a.call(u.SessionID, t, u.Raw)
		}
	case acp.UpdateSubagent:
		a.subagent(agent, u)
	case acp.UpdateUsage:
		a.usage(agent, u)
	case acp.UpdatePlan:
		a.plan(agent, u)
	case acp.UpdateNotice:
		var n acp.Notice
		if u.Decode(&n) == nil {
			a.host.Emit(ui.Notice{Agent: agent, Level: ui.Level(n.Severity), Text: strings.TrimSpace(n.Title + " " + n.Description)})
		}
	}
}

func (a *ask) chunk(agent string, u acp.SessionUpdate) {
	c, err := u.Chunk()
	if err != nil || c.Content.Text == "" {
		return
	}
	message := u.SessionID + "/" + c.MessageID
	if u.Kind == acp.UpdateAgentThought {
		a.host.Emit(ui.Thought{Agent: agent, Ask: a.ask(u.SessionID), Message: message, Text: c.Content.Text})
		return
	}
	if u.SessionID == a.id && len(a.text) < maxAnswer {
		a.text = append(a.text, c.Content.Text...)
	}
	a.host.Emit(ui.Text{Agent: agent, Ask: a.ask(u.SessionID), Message: message, Text: c.Content.Text})
}

// call merges a tool_call or tool_call_update into what is known of the call and passes it on. An
// update of a call that was never announced creates it.
func (a *ask) call(session string, t acp.ToolCallUpdate, raw json.RawMessage) {
	if session == a.id {
		a.last = len(a.text)
	}
	known := a.merge(session, t)
	known.Raw = raw
	a.host.Emit(*known)
	if known.Done() {
		a.ended(*known)
		delete(a.calls, a.key(session, t.ToolCallID))
	}
}

// key is the id of a call among the events of the asker.
func (a *ask) key(session, call string) string { return a.ask(session) + "/" + call }

func (a *ask) merge(session string, t acp.ToolCallUpdate) *ui.ToolCall {
	id := a.key(session, t.ToolCallID)
	known := a.calls[id]
	if known == nil {
		known = &ui.ToolCall{Call: consent.Call{ID: id, Agent: a.agents[session], Kind: consent.KindOther}, Ask: a.ask(session), Status: ui.Pending}
		a.calls[id] = known
	}
	set(&known.Title, t.Title)
	set(&known.Kind, consent.Kind(t.Kind))
	set(&known.Status, ui.Status(t.Status))
	if t.Name != "" {
		known.Tool = toolName(t.Name)
	} else if known.Tool == "" {
		known.Tool = string(known.Kind)
	}
	known.Quiet = known.Tool == "ask_agent" // its answer has gone by already
	if t.RawInput != nil {
		known.Input = t.RawInput
	}
	if t.Locations != nil {
		known.Locations = locations(t.Locations)
	}
	if t.Content != nil {
		known.Output, known.Diffs = content(t.Content)
	}
	var m acp.CallMeta
	if t.Meta.Get(acp.MetaKey, &m) {
		set(&known.Refused, m.Refused)
		if m.ExitCode != nil {
			known.ExitCode = m.ExitCode
		}
		for _, f := range m.Files {
			known.Files = append(known.Files, ui.FileChange(f))
		}
	}
	return known
}

// set patches a field: empty means unchanged.
func set[T ~string](field *T, value T) {
	if value != "" {
		*field = value
	}
}

// toolName is a name that can be one step of a key.
func toolName(s string) string { return strings.ReplaceAll(s, "/", "_") }

func locations(in []acp.ToolCallLocation) []consent.Location {
	out := make([]consent.Location, len(in))
	for i, l := range in {
		out[i] = consent.Location{Path: l.Path, Line: l.Line}
	}
	return out
}

func content(in []acp.ToolCallContent) (text string, diffs []consent.Diff) {
	var b strings.Builder
	for _, c := range in {
		switch c.Type {
		case acp.ToolContent:
			b.WriteString(c.Content.Text)
		case acp.ToolDiff:
			diffs = append(diffs, consent.Diff{Path: c.Path, Old: c.OldText, New: *c.NewText})
		}
	}
	return b.String(), diffs
}

// announce makes the call of a permission request known, whether or not it was announced before,
// and returns it as the asker's gate is asked about it. The agent's own path comes first in the
// key, so that an answer for it never counts for another agent.
func (a *ask) announce(req acp.RequestPermissionRequest) ui.ToolCall {
	known := a.merge(req.SessionID, req.ToolCall)
	if !known.Done() {
		known.Status = ui.Pending // a pending question keeps the call pending, whatever was said
	}
	var m acp.PermissionMeta
	if req.Meta.Get(acp.MetaKey, &m) && m.Tool != "" {
		known.Tool = toolName(m.Tool)
		if deeper, ok := strings.CutSuffix(m.Key, "/"+m.Tool); ok && deeper != "" && req.SessionID == a.id {
			known.Agent = a.c.cmd.Name + "/" + deeper
		}
	}
	a.host.Emit(*known)
	return *known
}

// note keeps that a call passed the asker's gate, for its postToolCall hooks.
func (a *ask) note(id string) {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	a.passed[id] = true
}

// ended runs the postToolCall hooks on a call that had passed the gate, beside the agent's work.
func (a *ask) ended(t ui.ToolCall) {
	a.c.mu.Lock()
	passed := a.passed[t.ID]
	delete(a.passed, t.ID)
	a.c.mu.Unlock()
	if passed {
		a.after.Go(func() { a.host.Ended(a.caller, t) })
	}
}

// subagent follows the agents that this one asks: their sessions belong to the same ask.
func (a *ask) subagent(parent string, u acp.SessionUpdate) {
	var s acp.SubagentUpdate
	if u.Decode(&s) != nil || parent == "" {
		return
	}
	var m acp.AgentMeta
	s.Meta.Get(acp.MetaKey, &m)
	path, known := a.agents[s.SessionID]
	if !known {
		name := m.Agent
		if name == "" && s.Title.Value != nil {
			name = *s.Title.Value
		}
		if name == "" {
			name = "agent"
		}
		path = parent + "/" + toolName(name)
		a.agents[s.SessionID] = path
	}
	if s.State.Value == nil {
		return
	}
	switch s.State.Value.State {
	case acp.StateRunning:
		a.host.Emit(ui.AskStarted{Agent: path, Ask: a.ask(s.SessionID), Parent: a.ask(u.SessionID), Call: a.key(u.SessionID, m.Call), Provider: m.Provider, Model: m.Model, Prompt: m.Prompt})
	case acp.StateIdle:
		a.host.Emit(ui.AskEnded{Agent: path, Ask: a.ask(s.SessionID), Parent: a.ask(u.SessionID), Call: a.key(u.SessionID, m.Call), Reason: m.Reason})
	}
}

func (a *ask) plan(agent string, u acp.SessionUpdate) {
	var p acp.Plan
	if u.Decode(&p) != nil {
		return
	}
	e := ui.Plan{Agent: agent, Ask: a.ask(u.SessionID)}
	for _, step := range p.Entries {
		e.Entries = append(e.Entries, ui.PlanEntry{Text: step.Content, Status: step.Status})
	}
	a.host.Emit(e)
}

func (a *ask) usage(agent string, u acp.SessionUpdate) {
	var use acp.Usage
	if u.Decode(&use) != nil {
		return
	}
	var m acp.UsageMeta
	use.Meta.Get(acp.MetaKey, &m)
	a.host.Emit(ui.Usage{Agent: agent, Input: m.Input, Output: m.Output, Cached: m.Cached, Context: int(use.Used), Window: int(use.Size)})
}
