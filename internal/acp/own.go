package acp

// What mm's own agents and clients tell each other in _meta, beside PermissionMeta and
// RejectionMeta. An agent of another make sends none of it and loses nothing.

// AgentMeta is mm's entry in a subagent_update: the agent's name in mmConfigs and what it is.
type AgentMeta struct {
	Agent    string `json:"agent,omitempty"`
	Call     string `json:"call,omitempty"` // the ask_agent call it works for
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	Prompt   string `json:"prompt,omitempty"`
	Reason   string `json:"reason,omitempty"` // why its answer isn't whole
}

// CallMeta is mm's entry in a tool_call or tool_call_update: how a call ended.
type CallMeta struct {
	Refused  string       `json:"refused,omitempty"` // why it didn't run
	ExitCode *int         `json:"exit_code,omitempty"`
	Files    []FileChange `json:"files,omitempty"`
}

// FileChange counts the lines that a call changed in a file.
type FileChange struct {
	Path    string `json:"path"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// UsageMeta is mm's entry in a usage_update: the tokens of the turn so far.
type UsageMeta struct {
	Input  int `json:"input_tokens"`
	Output int `json:"output_tokens"`
	Cached int `json:"cached_tokens"`
}

// FieldMeta is mm's entry in a field of an elicitation: Open lets a choice be answered in one's own
// words.
type FieldMeta struct {
	Open bool `json:"open,omitempty"`
}

// AskerMeta is mm's entry in initialize when it asks another agent: Depth is how many askers stand
// above that one (MM_ASK_DEPTH). The environment doesn't reach an agent behind ssh or in a
// container; this does.
type AskerMeta struct {
	Depth int `json:"depth"`
}

// SessionMeta is mm's entry in a session/new: the session of the agent that asks.
type SessionMeta struct {
	Parent string `json:"parent,omitempty"`
}
