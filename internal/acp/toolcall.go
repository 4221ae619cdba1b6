package acp

import "encoding/json"

// ToolKind says what a tool does.
type ToolKind string

// The tool kinds of ACP v1. Another one is read as absent.
const (
	ToolRead       ToolKind = "read"
	ToolEdit       ToolKind = "edit"
	ToolDelete     ToolKind = "delete"
	ToolMove       ToolKind = "move"
	ToolSearch     ToolKind = "search"
	ToolExecute    ToolKind = "execute"
	ToolThink      ToolKind = "think"
	ToolFetch      ToolKind = "fetch"
	ToolSwitchMode ToolKind = "switch_mode"
	ToolOther      ToolKind = "other"
)

func (k ToolKind) known() bool {
	switch k {
	case ToolRead, ToolEdit, ToolDelete, ToolMove, ToolSearch, ToolExecute, ToolThink, ToolFetch, ToolSwitchMode, ToolOther:
		return true
	}
	return false
}

// ToolStatus is the state of a tool call. There is none for a cancelled one: it failed.
type ToolStatus string

// The statuses of ACP v1. Another one is read as absent.
const (
	ToolPending    ToolStatus = "pending" // arguments stream, or permission is awaited
	ToolInProgress ToolStatus = "in_progress"
	ToolCompleted  ToolStatus = "completed"
	ToolFailed     ToolStatus = "failed"
)

func (s ToolStatus) known() bool {
	return s == ToolPending || s == ToolInProgress || s == ToolCompleted || s == ToolFailed
}

// ToolCall announces a call. Without a status it is pending.
type ToolCall struct {
	ToolCallID string             `json:"toolCallId" acp:"required"`
	Title      string             `json:"title"`
	Name       string             `json:"name,omitempty"`
	Kind       ToolKind           `json:"kind,omitempty"`
	Status     ToolStatus         `json:"status,omitempty"`
	Content    []ToolCallContent  `json:"content,omitempty"`
	Locations  []ToolCallLocation `json:"locations,omitempty"`
	RawInput   json.RawMessage    `json:"rawInput,omitempty"`
	RawOutput  json.RawMessage    `json:"rawOutput,omitempty"`
	Meta       Meta               `json:"_meta,omitempty"`
}

// ToolCallUpdate changes a call: what is absent stays. Content and Locations replace the whole
// list; nil leaves it, an empty one clears it.
type ToolCallUpdate struct {
	ToolCallID string             `json:"toolCallId" acp:"required"`
	Title      string             `json:"title,omitempty"`
	Name       string             `json:"name,omitempty"`
	Kind       ToolKind           `json:"kind,omitempty"`
	Status     ToolStatus         `json:"status,omitempty"`
	Content    []ToolCallContent  `json:"content,omitzero"`
	Locations  []ToolCallLocation `json:"locations,omitzero"`
	RawInput   json.RawMessage    `json:"rawInput,omitempty"`
	RawOutput  json.RawMessage    `json:"rawOutput,omitempty"`
	Meta       Meta               `json:"_meta,omitempty"`
}

// UnmarshalJSON reads a call; an unknown kind or status counts as absent.
func (t *ToolCall) UnmarshalJSON(b []byte) error {
	type plain ToolCall
	err := decodeObject(b, (*plain)(t))
	clearUnknown(&t.Kind, &t.Status)
	return err
}

// UnmarshalJSON reads an update; an unknown kind or status counts as absent.
func (t *ToolCallUpdate) UnmarshalJSON(b []byte) error {
	type plain ToolCallUpdate
	err := decodeObject(b, (*plain)(t))
	clearUnknown(&t.Kind, &t.Status)
	return err
}

func clearUnknown(k *ToolKind, s *ToolStatus) {
	if !k.known() {
		*k = ""
	}
	if !s.known() {
		*s = ""
	}
}

// The types of a tool call's content.
const (
	ToolContent  = "content"
	ToolDiff     = "diff"
	ToolTerminal = "terminal"
)

