// Package ui is what a turn tells its front end, what it lends to a running tool, and how
// text is made safe to show. It draws nothing and imports only consent.
//
// A turn emits Events to one Sink in the order in which things happened. Emit may block: a slow
// front end slows the turn and loses nothing. Events of asked agents carry the agent's path.
package ui

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/mini-me/mm/consent"
)

// Sink receives what happens in a turn, one event at a time. Emit may be called by several
// goroutines (asks run side by side) and may block.
type Sink interface {
	Emit(Event)
}

// SinkFunc makes a Sink of a function.
type SinkFunc func(Event)

// Emit calls f.
func (f SinkFunc) Emit(e Event) { f(e) }

// Event is one of the types below. What asked agents do carries the agent's path ("jan",
// "jan/homer") in Agent and, since one agent may work on several tasks at a time, the task's id in
// Ask; both are "" for this agent itself.
type Event interface{ event() }

// Text is a piece of an answer. A new Message is a new message (the model was called again).
type Text struct {
	Agent   string
	Ask     string
	Message string
	Text    string
}

// Thought is a piece of a model's reasoning.
type Thought struct {
	Agent   string
	Ask     string
	Message string
	Text    string
}

// Status is the ACP status of a tool call.
type Status string

// The statuses of ACP v1. A call is pending while its arguments stream and while permission is awaited.
const (
	Pending    Status = "pending"
	InProgress Status = "in_progress"
	Completed  Status = "completed"
	Failed     Status = "failed"
)

// ToolCall announces a call, or updates one announced before under the same ID. Each event has
// the whole state of the call.
type ToolCall struct {
	consent.Call
	Ask    string
	Status Status
	// Line is the tool's line in a terminal, such as "🛠️ bash: make test".
	Line string
	// Output is what front ends show once the call has ended; Result what the model reads.
	Output string
	Result string
	// Refused says why the call didn't run ("rejected by the user"), "" when it did.
	Refused string
	// ExitCode is the exit status of a command that has ended with one.
	ExitCode *int
	// Files says what the call changed on disk.
	Files []FileChange
	// Duration is how long the call ran, without the wait for permission.
	Duration time.Duration
	// Quiet means that the output isn't shown in line mode.
	Quiet bool
	// RawOutput is what an asked agent's call returned, in the agent's own words; nil where it told none.
	RawOutput json.RawMessage
	// Raw is set for calls of asked agents: the update as it was received (ACP).
	Raw json.RawMessage
}

// Done reports whether the call has ended.
func (t ToolCall) Done() bool { return t.Status == Completed || t.Status == Failed }

// Named is the title with the tool's name before it, unless the call's kind says what the title is about.
func (t ToolCall) Named() string {
	told := t.Kind != consent.KindOther && t.Kind != consent.KindThink
	if told || t.Tool == "" || t.Title == t.Tool || strings.HasPrefix(t.Title, t.Tool+": ") {
		return t.Title
	}
	return t.Tool + ": " + t.Title
}

