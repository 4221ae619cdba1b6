package child

import (
	"iter"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// pass turns an update into the asker's event. Unknown kinds are signs of life and nothing more.
func (a *ask) pass(u acp.SessionUpdate) {
	agent := a.agent(u.SessionID)
	switch u.Kind {
	case acp.UpdateAgentMessage, acp.UpdateAgentThought:
		a.chunk(agent, u)
	case acp.UpdateToolCall, acp.UpdateToolCallUpdate:
		var t acp.ToolCallUpdate
		if u.Decode(&t) == nil {
			a.call(u, t)
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
	message, ask := a.message(u, c.MessageID), a.ask(u.SessionID)
	if u.Kind == acp.UpdateAgentMessage && u.SessionID == a.id {
		a.answer.add(c.Content.Text)
	}
	for piece := range pieces(c.Content.Text) {
		if u.Kind == acp.UpdateAgentThought {
			a.host.Emit(ui.Thought{Agent: agent, Ask: ask, Message: message, Text: piece})
		} else {
			a.host.Emit(ui.Text{Agent: agent, Ask: ask, Message: message, Text: piece})
		}
	}
}

// message is what is known of the messages of an agent that gives them no ids.
type message struct {
	kind  string
	n     int
	ended bool // a call has begun since
}

// message is the id of a message among the events of the asker. Where the agent gives none, a new one
// begins when thought and answer change, and behind a call.
func (a *ask) message(u acp.SessionUpdate, id string) string {
	if id == "" {
		m := a.spoken[u.SessionID]
		if m.kind != u.Kind || m.ended {
			m = message{kind: u.Kind, n: m.n + 1}
			a.spoken[u.SessionID] = m
		}
		id = "#" + strconv.Itoa(m.n)
	}
	return a.ask(u.SessionID) + "/" + id
}

// maxPiece is how much text is passed on in one event, in bytes: whoever draws or sends it makes
// copies, and an editor should get no line of 60 MB because an agent wrote one.
const maxPiece = 64 << 10

// pieces cuts a text between characters.
func pieces(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for len(s) > maxPiece {
			n := maxPiece
			for n > maxPiece-utf8.UTFMax && !utf8.RuneStart(s[n]) {
				n--
			}
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
		yield(s)
	}
}

// set patches a field: empty means unchanged.
func set[T ~string](field *T, value T) {
	if value != "" {
		*field = value
	}
}

// toolName is a name that can be one step of a key.
func toolName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '/' || !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return '_'
		}
		return r
	}, s)
	if r := []rune(s); len(r) > maxName {
		s = string(r[:maxName])
	}
	return s
}

// maxName bounds the name of a tool or agent that an agent tells, in characters.
const maxName = 64

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

// agent is the path of a session's agent. One below that there was no room to name counts as the agent that
// was asked: without a path its calls would have the keys of the asker's own.
func (a *ask) agent(session string) string {
	if path := a.agents[session]; path != "" {
		return path
	}
	return a.c.cmd.Name
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
	switch {
	case !known && len(a.agents) > maxSessions:
		return
	case !known:
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
		a.subs[s.SessionID] = ui.AskEnded{Agent: path, Ask: a.ask(s.SessionID), Parent: a.ask(u.SessionID), Call: a.key(u.SessionID, m.Call)}
		a.host.Emit(ui.AskStarted{Agent: path, Ask: a.ask(s.SessionID), Parent: a.ask(u.SessionID), Call: a.key(u.SessionID, m.Call), Provider: m.Provider, Model: m.Model, Prompt: m.Prompt})
	case acp.StateIdle:
		delete(a.subs, s.SessionID)
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
	a.host.Emit(ui.Usage{Agent: agent, Ask: a.ask(u.SessionID), Input: m.Input, Output: m.Output, Cached: m.Cached, Context: int(use.Used), Window: int(use.Size)})
}