// ToolCallContent is a piece of what a call shows: a content block, a diff, or a terminal of the
// client. An item of another type is dropped.
type ToolCallContent struct {
	Type       string        `json:"type" acp:"required"`
	Content    *ContentBlock `json:"content,omitempty" acp:"strict"`
	Path       string        `json:"path,omitempty" acp:"strict"` // absolute
	OldText    *string       `json:"oldText,omitempty"`           // nil for a new file
	NewText    *string       `json:"newText,omitempty" acp:"strict"`
	TerminalID string        `json:"terminalId,omitempty" acp:"strict"`
	Meta       Meta          `json:"_meta,omitempty"`
}

// ToolText makes content of text.
func ToolText(s string) ToolCallContent {
	c := Text(s)
	return ToolCallContent{Type: ToolContent, Content: &c}
}

// DiffContent makes content that shows the change of a file. old is nil for a new file.
func DiffContent(path string, old *string, text string) ToolCallContent {
	return ToolCallContent{Type: ToolDiff, Path: path, OldText: old, NewText: &text}
}

// UnmarshalJSON reads content and checks that it has what its type needs.
func (c *ToolCallContent) UnmarshalJSON(b []byte) error {
	type plain ToolCallContent
	if err := decodeObject(b, (*plain)(c)); err != nil {
		return err
	}
	switch {
	case c.Type == ToolContent && c.Content == nil:
		return &fieldError{"content", "is missing"}
	case c.Type == ToolDiff && (c.Path == "" || c.NewText == nil):
		return &fieldError{"path", "or newText is missing"}
	case c.Type == ToolTerminal && c.TerminalID == "":
		return &fieldError{"terminalId", "is missing"}
	case c.Type != ToolContent && c.Type != ToolDiff && c.Type != ToolTerminal:
		return &fieldError{"type", "unknown type of content " + c.Type}
	}
	return nil
}

// ToolCallLocation is a place that a call touches, for an editor to follow. Line counts from 1.
type ToolCallLocation struct {
	Path string `json:"path" acp:"required"` // absolute
	Line int    `json:"line,omitempty"`
	Meta Meta   `json:"_meta,omitempty"`
}

// OptionKind says what choosing a permission option means. Foreign agents may send others.
type OptionKind string

// The option kinds of ACP v1.
const (
	AllowOnce    OptionKind = "allow_once"
	AllowAlways  OptionKind = "allow_always"
	RejectOnce   OptionKind = "reject_once"
	RejectAlways OptionKind = "reject_always"
)

// PermissionOption is one answer a user may choose.
type PermissionOption struct {
	OptionID string     `json:"optionId" acp:"required"`
	Name     string     `json:"name"`
	Kind     OptionKind `json:"kind"`
	Meta     Meta       `json:"_meta,omitempty"`
}

// RequestPermissionRequest asks the user about a call. ToolCall repeats all there is to show.
type RequestPermissionRequest struct {
	SessionID string                 `json:"sessionId" acp:"required"`
	ToolCall  ToolCallUpdate         `json:"toolCall" acp:"required"`
	Options   List[PermissionOption] `json:"options" acp:"lenient"`
	Meta      Meta                   `json:"_meta,omitempty"`
}

// The outcomes of a permission request.
const (
	OutcomeSelected  = "selected"
	OutcomeCancelled = "cancelled"
)

// PermissionOutcome is the user's answer. OptionID is set when it is OutcomeSelected.
type PermissionOutcome struct {
	Outcome  string `json:"outcome" acp:"required"`
	OptionID string `json:"optionId,omitempty" acp:"strict"`
	Meta     Meta   `json:"_meta,omitempty"`
}

// RequestPermissionResponse answers a permission request.
type RequestPermissionResponse struct {
	Outcome PermissionOutcome `json:"outcome" acp:"required"`
	Meta    Meta              `json:"_meta,omitempty"`
}

// Selected answers a permission request by one of its options.
func Selected(optionID string) RequestPermissionResponse {
	return RequestPermissionResponse{Outcome: PermissionOutcome{Outcome: OutcomeSelected, OptionID: optionID}}
}

// PermissionCancelled answers a permission request of a turn that was cancelled.
func PermissionCancelled() RequestPermissionResponse {
	return RequestPermissionResponse{Outcome: PermissionOutcome{Outcome: OutcomeCancelled}}
}
