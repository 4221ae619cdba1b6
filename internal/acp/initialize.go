package acp

// Capability is one that is there when it isn't nil.
type Capability struct {
	Meta Meta `json:"_meta,omitempty"`
}

// Implementation names a program and its version.
type Implementation struct {
	Name    string `json:"name" acp:"required"`
	Title   string `json:"title,omitempty"`
	Version string `json:"version" acp:"required"`
	Meta    Meta   `json:"_meta,omitempty"`
}

// InitializeRequest is the first request of a connection. The agent answers Version whatever
// version it is asked for.
type InitializeRequest struct {
	ProtocolVersion    int                `json:"protocolVersion" acp:"required"`
	ClientCapabilities ClientCapabilities `json:"clientCapabilities,omitzero"`
	ClientInfo         *Implementation    `json:"clientInfo,omitempty"`
	Meta               Meta               `json:"_meta,omitempty"`
}

// ClientCapabilities is what a client announces. What is omitted it can't do.
type ClientCapabilities struct {
	FS          FSCapabilities             `json:"fs,omitzero"`
	Terminal    bool                       `json:"terminal,omitempty"`
	Session     *ClientSessionCapabilities `json:"session,omitempty"`
	Auth        ClientAuthCapabilities     `json:"auth,omitzero"`
	Elicitation *ElicitationCapabilities   `json:"elicitation,omitempty"`
	Subagents   *Capability                `json:"subagents,omitempty"` // [S+]
	Plan        *Capability                `json:"plan,omitempty"`      // [S+] plan_update, plan_removed
	Meta        Meta                       `json:"_meta,omitempty"`
}

// FSCapabilities says which fs methods a client has.
type FSCapabilities struct {
	ReadTextFile  bool `json:"readTextFile,omitempty"`
	WriteTextFile bool `json:"writeTextFile,omitempty"`
	Meta          Meta `json:"_meta,omitempty"`
}

// ClientSessionCapabilities says which further session updates a client understands.
type ClientSessionCapabilities struct {
	Compaction    *Capability               `json:"compaction,omitempty"`
	ConfigOptions *ConfigOptionCapabilities `json:"configOptions,omitempty"`
	Notices       *Capability               `json:"notices,omitempty"`
	Meta          Meta                      `json:"_meta,omitempty"`
}

// ConfigOptionCapabilities says which types of config options a client knows beside select.
type ConfigOptionCapabilities struct {
	Boolean *Capability `json:"boolean,omitempty"`
	Meta    Meta        `json:"_meta,omitempty"`
}

// ClientAuthCapabilities says whether a client can run terminal auth methods.
type ClientAuthCapabilities struct {
	Terminal bool `json:"terminal,omitempty"`
	Meta     Meta `json:"_meta,omitempty"`
}

// ElicitationCapabilities says which modes of elicitation/create a client has. An empty object
// means neither.
type ElicitationCapabilities struct {
	Form *Capability `json:"form,omitempty"`
	URL  *Capability `json:"url,omitempty"`
	Meta Meta        `json:"_meta,omitempty"`
}

// Notices reports whether the client takes notice updates.
func (c ClientCapabilities) Notices() bool { return c.Session != nil && c.Session.Notices != nil }

// Compaction reports whether the client takes compaction updates.
func (c ClientCapabilities) Compaction() bool { return c.Session != nil && c.Session.Compaction != nil }

// BooleanOptions reports whether the client takes boolean config options.
func (c ClientCapabilities) BooleanOptions() bool {
	return c.Session != nil && c.Session.ConfigOptions != nil && c.Session.ConfigOptions.Boolean != nil
}

// Forms reports whether the client takes elicitation/create in form mode.
func (c ClientCapabilities) Forms() bool { return c.Elicitation != nil && c.Elicitation.Form != nil }

// InitializeResponse is the agent's answer.
type InitializeResponse struct {
	ProtocolVersion   int               `json:"protocolVersion" acp:"required"`
	AgentCapabilities AgentCapabilities `json:"agentCapabilities,omitzero"`
	AuthMethods       []AuthMethod      `json:"authMethods,omitempty"`
	AgentInfo         *Implementation   `json:"agentInfo,omitempty"`
	Meta              Meta              `json:"_meta,omitempty"`
}

// AgentCapabilities is what an agent announces. What is omitted it can't do.
type AgentCapabilities struct {
	LoadSession         bool                  `json:"loadSession,omitempty"`
	PromptCapabilities  PromptCapabilities    `json:"promptCapabilities,omitzero"`
	MCPCapabilities     MCPCapabilities       `json:"mcpCapabilities,omitzero"`
	SessionCapabilities SessionCapabilities   `json:"sessionCapabilities,omitzero"`
	Auth                AgentAuthCapabilities `json:"auth,omitzero"`
	Meta                Meta                  `json:"_meta,omitempty"`
}

// PromptCapabilities says which content blocks an agent takes beside text and resource_link.
type PromptCapabilities struct {
	Image           bool `json:"image,omitempty"`
	Audio           bool `json:"audio,omitempty"`
	EmbeddedContext bool `json:"embeddedContext,omitempty"`
	Meta            Meta `json:"_meta,omitempty"`
}

// MCPCapabilities says over which transports an agent reaches MCP servers beside stdio.
type MCPCapabilities struct {
	HTTP bool `json:"http,omitempty"`
	SSE  bool `json:"sse,omitempty"`
	Meta Meta `json:"_meta,omitempty"`
}

// SessionCapabilities says which further session methods an agent has.
type SessionCapabilities struct {
	List                  *Capability `json:"list,omitempty"`
	Delete                *Capability `json:"delete,omitempty"`
	AdditionalDirectories *Capability `json:"additionalDirectories,omitempty"`
	Resume                *Capability `json:"resume,omitempty"`
	Close                 *Capability `json:"close,omitempty"`
	Meta                  Meta        `json:"_meta,omitempty"`
}

// AgentAuthCapabilities says whether an agent has logout.
type AgentAuthCapabilities struct {
	Logout *Capability `json:"logout,omitempty"`
	Meta   Meta        `json:"_meta,omitempty"`
}

// AuthTerminal is the type of an auth method that runs the agent's program in a terminal.
const AuthTerminal = "terminal"

// AuthMethod is a way to log in. Type is "" when the agent does it itself on authenticate, or
// AuthTerminal, which only clients that announced auth.terminal may get: it has Args and Env for a
// run of the agent's program and is never passed to authenticate.
type AuthMethod struct {
	Type        string            `json:"type,omitempty"`
	ID          string            `json:"id" acp:"required"`
	Name        string            `json:"name" acp:"required"`
	Description string            `json:"description,omitempty"`
	Args        []string          `json:"args,omitempty" acp:"strict"`
	Env         map[string]string `json:"env,omitempty" acp:"strict"`
	Meta        Meta              `json:"_meta,omitempty"`
}

// AuthenticateRequest logs in by one of the agent's methods.
type AuthenticateRequest struct {
	MethodID string `json:"methodId" acp:"required"`
	Meta     Meta   `json:"_meta,omitempty"`
}

// Empty is the result of methods that have none, and the params of logout. It is sent as {}.
type Empty struct {
	Meta Meta `json:"_meta,omitempty"`
}
