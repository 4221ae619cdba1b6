package acp

// SubagentUpdate [S+] tells the parent's session about a child's. It comes before anything that
// carries the child's id. Absent fields stay, null clears.
type SubagentUpdate struct {
	SessionID             string                      `json:"sessionId" acp:"required"`
	Title                 Patch[string]               `json:"title,omitzero"`
	Description           Patch[string]               `json:"description,omitzero"`
	Capabilities          Patch[SubagentCapabilities] `json:"capabilities,omitzero"`
	State                 Patch[SubagentState]        `json:"state,omitzero"`
	Cwd                   Patch[string]               `json:"cwd,omitzero" acp:"strict"`
	AdditionalDirectories Patch[[]string]             `json:"additionalDirectories,omitzero" acp:"strict"`
	Meta                  Meta                        `json:"_meta,omitempty"`
}

// SubagentCapabilities says what a client may do to a child's session.
type SubagentCapabilities struct {
	Cancel *Capability `json:"cancel,omitempty"`
	Meta   Meta        `json:"_meta,omitempty"`
}

// The states of a child's session.
const (
	StateRunning        = "running"
	StateIdle           = "idle"
	StateRequiresAction = "requires_action"
	StateUnknown        = "unknown"
)

// SubagentState is what a child's session does. StopReason may be set when it is idle.
type SubagentState struct {
	State      string     `json:"state" acp:"required"`
	StopReason StopReason `json:"stopReason,omitempty"`
	Meta       Meta       `json:"_meta,omitempty"`
}

// SessionMessage [S+] is what one session says to another.
type SessionMessage struct {
	MessageID          string         `json:"messageId" acp:"required"`
	SenderSessionID    string         `json:"senderSessionId,omitempty"`
	RecipientSessionID string         `json:"recipientSessionId,omitempty"`
	SenderMessageID    string         `json:"senderMessageId,omitempty"`
	RecipientMessageID string         `json:"recipientMessageId,omitempty"`
	Content            []ContentBlock `json:"content,omitempty"`
	Meta               Meta           `json:"_meta,omitempty"`
}

// SessionMessageChunk [S+] is one more piece of a SessionMessage.
type SessionMessageChunk struct {
	MessageID string       `json:"messageId" acp:"required"`
	Content   ContentBlock `json:"content" acp:"required"`
	Meta      Meta         `json:"_meta,omitempty"`
}

// UpdateKind returns the kind of update that carries this.
func (SubagentUpdate) UpdateKind() string { return UpdateSubagent }

// UpdateKind returns the kind of update that carries this.
func (SessionMessage) UpdateKind() string { return UpdateSessionMessage }

// UpdateKind returns the kind of update that carries this.
func (SessionMessageChunk) UpdateKind() string { return UpdateSessionMessageChunk }
