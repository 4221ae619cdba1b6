package editor

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
)

// updates writes a session's events as session/update notifications (ui.Sink). What asked agents
// do goes into a sub-agent session of its own for a client that announced subagents, else it stands
// in the session itself, titled with the agent's name.
type updates struct {
	conn    *acp.Conn
	client  acp.ClientCapabilities
	log     func(format string, args ...any)
	session string
	person  bool // sits at the client, which is no asker

	mu     sync.Mutex
	known  map[string]bool    // guarded by mu: calls that were announced
	asks   map[string]*asking // guarded by mu: by Ask
	shared map[string]string  // guarded by mu: Ask of each call
	spoke  map[string]string  // guarded by mu: what stands in a call of ask_agent
	own    int                // guarded by mu: numbers the messages that aren't the model's
}

// asking is an asked agent at work.
type asking struct {
	started ui.AskStarted
	text    strings.Builder // for clients without sub-agent sessions
	shown   int             // how much of it was sent
	thought string          // the message of its last thought
}

// Emit writes an event.
func (u *updates) Emit(e ui.Event) {
	u.mu.Lock()
	defer u.mu.Unlock()
	switch e := e.(type) {
	case ui.Text:
		u.text(e)
	case ui.Thought:
		u.thought(e)
	case ui.ToolCall:
		u.call(e)
	case ui.AskStarted:
		u.askStarted(e)
	case ui.AskEnded:
		u.askEnded(e)
	case ui.Notice:
		u.notice(e)
	case ui.Compaction:
		u.compaction(e)
	case ui.Plan:
		u.plan(e)
	case ui.Usage:
		u.usage(e)
	}
}

// say writes text of mm's own as a message.
func (u *updates) say(text string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.send("", acp.TextChunk(acp.UpdateAgentMessage, u.ownIDLocked(), text))
}

// asked writes what a person said, of a replay, as a message.
func (u *updates) asked(text string, images []llm.Image) {
	u.mu.Lock()
	defer u.mu.Unlock()
	id := u.ownIDLocked()
	u.send("", acp.TextChunk(acp.UpdateUserMessage, id, text))
	for _, i := range images {
		u.send("", acp.Chunk{Kind: acp.UpdateUserMessage, MessageID: id,
			Content: acp.ContentBlock{Type: acp.ContentImage, MimeType: i.MimeType, Data: i.Data}})
	}
}

// ownIDLocked is an id for a message that isn't the model's.
func (u *updates) ownIDLocked() string {
	u.own++
	return "own-" + strconv.Itoa(u.own)
}

// update writes an update of this session itself.
func (u *updates) update(up acp.Update) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.send("", up)
}

// send writes one update to the session of an ask.
func (u *updates) send(ask string, up acp.Update) {
	id := u.session
	if ask != "" && u.client.Subagents != nil {
		id = ask
	}
	// A client that has gone ends the turn by the end of the connection.
	if err := u.conn.Update(context.Background(), id, up); err != nil {
		u.log("writing an update: %v", err)
	}
}

// thought writes a thought. Of an asked agent each begins with its name where it stands in this session.
func (u *updates) thought(e ui.Thought) {
	if a := u.asks[e.Ask]; a != nil && u.client.Subagents == nil && a.thought != e.Message {
		a.thought = e.Message
		e.Text = strings.ReplaceAll(a.started.Agent, "/", " · ") + " · " + e.Text
	}
	u.send(e.Ask, acp.TextChunk(acp.UpdateAgentThought, e.Message, e.Text))
}

func (u *updates) text(e ui.Text) {
	a := u.asks[e.Ask]
	if e.Ask == "" || u.client.Subagents != nil || a == nil || a.started.Call == "" {
		u.send(e.Ask, acp.TextChunk(acp.UpdateAgentMessage, e.Message, e.Text))
		return
	}
	a.text.WriteString(e.Text)
	if a.due() {
		u.show(a)
	}
}

// showEvery is after how many bytes more an asked agent's text is sent again where it has to stand in
// the content of a call, of which each update replaces the whole; showLast is how many stand there.
const (
	showEvery = 2 << 10
	showLast  = 8 << 10
)

// due reports whether there is enough new text to show. The first words are: else a slow agent
// would seem to do nothing. From there on a quarter more, so that all updates together stay within
// a few times the text.
func (a *asking) due() bool {
	return a.text.Len()-a.shown > min(a.shown/4, showEvery-1)
}

// show puts the end of an agent's text into the content of the ask_agent call.
func (u *updates) show(a *asking) {
	if a.shown == a.text.Len() {
		return
	}
	a.shown = a.text.Len()
	text := a.text.String()
	if n := len(text) - showLast; n > 0 {
		text = "[…]" + strings.ToValidUTF8(text[n:], "")
	}
	if u.spoke == nil {
		u.spoke = map[string]string{}
	}
	u.spoke[a.started.Call] = text
	u.send(a.started.Parent, acp.ToolCallUpdate{ToolCallID: a.started.Call, Content: []acp.ToolCallContent{acp.ToolText(text)}})
}

