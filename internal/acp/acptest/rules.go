package acptest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mini-me/mm/internal/acp"
)

// rules is what a strict client knows of a connection, to judge what the schema can't. It sees the
// frames in the order of the wire.
type rules struct {
	caps     acp.ClientCapabilities
	sessions map[string]*session
	requests map[string]string // session by id of the client's open request about it
}

// session is what is known of one session.
type session struct {
	turns int             // prompts without their answer
	calls map[string]bool // tool calls by id: still open?
}

func newRules() *rules { return &rules{sessions: map[string]*session{}, requests: map[string]string{}} }

// begin notes a session, and keeps what is known of it.
func (r *rules) begin(id string) *session {
	s := r.sessions[id]
	if s == nil {
		s = &session{calls: map[string]bool{}}
		r.sessions[id] = s
	}
	return s
}

// call judges a request or notification.
func (r *rules) call(method string, id, params json.RawMessage, fromAgent bool) string {
	var p struct {
		SessionID          string                 `json:"sessionId"`
		ClientCapabilities acp.ClientCapabilities `json:"clientCapabilities"`
	}
	_ = json.Unmarshal(params, &p) // the schema has its say about bad params
	switch {
	case fromAgent:
		return r.agentCall(method, params)
	case method == acp.MethodInitialize:
		r.caps = p.ClientCapabilities
	case method == acp.MethodResumeSession:
		r.begin(p.SessionID)
	case method == acp.MethodCloseSession:
		r.requests[string(id)] = p.SessionID
	case method == acp.MethodLoadSession, method == acp.MethodPrompt:
		r.requests[string(id)] = p.SessionID
		if s := r.sessions[p.SessionID]; s != nil || method == acp.MethodLoadSession {
			r.begin(p.SessionID).turns++
		}
	}
	return ""
}

func (r *rules) agentCall(method string, params json.RawMessage) string {
	if need, ok := r.announced(method); !ok {
		return method + ", and the client didn't announce " + need
	}
	switch method {
	case acp.MethodUpdate:
		u, err := acp.ParseUpdate(params)
		if err != nil {
			return err.Error()
		}
		return r.update(u)
	case acp.MethodRequestPermission:
		return r.permission(params)
	}
	return ""
}

// response judges the end of a request of the client.
func (r *rules) response(method string, id, result json.RawMessage) string {
	var p struct {
		SessionID string `json:"sessionId"`
	}
	_ = json.Unmarshal(result, &p) // the schema has its say about bad results
	about := r.requests[string(id)]
	delete(r.requests, string(id))
	switch method {
	case acp.MethodNewSession:
		switch {
		case p.SessionID == "": // it failed
		case r.sessions[p.SessionID] != nil:
			return "session " + p.SessionID + " was begun before"
		default:
			r.begin(p.SessionID)
		}
	case acp.MethodCloseSession:
		delete(r.sessions, about)
	case acp.MethodLoadSession, acp.MethodPrompt:
		if s := r.sessions[about]; s != nil {
			return s.turnEnded()
		}
	}
	return ""
}

// turnEnded judges the end of a turn: no tool call stays open, a cancelled one ends as failed.
func (s *session) turnEnded() string {
	if s.turns--; s.turns > 0 {
		return ""
	}
	for id, open := range s.calls {
		if open {
			s.calls[id] = false
			return fmt.Sprintf("tool call %s is still open at the end of the turn", id)
		}
	}
	return ""
}

// update judges an update by what came before it.
func (r *rules) update(u acp.SessionUpdate) string {
	if need := r.needs(u.Kind); need != "" {
		return u.Kind + ", and the client didn't announce " + need
	}
	s := r.sessions[u.SessionID]
	if s == nil {
		return "an update of session " + u.SessionID + ", which hasn't begun or was closed"
	}
	if u.Kind == acp.UpdateSubagent {
		r.beginChild(u)
	}
	if s.turns == 0 && ofTurn(u.Kind) {
		return u.Kind + " outside a turn"
	}
	if c, err := u.Chunk(); u.IsChunk() && err == nil && c.MessageID == "" {
		return u.Kind + " without a messageId"
	}
	return s.toolCall(u)
}

