package acp

import "encoding/json"

// NewSessionRequest begins a session. Cwd is absolute. A missing or null list of MCP servers is
// an empty one, a malformed one is refused.
type NewSessionRequest struct {
	Cwd                   string        `json:"cwd" acp:"required"`
	AdditionalDirectories []string      `json:"additionalDirectories,omitempty" acp:"strict"`
	MCPServers            MCPServers    `json:"mcpServers"`
	SystemPrompt          *SystemPrompt `json:"systemPrompt,omitempty" acp:"strict"` // [S+]
	Meta                  Meta          `json:"_meta,omitempty"`
}

// NewSessionResponse names the session. Updates of it come after this response.
type NewSessionResponse struct {
	SessionID     string         `json:"sessionId" acp:"required"`
	Modes         *Modes         `json:"modes,omitempty"`
	ConfigOptions []ConfigOption `json:"configOptions,omitempty"`
	Meta          Meta           `json:"_meta,omitempty"`
}

// LoadSessionRequest goes on with a saved session: session/load replays its history before the
// response, session/resume doesn't.
type LoadSessionRequest struct {
	SessionID             string        `json:"sessionId" acp:"required"`
	Cwd                   string        `json:"cwd" acp:"required"`
	AdditionalDirectories []string      `json:"additionalDirectories,omitempty" acp:"strict"`
	MCPServers            MCPServers    `json:"mcpServers"`
	SystemPrompt          *SystemPrompt `json:"systemPrompt,omitempty" acp:"strict"` // [S+]
	Meta                  Meta          `json:"_meta,omitempty"`
}

// LoadSessionResponse answers session/load and session/resume.
type LoadSessionResponse struct {
	Modes         *Modes         `json:"modes,omitempty"`
	ConfigOptions []ConfigOption `json:"configOptions,omitempty"`
	Meta          Meta           `json:"_meta,omitempty"`
}

// ListSessionsRequest asks for the saved sessions, those of one folder when Cwd is set. Cursor is
// the NextCursor of the page before.
type ListSessionsRequest struct {
	Cwd    string `json:"cwd,omitempty" acp:"strict"`
	Cursor string `json:"cursor,omitempty" acp:"strict"`
	Meta   Meta   `json:"_meta,omitempty"`
}

// ListSessionsResponse is one page of sessions; there is another when NextCursor is set.
type ListSessionsResponse struct {
	Sessions   List[SessionInfo] `json:"sessions" acp:"lenient"`
	NextCursor string            `json:"nextCursor,omitempty"`
	Meta       Meta              `json:"_meta,omitempty"`
}

// SessionInfo describes a saved session. UpdatedAt is a time in RFC 3339.
type SessionInfo struct {
	SessionID             string   `json:"sessionId" acp:"required"`
	Cwd                   string   `json:"cwd" acp:"required"`
	AdditionalDirectories []string `json:"additionalDirectories,omitempty"`
	Title                 string   `json:"title,omitempty"`
	UpdatedAt             string   `json:"updatedAt,omitempty"`
	Meta                  Meta     `json:"_meta,omitempty"`
}

// SessionRequest is the params of methods that only name a session: session/close,
// session/delete, and the notification session/cancel.
type SessionRequest struct {
	SessionID string `json:"sessionId" acp:"required"`
	Meta      Meta   `json:"_meta,omitempty"`
}

// SystemPrompt [S+] adds to the agent's system prompt or replaces it.
type SystemPrompt struct {
	Mode    string         `json:"mode" acp:"required"` // append, override
	Content []ContentBlock `json:"content" acp:"required"`
	Meta    Meta           `json:"_meta,omitempty"`
}

// PromptRequest is one turn of a session. It stays open until the turn has ended.
type PromptRequest struct {
	SessionID string         `json:"sessionId" acp:"required"`
	Prompt    []ContentBlock `json:"prompt" acp:"required"`
	Meta      Meta           `json:"_meta,omitempty"`
}

// StopReason says why a turn ended. Foreign agents may send others.
type StopReason string

// The stop reasons of ACP v1.
const (
	StopEndTurn         StopReason = "end_turn"
	StopMaxTokens       StopReason = "max_tokens"
	StopMaxTurnRequests StopReason = "max_turn_requests"
	StopRefusal         StopReason = "refusal"
	StopCancelled       StopReason = "cancelled"
)

// PromptResponse ends a turn. All updates of the turn come before it.
type PromptResponse struct {
	StopReason StopReason `json:"stopReason" acp:"required"`
	Meta       Meta       `json:"_meta,omitempty"`
}

// CancelRequestParams is the params of $/cancel_request. The id is as it was sent.
type CancelRequestParams struct {
	RequestID any  `json:"requestId"`
	Meta      Meta `json:"_meta,omitempty"`
}

// MCPServers is a list of servers that is sent even when it is empty.
type MCPServers = List[MCPServer]

// The types of MCP servers. A server over stdio has no type.
const (
	MCPStdio = ""
	MCPHTTP  = "http"
	MCPSSE   = "sse"
)

// MCPServer says how to reach an MCP server: by a command (Type MCPStdio) or a URL.
type MCPServer struct {
	Type    string      `json:"type,omitempty" acp:"strict"`
	Name    string      `json:"name" acp:"required"`
	Command string      `json:"command,omitempty" acp:"strict"` // absolute
	Args    []string    `json:"args,omitempty" acp:"strict"`
	Env     []NameValue `json:"env,omitempty" acp:"strict"`
	URL     string      `json:"url,omitempty" acp:"strict"`
	Headers []NameValue `json:"headers,omitempty" acp:"strict"`
	Meta    Meta        `json:"_meta,omitempty"`
}

// NameValue is a variable of an environment or a header of HTTP.
type NameValue struct {
	Name  string `json:"name" acp:"required"`
	Value string `json:"value" acp:"required"`
	Meta  Meta   `json:"_meta,omitempty"`
}

// check refuses a server that can't be reached as described.
func (s MCPServer) check() error {
	switch {
	case s.Type == MCPStdio && s.Command == "":
		return &fieldError{"command", "is missing"}
	case s.Type == MCPStdio:
		return nil
	case s.Type != MCPHTTP && s.Type != MCPSSE:
		return &fieldError{"type", "unknown server type " + s.Type}
	case s.URL == "":
		return &fieldError{"url", "is missing"}
	}
	return nil
}

// MarshalJSON writes the fields of the server's type; its lists are always there.
func (s MCPServer) MarshalJSON() ([]byte, error) {
	if s.Type == MCPStdio {
		return encode(nil, struct {
			Name    string          `json:"name"`
			Command string          `json:"command"`
			Args    List[string]    `json:"args"`
			Env     List[NameValue] `json:"env"`
			Meta    Meta            `json:"_meta,omitempty"`
		}{s.Name, s.Command, s.Args, s.Env, s.Meta})
	}
	return encode(nil, struct {
		Type    string          `json:"type"`
		Name    string          `json:"name"`
		URL     string          `json:"url"`
		Headers List[NameValue] `json:"headers"`
		Meta    Meta            `json:"_meta,omitempty"`
	}{s.Type, s.Name, s.URL, s.Headers, s.Meta})
}

// SessionOf is the sessionId of a request's or notification's parameters, "" where there is none. It reads
// no more than that.
func SessionOf(params json.RawMessage) string {
	id := field(params, "sessionId")
	if len(id) == 0 || id[0] != '"' {
		return ""
	}
	return unquote(id)
}
