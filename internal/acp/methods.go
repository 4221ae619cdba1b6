package acp

// Version is the protocol version that mm speaks.
const Version = 1

// Methods that the client calls on the agent.
const (
	MethodInitialize      = "initialize"
	MethodAuthenticate    = "authenticate"
	MethodLogout          = "logout"
	MethodNewSession      = "session/new"
	MethodLoadSession     = "session/load"
	MethodResumeSession   = "session/resume"
	MethodListSessions    = "session/list"
	MethodCloseSession    = "session/close"
	MethodDeleteSession   = "session/delete"
	MethodPrompt          = "session/prompt"
	MethodCancel          = "session/cancel" // a notification
	MethodSetMode         = "session/set_mode"
	MethodSetConfigOption = "session/set_config_option"
)

// Methods that the agent calls on the client.
const (
	MethodUpdate            = "session/update" // a notification
	MethodRequestPermission = "session/request_permission"
	MethodElicit            = "elicitation/create"
	MethodElicitComplete    = "elicitation/complete" // a notification
	MethodReadTextFile      = "fs/read_text_file"
	MethodWriteTextFile     = "fs/write_text_file"
	MethodCreateTerminal    = "terminal/create"
	MethodTerminalOutput    = "terminal/output"
	MethodReleaseTerminal   = "terminal/release"
	MethodWaitForExit       = "terminal/wait_for_exit"
	MethodKillTerminal      = "terminal/kill"
)

// MethodCancelRequest is the notification by which either side gives up one request of its own.
const MethodCancelRequest = "$/cancel_request"