// call announces a call or updates it.
func (u *updates) call(e ui.ToolCall) {
	if u.known == nil {
		u.known, u.shared = map[string]bool{}, map[string]string{}
	}
	full := u.toolCall(e)
	if a := u.asks[e.Ask]; a != nil && u.client.Subagents == nil {
		u.show(a)
	}
	if !u.known[e.ID] {
		u.known[e.ID] = true
		u.shared[e.ID] = e.Ask
		u.send(e.Ask, acp.ToolCall(full))
		return
	}
	change := acp.ToolCallUpdate{ToolCallID: full.ToolCallID, Status: full.Status, Meta: full.Meta}
	if e.Done() {
		// Content replaces: what an asked agent said, and stood there until now, stays.
		change.Content, change.Locations = append(u.said(e.ID), full.Content...), full.Locations
		change.RawOutput = full.RawOutput
		delete(u.known, e.ID)
		delete(u.shared, e.ID)
	}
	u.send(e.Ask, change)
}

// said is what was shown in a call of ask_agent, and forgets it.
func (u *updates) said(call string) []acp.ToolCallContent {
	text, ok := u.spoke[call]
	delete(u.spoke, call)
	if !ok {
		return nil
	}
	return []acp.ToolCallContent{acp.ToolText(text)}
}

// askStarted opens an agent's sub-session.
func (u *updates) askStarted(e ui.AskStarted) {
	if u.asks == nil {
		u.asks = map[string]*asking{}
	}
	u.asks[e.Ask] = &asking{started: e}
	if u.client.Subagents == nil {
		return
	}
	up := acp.SubagentUpdate{SessionID: e.Ask, Title: acp.To(lastStep(e.Agent)), State: acp.To(acp.SubagentState{State: acp.StateRunning})}
	up.Meta = acp.MetaOf(acp.MetaKey, acp.AgentMeta{Agent: lastStep(e.Agent), Call: e.Call, Provider: e.Provider, Model: e.Model, Prompt: e.Prompt})
	u.send(e.Parent, up)
}

func (u *updates) askEnded(e ui.AskEnded) {
	a := u.asks[e.Ask]
	delete(u.asks, e.Ask)
	if u.client.Subagents == nil {
		if a != nil && a.started.Call != "" {
			u.show(a)
		}
		return
	}
	up := acp.SubagentUpdate{SessionID: e.Ask, State: acp.To(acp.SubagentState{State: acp.StateIdle})}
	up.Meta = acp.MetaOf(acp.MetaKey, acp.AgentMeta{Agent: lastStep(e.Agent), Call: e.Call, Reason: e.Reason})
	u.send(e.Parent, up)
}

// lastStep is an agent's own name: the last step of its path.
func lastStep(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// notice is shown by clients that announced notices; the log has it for others. They too read of an agent
// that acts without asking.
func (u *updates) notice(e ui.Notice) {
	if e.Compaction && u.client.Compaction() {
		return // it has been told
	}
	if !u.client.Notices() || strings.TrimSpace(e.Text) == "" {
		u.log("%s: %s", e.Level, e.Text)
		if e.Agent != "" && e.Level == ui.Warning {
			u.send("", acp.TextChunk(acp.UpdateAgentMessage, u.ownIDLocked(), e.Text+"\n"))
		}
		return
	}
	title := e.Text
	if text, ok := strings.CutPrefix(title, "["+string(e.Level)+": "); ok && u.person {
		title = strings.TrimSuffix(text, "]") // the severity says it
	}
	u.send("", acp.Notice{Severity: string(e.Level), Title: title})
}

// compaction is shown by clients that announced it.
func (u *updates) compaction(e ui.Compaction) {
	if !u.client.Compaction() {
		return
	}
	c := acp.Compaction{CompactionID: e.ID, Status: e.Status, Error: e.Error}
	if e.Summary != "" {
		c.Summary = []acp.ContentBlock{acp.Text(e.Summary)}
	}
	u.send("", c)
}

// plan writes a whole plan. That of an asked agent would replace this session's own where there are
// no sub-agent sessions.
func (u *updates) plan(e ui.Plan) {
	if e.Ask != "" && u.client.Subagents == nil {
		return
	}
	var p acp.Plan
	for _, s := range e.Entries {
		p.Entries = append(p.Entries, acp.PlanEntry{Content: s.Text, Priority: "medium", Status: s.Status})
	}
	u.send(e.Ask, p)
}

func (u *updates) usage(e ui.Usage) {
	if e.Agent != "" {
		return // an agent's tokens are not those of this session's context
	}
	u.send("", acp.Usage{Used: uint64(max(0, e.Context)), Size: uint64(max(0, e.Window)),
		Meta: acp.MetaOf(acp.MetaKey, acp.UsageMeta{Input: e.Input, Output: e.Output, Cached: e.Cached})})
}

// askOf returns the ask that a call belongs to, and whether the client knows the call.
func (u *updates) askOf(call string) (ask string, known bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.shared[call], u.known[call]
}