// FileChange counts the lines that a call added to and removed from a file.
type FileChange struct {
	Path    string `json:"path"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// AskStarted says that an agent begins to work on a task.
type AskStarted struct {
	Agent    string
	Ask      string
	Parent   string // Ask of the agent that asks, "" for this one
	Call     string // ID of the ask_agent call, "" for a user's own ask
	Session  string // the agent's own id of the session in which it works on the task
	Title    string // acp.title, "" when it has none
	Provider string
	Model    string
	Prompt   string
}

// AskEnded says that an asked agent has ended its work.
type AskEnded struct {
	Agent  string
	Ask    string
	Parent string
	Call   string
	Answer string
	// Reason is why it isn't a whole answer, "" when it is.
	Reason string
}

// Level grades a Notice.
type Level string

// The levels of a Notice (ACP v1 notice severities).
const (
	Info    Level = "info"
	Warning Level = "warning"
	Error   Level = "error"
)

// Notice is a line for the person that is no part of an answer.
type Notice struct {
	Agent string
	Level Level
	Text  string
	// Compaction marks the line that tells of a compaction whose end was a Compaction event: a front
	// end that shows those can leave it out.
	Compaction bool
}

// The states of a Compaction (ACP v1).
const (
	CompactionRunning   = "in_progress"
	CompactionDone      = "completed"
	CompactionFailed    = "failed"
	CompactionCancelled = "cancelled"
)

// Compaction tells that a summary takes the place of old messages, and how that goes.
type Compaction struct {
	ID      string
	Status  string
	Summary string // once it is completed
	Error   string // when it failed
}

// Phase says what a turn waits for: "Thinking", "Composing a tool call", "jan is working".
// An empty text means that nothing is waited for.
type Phase struct {
	Agent string
	Text  string
}

// PlanEntry is a step of a plan; Status is pending, in_progress or completed.
type PlanEntry struct{ Text, Status string }

// Plan is the whole plan of an agent, each time it changes.
type Plan struct {
	Agent   string
	Ask     string
	Entries []PlanEntry
}

// Usage tells the tokens of the last model call and of the turn.
type Usage struct {
	Agent, Ask            string
	Input, Output, Cached int // tokens of the turn so far
	Context               int // tokens in use after the last call
	Window                int // size of the context window, 0 when unknown
}

// TurnEnded closes a turn.
type TurnEnded struct {
	// Reason is an ACP stop reason, or "error".
	Reason   string
	Error    string // one line for the person when Reason is "error"
	Summary  string // counters, time and tokens
	Duration time.Duration
}

func (Text) event()       {}
func (Thought) event()    {}
func (ToolCall) event()   {}
func (AskStarted) event() {}
func (AskEnded) event()   {}
func (Notice) event()     {}
func (Compaction) event() {}
func (Phase) event()      {}
func (Plan) event()       {}
func (Usage) event()      {}
func (TurnEnded) event()  {}

// Host is what a turn lends to a running tool and to an ask below it.
type Host interface {
	Sink
	// Decide runs the preToolCall hooks and the gate for a call of an asked agent.
	Decide(ctx context.Context, r consent.Request) consent.Decision
	// Ended runs the postToolCall hooks for a call of an asked agent that had passed Decide.
	Ended(ctx context.Context, t ToolCall)
	// AskUser shows a form to the person; the watchdog is held meanwhile.
	AskUser(ctx context.Context, f Form) FormReply
	// Alive feeds the watchdog.
	Alive()
	// Hold keeps the watchdog fed until release is called: a human is waited for.
	Hold() (release func())
}

// Ask is a task for a named agent.
type Ask struct {
	Agent  string
	Prompt string
	// Context is the asker's conversation as of the start of the turn, sent before the prompt;
	// nil for none.
	Context []Said
	Cwd     string          // absolute
	Session string          // id of the asking session, for hooks
	Call    string          // ID of the ask_agent call, "" for a user's own ask
	Input   json.RawMessage // the raw arguments of that call, for hooks
	Workplace
}

// Workplace is where an asked agent works, beside its working folder.
type Workplace struct {
	Dirs  []string   // further folders that belong to the work, absolute
	Files FileSystem // where mm's own agents read and write; nil is the disk
}

// FileSystem is where files are read and written: the disk, or an editor with buffers that aren't
// saved yet. Paths are absolute.
type FileSystem interface {
	// ReadFile returns the whole file; the error is an fs.ErrNotExist when there is none.
	ReadFile(ctx context.Context, path string) ([]byte, error)
	// WriteFile replaces the file or creates it, with the folders above it. After an error it is
	// as it was.
	WriteFile(ctx context.Context, path string, data []byte) error
}

// Said is one entry of a conversation for with_context: "user", "assistant" or "tool <name>".
type Said struct{ Who, Text string }

// Answer is what came of an Ask.
type Answer struct {
	Text string
	// Reason says why it isn't a whole answer, "" when it is: "cancelled", "exit status 1: …".
	Reason string
	// Code tells kinds of Reason apart for exit statuses.
	Code AnswerCode
	// Denied is a hook's reason when the ask was denied or its answer withheld.
	Denied string
	// Replaced says that a postAsk hook replaced the answer.
	Replaced bool
	// Context is what hooks add for the model.
	Context string
	// Started says whether the agent got to work at all.
	Started bool
	// StopReason is the ACP stop reason, "" when the turn failed.
	StopReason string
}

// AnswerCode is the kind of a failed Answer.
type AnswerCode int

// Kinds of answers.
const (
	Answered     AnswerCode = iota
	AskFailed               // the agent failed, stopped early or was cancelled
	AskUnknown              // no such agent
	AskBadFile              // the asked agent's file is broken
	AskNoAnswer             // it ended without text
	AskDenied               // by a hook
	AskTimedOut             // watchdog or timeout
	AskCancelled            // by the person
)
