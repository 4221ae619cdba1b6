package child

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// Of agents that don't end their calls, or call without end, so much is kept.
const (
	maxOpenCalls = 1000
	maxPastCalls = 10_000
)

// call merges a tool_call or tool_call_update into what is known of the call and passes it on. An
// update of a call that was never announced creates it; one of a call that has ended means nothing.
func (a *ask) call(u acp.SessionUpdate, t acp.ToolCallUpdate) {
	key := a.key(u.SessionID, t.ToolCallID)
	if a.calls[key] == nil && a.past[key] > 0 && u.Kind == acp.UpdateToolCallUpdate {
		return
	}
	known := a.merge(u.SessionID, t)
	known.Raw = u.Raw
	if q := a.asked[key]; q != nil {
		q.more = true // "stay pending until answered": told when the question is over
		return
	}
	a.tellCall(key, known)
}

func (a *ask) tellCall(key string, known *ui.ToolCall) {
	a.host.Emit(*known)
	if known.Done() {
		a.callEnded(*known)
		a.forget(key)
	}
}

// asked is a call about which the gate is asked.
type asked struct {
	questions int
	more      bool // the agent has said something of the call since
}

// questioned notes that the gate is asked about a call; decided that it has answered.
func (a *ask) questioned(key string) {
	if a.asked[key] == nil {
		a.asked[key] = &asked{}
	}
	a.asked[key].questions++
}

func (a *ask) decided(key string) {
	q := a.asked[key]
	if q == nil {
		return
	}
	if q.questions--; q.questions > 0 {
		return
	}
	delete(a.asked, key)
	if known := a.calls[key]; q.more && known != nil {
		a.tellCall(key, known)
	}
}

// withdrawn tells of the calls whose questions the end of the turn has withdrawn.
func (a *ask) withdrawn() {
	for _, key := range slices.Sorted(maps.Keys(a.asked)) {
		a.asked[key].questions = 1
		a.decided(key)
	}
}

// key is the id of a call among the events of the asker.
func (a *ask) key(session, call string) string { return a.ask(session) + "/" + call }

func (a *ask) merge(session string, t acp.ToolCallUpdate) *ui.ToolCall {
	key := a.key(session, t.ToolCallID)
	known := a.calls[key]
	if known == nil {
		known = a.begun(session, key)
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
	if t.RawOutput != nil {
		known.RawOutput = t.RawOutput
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

// begun makes a new call known. An id that an ended call had is told apart from it; the oldest call
// that hasn't ended makes room where there are too many.
func (a *ask) begun(session, key string) *ui.ToolCall {
	if session == a.id {
		a.answer.call()
	}
	if m, spoke := a.spoken[session]; spoke {
		m.ended = true
		a.spoken[session] = m
	}
	id := key
	if n := a.past[key]; n > 0 {
		id += "#" + strconv.Itoa(n+1)
	}
	call := &ui.ToolCall{Call: consent.Call{ID: id, Agent: a.agent(session), Kind: consent.KindOther}, Ask: a.ask(session), Status: ui.Pending}
	a.calls[key] = call
	a.order = append(a.order, key)
	for len(a.calls) > maxOpenCalls {
		a.drop(a.order[0], "[nothing was heard of its end]")
	}
	return call
}

// forget notes that a call has ended.
func (a *ask) forget(key string) {
	delete(a.calls, key)
	if len(a.past) >= maxPastCalls {
		clear(a.past)
	}
	a.past[key]++
	if len(a.order) > 2*maxOpenCalls {
		a.order = slices.DeleteFunc(a.order, func(k string) bool { return a.calls[k] == nil })
	}
	for len(a.order) > 0 && a.calls[a.order[0]] == nil {
		a.order = a.order[1:]
	}
}

// drop ends a call that its agent hasn't ended.
func (a *ask) drop(key, why string) {
	call := a.calls[key]
	a.c.mu.Lock()
	delete(a.passed, call.ID)
	a.c.mu.Unlock()
	call.Status, call.Output = ui.Failed, strings.TrimLeft(call.Output+"\n"+why, "\n")
	a.host.Emit(*call)
	a.forget(key)
}

// leave ends, for the asker, all that the agent has begun and not ended: its calls, and the agents
// below it.
func (a *ask) leave(why string) {
	for len(a.order) > 0 {
		a.drop(a.order[0], "["+why+"]")
	}
	for _, sub := range a.subs {
		sub.Reason = why
		a.host.Emit(sub)
	}
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

// callEnded runs the postToolCall hooks on a call that had passed the gate, beside the agent's work.
func (a *ask) callEnded(t ui.ToolCall) {
	a.c.mu.Lock()
	passed := a.passed[t.ID]
	delete(a.passed, t.ID)
	a.c.mu.Unlock()
	if passed {
		a.after.Go(func() { a.host.Ended(a.caller, t) })
	} else {
		a.unasked(t)
	}
}
