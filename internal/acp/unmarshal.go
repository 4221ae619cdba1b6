package acp

// Reading, for each struct, by the rules of decode.go.

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Capability) UnmarshalJSON(b []byte) error {
	type plain Capability
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Implementation) UnmarshalJSON(b []byte) error {
	type plain Implementation
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *InitializeRequest) UnmarshalJSON(b []byte) error {
	type plain InitializeRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ClientCapabilities) UnmarshalJSON(b []byte) error {
	type plain ClientCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *FSCapabilities) UnmarshalJSON(b []byte) error {
	type plain FSCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ClientSessionCapabilities) UnmarshalJSON(b []byte) error {
	type plain ClientSessionCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ConfigOptionCapabilities) UnmarshalJSON(b []byte) error {
	type plain ConfigOptionCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ClientAuthCapabilities) UnmarshalJSON(b []byte) error {
	type plain ClientAuthCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ElicitationCapabilities) UnmarshalJSON(b []byte) error {
	type plain ElicitationCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *InitializeResponse) UnmarshalJSON(b []byte) error {
	type plain InitializeResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *AgentCapabilities) UnmarshalJSON(b []byte) error {
	type plain AgentCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PromptCapabilities) UnmarshalJSON(b []byte) error {
	type plain PromptCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *MCPCapabilities) UnmarshalJSON(b []byte) error {
	type plain MCPCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SessionCapabilities) UnmarshalJSON(b []byte) error {
	type plain SessionCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *AgentAuthCapabilities) UnmarshalJSON(b []byte) error {
	type plain AgentAuthCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *AuthMethod) UnmarshalJSON(b []byte) error {
	type plain AuthMethod
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *AuthenticateRequest) UnmarshalJSON(b []byte) error {
	type plain AuthenticateRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Empty) UnmarshalJSON(b []byte) error {
	type plain Empty
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *NewSessionRequest) UnmarshalJSON(b []byte) error {
	type plain NewSessionRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *NewSessionResponse) UnmarshalJSON(b []byte) error {
	type plain NewSessionResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *LoadSessionRequest) UnmarshalJSON(b []byte) error {
	type plain LoadSessionRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *LoadSessionResponse) UnmarshalJSON(b []byte) error {
	type plain LoadSessionResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ListSessionsRequest) UnmarshalJSON(b []byte) error {
	type plain ListSessionsRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ListSessionsResponse) UnmarshalJSON(b []byte) error {
	type plain ListSessionsResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SessionInfo) UnmarshalJSON(b []byte) error {
	type plain SessionInfo
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SessionRequest) UnmarshalJSON(b []byte) error {
	type plain SessionRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SystemPrompt) UnmarshalJSON(b []byte) error {
	type plain SystemPrompt
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PromptResponse) UnmarshalJSON(b []byte) error {
	type plain PromptResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *CancelRequestParams) UnmarshalJSON(b []byte) error {
	type plain CancelRequestParams
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *NameValue) UnmarshalJSON(b []byte) error {
	type plain NameValue
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Modes) UnmarshalJSON(b []byte) error {
	type plain Modes
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Mode) UnmarshalJSON(b []byte) error {
	type plain Mode
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SetModeRequest) UnmarshalJSON(b []byte) error {
	type plain SetModeRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ConfigValue) UnmarshalJSON(b []byte) error {
	type plain ConfigValue
	return decodeObject(b, (*plain)(v))
}

func (v *configOption) UnmarshalJSON(b []byte) error {
	type plain configOption
	return decodeObject(b, (*plain)(v))
}

func (v *configGroup) UnmarshalJSON(b []byte) error {
	type plain configGroup
	return decodeObject(b, (*plain)(v))
}

