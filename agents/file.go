package agents

import (
	"encoding/json"
	"sort"
	"time"
)

// File is an agent file that was read and found right, or the defaults of a run without one. Its
// fields are those of the reference page docs/reference/agent-file.md with all defaults applied.
// Paths are absolute. It isn't changed after Load, so goroutines may share it.
type File struct {
	// Path is the absolute path of the file, "" without one.
	Path string
	// Dir is the absolute folder of the file (without one: Env.Dir). Relative paths in the file
	// start here and hooks run here.
	Dir string

	// Provider is the label of the model server. It is "" only when the file says nothing of a
	// server: then one is to be found on this machine, and BaseURL is "" as well.
	Provider string
	// BaseURL is the OpenAI-compatible endpoint without a slash at its end; "" for the provider
	// "scripted" and for a server that is to be found.
	BaseURL string
	APIKey  string            // a secret; "" for none
	Headers map[string]string // secrets
	Model   string            // "" means the first one that the server lists
	// Script is the script file of the provider "scripted".
	Script string

	Temperature     float64
	MaxTokens       int // see AnswerTokens for what to send
	TopP            *float64
	Seed            *int64
	ReasoningEffort string
	// ExtraBody is merged into requests. Its values marshal to the JSON of what the file says.
	ExtraBody     map[string]any
	ContextWindow int    // in tokens; 0 means that the server is asked
	ToolCalls     string // "auto", "native" or "text"
	// Instructions is the system prompt, also when it comes from instructionsFile; "" means the
	// built-in one.
	Instructions string

	BashTool, EditTools, FetchContentTool, AskUserTool, PlanTool bool
	SkillsDir                                                    string

	MaxOutput       int           // characters of one tool result
	PreviewLines    int           // lines of a tool result in line mode
	MaxTurns        int           // model calls in one turn
	WatchdogTimeout time.Duration // 0 means off

	// Yolo says whether tools run without asking, AGENT_YOLO applied. It is always false for an
	// agent that another one asks: only the file that the user started decides.
	Yolo             bool
	StructuredOutput *StructuredOutput

	LSPServers map[string]LSPServer
	MCPServers map[string]MCPServer
	Hooks      map[string][]Hook // by event: PreToolCall, PostToolCall, PreAsk, PostAsk
	MMConfigs  map[string]Entry

	ACPTitle, ACPDescription string
	// SessionsDir is "" when it isn't set and no home folder is known.
	SessionsDir string
	Audit       string

	// Depth is how many askers stand above this agent (MM_ASK_DEPTH); 0 for the one that a user
	// started.
	Depth int
	// Warnings are lines for the user about what works but should be changed.
	Warnings []string

	maxTokensSet bool
	agentYolo    *bool // what AGENT_YOLO says
	secrets      []string
}

// StructuredOutput is the form that the final answer must have.
type StructuredOutput struct {
	Name string
	// Schema is a JSON Schema: an object with its keys in the order of the file.
	Schema json.RawMessage
}

// LSPServer is a language server. For a known name what the file leaves out is filled in.
type LSPServer struct {
	Name       string
	Command    string // a name to look for on the PATH, or an absolute path
	Args       []string
	Extensions []string // with their dot, such as ".go"
	// LanguageID is what the file says for all extensions; see Language.
	LanguageID            string
	Env                   map[string]string // added to the environment
	InitializationOptions json.RawMessage
	Settings              json.RawMessage
	Line, Column          int
}

// MCPServer is a server of MCP tools: one to start (Command) or one to connect to (URL).
type MCPServer struct {
	Name    string
	Command string // a name to look for on the PATH, or an absolute path
	Args    []string
	Env     map[string]string // added to the environment
	URL     string
	Headers map[string]string // secrets
	// Permission is "ask" (its tools ask whatever yolo says) or "auto".
	Permission string
	// Tools are the only ones to declare; nil means all.
	Tools        []string
	Line, Column int
}

// The events that hooks run at.
const (
	PreToolCall  = "preToolCall"
	PostToolCall = "postToolCall"
	PreAsk       = "preAsk"
	PostAsk      = "postAsk"
)

// Hook is a command that runs at an event.
type Hook struct {
	// Match is an RE2 expression for the whole name of the tool or agent; "" means all.
	Match   string
	Command string // for bash -c in File.Dir
	Timeout time.Duration
	// OnError is "deny" or "continue".
	OnError      string
	Line, Column int // of the hook in the file
}

// Entry is an agent that can be asked.
type Entry struct {
	Name string
	// Path is its agent file. It is "" when Command starts an agent of another make.
	Path        string
	Command     string // a name to look for on the PATH, or an absolute path
	Args        []string
	Env         map[string]string // added to the environment
	Description string
	// Yolo is as written; see File.EntryYolo for what counts.
	Yolo *bool
	// Timeout ends an ask, without the time that a human takes; 0 means none.
	Timeout time.Duration
	// Prewarm starts it before it is asked, once the first answer streams.
	Prewarm      bool
	Line, Column int
}

// BuiltInTitle is the title of an agent whose file gives none.
const BuiltInTitle = "mm"

// HasTitle reports whether the agent's title is one of its own.
func (f File) HasTitle() bool { return f.ACPTitle != BuiltInTitle }

// EntryNames lists the agents that can be asked, sorted.
func (f File) EntryNames() []string {
	names := make([]string, 0, len(f.MMConfigs))
	for name := range f.MMConfigs {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// EntryYolo gives the yolo of the entries that set one, as it counts in this run: AGENT_YOLO=false
// beats an entry's true, AGENT_YOLO=true doesn't beat its false. It is empty for an asked agent,
// where only the file that the user started decides.
func (f File) EntryYolo() map[string]bool {
	yolo := map[string]bool{}
	if f.Depth > 0 {
		return yolo
	}
	off := f.agentYolo != nil && !*f.agentYolo
	for name, entry := range f.MMConfigs {
		if entry.Yolo != nil {
			yolo[name] = *entry.Yolo && !off
		}
	}
	return yolo
}

// AnswerTokens gives the max_tokens to send to a model with the given context window (0: unknown).
// It is never the whole window: a default too large for it, or a value that fills it, becomes half
// of it.
func (f File) AnswerTokens(window int) int {
	if window <= 0 || f.MaxTokens <= window/2 || (f.maxTokensSet && f.MaxTokens < window) {
		return f.MaxTokens
	}
	return max(1, window/2)
}
