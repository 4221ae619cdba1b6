package acp

import (
	"encoding/json"
	"errors"
)

// The kinds of session updates. Those marked [S+] and those of a capability go only to clients
// that announced it: others drop updates of a kind they don't know.
const (
	UpdateUserMessage            = "user_message_chunk"
	UpdateAgentMessage           = "agent_message_chunk"
	UpdateAgentThought           = "agent_thought_chunk"
	UpdateToolCall               = "tool_call"
	UpdateToolCallUpdate         = "tool_call_update"
	UpdatePlan                   = "plan"
	UpdateAvailableCommands      = "available_commands_update"
	UpdateCurrentMode            = "current_mode_update"
	UpdateConfigOption           = "config_option_update"
	UpdateSessionInfo            = "session_info_update"
	UpdateUsage                  = "usage_update"
	UpdateNotice                 = "notice"                   // session.notices
	UpdateCompaction             = "compaction_update"        // session.compaction
	UpdateCompactionSummaryChunk = "compaction_summary_chunk" // session.compaction
	UpdatePlanUpdate             = "plan_update"              // [S+] plan
	UpdatePlanRemoved            = "plan_removed"             // [S+] plan
	UpdateSubagent               = "subagent_update"          // [S+] subagents
	UpdateSessionMessage         = "session_message"          // [S+] subagents
	UpdateSessionMessageChunk    = "session_message_chunk"    // [S+] subagents
)

// Update is what a session/update may carry: Chunk, ToolCall, ToolCallUpdate, Plan,
// AvailableCommands, CurrentMode, ConfigOptions, SessionInfoUpdate, Usage, Notice, Compaction,
// CompactionSummaryChunk, PlanUpdate, PlanRemoved, SubagentUpdate, SessionMessage,
// SessionMessageChunk, or a SessionUpdate that is passed on.
type Update interface {
	UpdateKind() string
}

// SessionNotification is the params of a session/update to send.
type SessionNotification struct {
	SessionID string
	Update    Update
	Meta      Meta
}

// MarshalJSON writes the notification with the update's kind in its place.
func (n SessionNotification) MarshalJSON() ([]byte, error) {
	if n.Update == nil {
		return nil, errors.New("session/update without an update")
	}
	b := append([]byte(nil), `{"sessionId":`...)
	b = append(appendString(b, n.SessionID), `,"update":`...)
	b, err := appendUpdate(b, n.Update)
	if err != nil {
		return nil, err
	}
	if n.Meta != nil {
		if b, err = encode(append(b, `,"_meta":`...), n.Meta); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendUpdate(b []byte, u Update) ([]byte, error) {
	if s, ok := u.(SessionUpdate); ok {
		return append(b, s.Raw...), nil
	}
	b = append(b, `{"sessionUpdate":`...)
	b = appendString(b, u.UpdateKind())
	at := len(b)
	b, err := encode(b, u)
	if err != nil {
		return nil, err
	}
	if b[at+1] == '}' {
		return append(b[:at], '}'), nil
	}
	b[at] = ','
	return b, nil
}

// SessionUpdate is a received session/update: its kind, and the update as it came. It can be
// passed on as it is, in another SessionNotification.
type SessionUpdate struct {
	SessionID string
	Kind      string
	Raw       json.RawMessage
	Meta      json.RawMessage // the notification's own _meta, nil when absent
}

// UpdateKind returns the kind.
func (u SessionUpdate) UpdateKind() string { return u.Kind }

// ParseUpdate reads the params of a session/update in one pass and looks no deeper than the
// update's kind. The result shares memory with params.
func ParseUpdate(params json.RawMessage) (SessionUpdate, error) {
	var u SessionUpdate
	whole := eachField(params, func(key, val []byte) bool {
		switch string(key) {
		case "sessionId":
			u.SessionID = unquote(val)
		case "update":
			u.Raw = val
		case "_meta":
			u.Meta = val
		}
		return true
	})
	if !whole {
		return u, InvalidParams("session/update: expected an object")
	}
	if u.SessionID == "" {
		return u, InvalidParams("session/update: sessionId is missing")
	}
	eachField(u.Raw, func(key, val []byte) bool {
		if string(key) == "sessionUpdate" {
			u.Kind = unquote(val)
			return false
		}
		return true
	})
	if u.Kind == "" {
		return u, InvalidParams("session/update: update.sessionUpdate is missing")
	}
	return u, nil
}

// Decode reads the update into v, a pointer to the struct for its kind.
func (u SessionUpdate) Decode(v Update) error {
	if err := json.Unmarshal(u.Raw, v); err != nil {
		return InvalidParams("%s: %s", u.Kind, fieldText(err))
	}
	return nil
}

// IsChunk reports whether the update is a piece of a message or thought, for Chunk to decode.
func (u SessionUpdate) IsChunk() bool {
	return u.Kind == UpdateAgentMessage || u.Kind == UpdateAgentThought || u.Kind == UpdateUserMessage
}

// Chunk decodes a piece of a message or thought. Text, nearly all there is, goes a short way.
func (u SessionUpdate) Chunk() (Chunk, error) {
	c := Chunk{Kind: u.Kind}
	var block []byte
	plain := true
	eachField(u.Raw, func(key, val []byte) bool {
		switch string(key) {
		case "content":
			block = val
		case "messageId":
			c.MessageID = unquote(val)
		case "_meta":
			plain = false
		}
		return true
	})
	if plain && readText(block, &c.Content) {
		return c, nil
	}
	c = Chunk{}
	err := u.Decode(&c)
	c.Kind = u.Kind
	return c, err
}

// readText reads a content block that has nothing but text.
func readText(b []byte, c *ContentBlock) bool {
	fine := eachField(b, func(key, val []byte) bool {
		switch {
		case string(key) == "type":
			c.Type = unquote(val)
		case string(key) == "text" && val[0] == '"':
			c.Text = unquote(val)
		default:
			c.Type = ""
			return false
		}
		return true
	})
	return fine && c.Type == ContentText
}

// Chunk is a piece of a message or thought. A new MessageID begins a new message.
type Chunk struct {
	Kind      string       `json:"-"` // UpdateAgentMessage, UpdateAgentThought or UpdateUserMessage
	Content   ContentBlock `json:"content" acp:"required"`
	MessageID string       `json:"messageId,omitempty"`
	Meta      Meta         `json:"_meta,omitempty"`
}

// TextChunk makes a piece of text of a message.
func TextChunk(kind, messageID, text string) Chunk {
	return Chunk{Kind: kind, MessageID: messageID, Content: Text(text)}
}