// beginChild notes the session of a child. Its updates belong to the parent's turns.
func (r *rules) beginChild(u acp.SessionUpdate) {
	var child acp.SubagentUpdate
	if u.Decode(&child) == nil && r.sessions[child.SessionID] == nil {
		r.begin(child.SessionID).turns = 1
	}
}

// ofTurn reports whether a kind of update belongs into a turn or a replay.
func ofTurn(kind string) bool {
	switch kind {
	case acp.UpdateAgentMessage, acp.UpdateAgentThought, acp.UpdateToolCall, acp.UpdateToolCallUpdate, acp.UpdatePlan:
		return true
	}
	return false
}

// toolCall follows a tool call from its announcement to its end.
func (s *session) toolCall(u acp.SessionUpdate) string {
	if u.Kind != acp.UpdateToolCall && u.Kind != acp.UpdateToolCallUpdate {
		return ""
	}
	var c acp.ToolCallUpdate
	if err := json.Unmarshal(u.Raw, &c); err != nil {
		return err.Error()
	}
	open, known := s.calls[c.ToolCallID]
	s.calls[c.ToolCallID] = c.Status != acp.ToolCompleted && c.Status != acp.ToolFailed && (open || !known)
	switch {
	case u.Kind == acp.UpdateToolCall && known:
		return "tool_call for a call that was announced before"
	case u.Kind == acp.UpdateToolCallUpdate && !known:
		return "tool_call_update without its tool_call"
	case u.Kind == acp.UpdateToolCall && (c.Name == "" || c.Kind == ""):
		return "tool_call without name or kind"
	}
	return ""
}

// permission judges a permission request: the call was announced, and the request repeats all that
// there is to show.
func (r *rules) permission(params json.RawMessage) string {
	var p acp.RequestPermissionRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return err.Error()
	}
	s := r.sessions[p.SessionID]
	switch {
	case s == nil:
		return "a permission request for session " + p.SessionID + ", which hasn't begun or was closed"
	case s.turns == 0:
		return "a permission request outside a turn"
	case !s.calls[p.ToolCall.ToolCallID]:
		return "a permission request for tool call " + p.ToolCall.ToolCallID + ", which isn't open"
	case p.ToolCall.Title == "" || p.ToolCall.Kind == "":
		return "a permission request without title or kind"
	case p.ToolCall.Status != "" && p.ToolCall.Status != acp.ToolPending:
		return "a permission request for a call that is " + string(p.ToolCall.Status)
	}
	for _, o := range p.Options {
		if o.Kind == acp.RejectOnce || o.Kind == acp.RejectAlways {
			return ""
		}
	}
	return "a permission request without an option to reject"
}

// needs names the capability that an update of a kind is for, "" when there is none or it was
// announced.
func (r *rules) needs(kind string) string {
	switch kind {
	case acp.UpdateNotice:
		return unless(r.caps.Notices(), "session.notices")
	case acp.UpdateCompaction, acp.UpdateCompactionSummaryChunk:
		return unless(r.caps.Compaction(), "session.compaction")
	case acp.UpdatePlanUpdate, acp.UpdatePlanRemoved:
		return unless(r.caps.Plan != nil, "plan")
	case acp.UpdateSubagent, acp.UpdateSessionMessage, acp.UpdateSessionMessageChunk:
		return unless(r.caps.Subagents != nil, "subagents")
	}
	return ""
}

func unless(has bool, name string) string {
	if has {
		return ""
	}
	return name
}

// announced reports whether the client has what a method needs, and what that is.
func (r *rules) announced(method string) (need string, ok bool) {
	switch {
	case method == acp.MethodReadTextFile:
		return "fs.readTextFile", r.caps.FS.ReadTextFile
	case method == acp.MethodWriteTextFile:
		return "fs.writeTextFile", r.caps.FS.WriteTextFile
	case strings.HasPrefix(method, "terminal/"):
		return "terminal", r.caps.Terminal
	case method == acp.MethodElicit:
		return "elicitation", r.caps.Elicitation != nil
	}
	return "", true
}