func (v *setConfigOption) UnmarshalJSON(b []byte) error {
	type plain setConfigOption
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SetConfigOptionResponse) UnmarshalJSON(b []byte) error {
	type plain SetConfigOptionResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Annotations) UnmarshalJSON(b []byte) error {
	type plain Annotations
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ResourceContents) UnmarshalJSON(b []byte) error {
	type plain ResourceContents
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ToolCallLocation) UnmarshalJSON(b []byte) error {
	type plain ToolCallLocation
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PermissionOption) UnmarshalJSON(b []byte) error {
	type plain PermissionOption
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *RequestPermissionRequest) UnmarshalJSON(b []byte) error {
	type plain RequestPermissionRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PermissionOutcome) UnmarshalJSON(b []byte) error {
	type plain PermissionOutcome
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *RequestPermissionResponse) UnmarshalJSON(b []byte) error {
	type plain RequestPermissionResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Chunk) UnmarshalJSON(b []byte) error {
	type plain Chunk
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Plan) UnmarshalJSON(b []byte) error {
	type plain Plan
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PlanEntry) UnmarshalJSON(b []byte) error {
	type plain PlanEntry
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PlanUpdate) UnmarshalJSON(b []byte) error {
	type plain PlanUpdate
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PlanContent) UnmarshalJSON(b []byte) error {
	type plain PlanContent
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PlanRemoved) UnmarshalJSON(b []byte) error {
	type plain PlanRemoved
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *AvailableCommands) UnmarshalJSON(b []byte) error {
	type plain AvailableCommands
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *AvailableCommand) UnmarshalJSON(b []byte) error {
	type plain AvailableCommand
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *CommandInput) UnmarshalJSON(b []byte) error {
	type plain CommandInput
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *CurrentMode) UnmarshalJSON(b []byte) error {
	type plain CurrentMode
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ConfigOptions) UnmarshalJSON(b []byte) error {
	type plain ConfigOptions
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SessionInfoUpdate) UnmarshalJSON(b []byte) error {
	type plain SessionInfoUpdate
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Usage) UnmarshalJSON(b []byte) error {
	type plain Usage
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Cost) UnmarshalJSON(b []byte) error {
	type plain Cost
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Notice) UnmarshalJSON(b []byte) error {
	type plain Notice
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Compaction) UnmarshalJSON(b []byte) error {
	type plain Compaction
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *CompactionSummaryChunk) UnmarshalJSON(b []byte) error {
	type plain CompactionSummaryChunk
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SubagentUpdate) UnmarshalJSON(b []byte) error {
	type plain SubagentUpdate
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SubagentCapabilities) UnmarshalJSON(b []byte) error {
	type plain SubagentCapabilities
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SubagentState) UnmarshalJSON(b []byte) error {
	type plain SubagentState
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SessionMessage) UnmarshalJSON(b []byte) error {
	type plain SessionMessage
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *SessionMessageChunk) UnmarshalJSON(b []byte) error {
	type plain SessionMessageChunk
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ElicitRequest) UnmarshalJSON(b []byte) error {
	type plain ElicitRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ElicitationSchema) UnmarshalJSON(b []byte) error {
	type plain ElicitationSchema
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *Property) UnmarshalJSON(b []byte) error {
	type plain Property
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *EnumOption) UnmarshalJSON(b []byte) error {
	type plain EnumOption
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PropertyItems) UnmarshalJSON(b []byte) error {
	type plain PropertyItems
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ElicitResponse) UnmarshalJSON(b []byte) error {
	type plain ElicitResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ElicitComplete) UnmarshalJSON(b []byte) error {
	type plain ElicitComplete
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ReadTextFileRequest) UnmarshalJSON(b []byte) error {
	type plain ReadTextFileRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ReadTextFileResponse) UnmarshalJSON(b []byte) error {
	type plain ReadTextFileResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *WriteTextFileRequest) UnmarshalJSON(b []byte) error {
	type plain WriteTextFileRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *CreateTerminalRequest) UnmarshalJSON(b []byte) error {
	type plain CreateTerminalRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *CreateTerminalResponse) UnmarshalJSON(b []byte) error {
	type plain CreateTerminalResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *TerminalRequest) UnmarshalJSON(b []byte) error {
	type plain TerminalRequest
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *TerminalOutputResponse) UnmarshalJSON(b []byte) error {
	type plain TerminalOutputResponse
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads the object by the rules of its tags.
func (v *ExitStatus) UnmarshalJSON(b []byte) error {
	type plain ExitStatus
	return decodeObject(b, (*plain)(v))
}

// UnmarshalJSON reads a server; a malformed one is an error.
func (s *MCPServer) UnmarshalJSON(b []byte) error {
	type plain MCPServer
	if err := decodeObject(b, (*plain)(s)); err != nil {
		return err
	}
	return s.check()
}
