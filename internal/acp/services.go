package acp

// ReadTextFileRequest reads a file through the client, with unsaved changes. Line counts from 1.
type ReadTextFileRequest struct {
	SessionID string `json:"sessionId" acp:"required"`
	Path      string `json:"path" acp:"required"`
	Line      *int   `json:"line,omitempty" acp:"strict"`
	Limit     *int   `json:"limit,omitempty" acp:"strict"` // lines
	Meta      Meta   `json:"_meta,omitempty"`
}

// ReadTextFileResponse is what the file holds. A missing file is an error with CodeNotFound.
type ReadTextFileResponse struct {
	Content string `json:"content" acp:"required"`
	Meta    Meta   `json:"_meta,omitempty"`
}

func (*ReadTextFileResponse) needed() {}

// WriteTextFileRequest writes a file through the client and creates it when it isn't there.
type WriteTextFileRequest struct {
	SessionID string `json:"sessionId" acp:"required"`
	Path      string `json:"path" acp:"required"`
	Content   string `json:"content" acp:"required"`
	Meta      Meta   `json:"_meta,omitempty"`
}

// CreateTerminalRequest runs a command in a terminal of the client.
type CreateTerminalRequest struct {
	SessionID       string      `json:"sessionId" acp:"required"`
	Command         string      `json:"command" acp:"required"`
	Args            []string    `json:"args,omitempty" acp:"strict"`
	Env             []NameValue `json:"env,omitempty" acp:"strict"`
	Cwd             string      `json:"cwd,omitempty" acp:"strict"`
	OutputByteLimit *uint64     `json:"outputByteLimit,omitempty" acp:"strict"`
	Meta            Meta        `json:"_meta,omitempty"`
}

// CreateTerminalResponse names the terminal.
type CreateTerminalResponse struct {
	TerminalID string `json:"terminalId" acp:"required"`
	Meta       Meta   `json:"_meta,omitempty"`
}

// TerminalRequest names a terminal: the params of terminal/output, terminal/wait_for_exit,
// terminal/kill and terminal/release.
type TerminalRequest struct {
	SessionID  string `json:"sessionId" acp:"required"`
	TerminalID string `json:"terminalId" acp:"required"`
	Meta       Meta   `json:"_meta,omitempty"`
}

// TerminalOutputResponse is what a command has written so far. Truncation drops the start.
type TerminalOutputResponse struct {
	Output     string      `json:"output" acp:"required"`
	Truncated  bool        `json:"truncated" acp:"required"`
	ExitStatus *ExitStatus `json:"exitStatus,omitempty"`
	Meta       Meta        `json:"_meta,omitempty"`
}

// ExitStatus says how a command ended: the answer to terminal/wait_for_exit.
type ExitStatus struct {
	ExitCode *int   `json:"exitCode,omitempty"`
	Signal   string `json:"signal,omitempty"`
	Meta     Meta   `json:"_meta,omitempty"`
}
