// Package consent decides whether a tool call may run: the gate, the four answers, what a session
// remembers, and the audit log. It draws nothing; a front end shows a Question through its Asker.
//
// The rules are those of the user's explanation of yolo: the file that the user started decides,
// for this agent and for every agent asked below it.
package consent

import (
	"context"
	"time"
)

// Asks says when a call needs permission.
type Asks int

const (
	// Never is for reads.
	Never Asks = iota
	// UnlessYolo is for calls that change something.
	UnlessYolo
	// Always is for tools of MCP servers marked "permission: ask": yolo doesn't cover them.
	Always
)

// Request is a call that wants to run.
type Request struct {
	Call
	Asks Asks
	// Impossible is why an asked agent's call can't be allowed: it offers no way to say so. It is
	// rejected unasked.
	Impossible string
}

// Answer is what a person can say to a request.
type Answer int

// The four answers.
const (
	RejectOnce Answer = iota
	AllowOnce
	AllowSession
	RejectSession
)

// Allows reports whether the answer lets the call run.
func (a Answer) Allows() bool { return a == AllowOnce || a == AllowSession }

// ForSession reports whether the answer is remembered.
func (a Answer) ForSession() bool { return a == AllowSession || a == RejectSession }

// By says who decided, for the audit log and the model's text.
type By string

// Who decides.
const (
	ByYolo       By = "yolo"
	ByEntryYolo  By = "entry yolo"
	ByUser       By = "user"
	ByMemory     By = "memory"
	ByHook       By = "hook"
	ByUnattended By = "unattended"
	ByAgent      By = "agent" // which offered no way to allow its call
)

// Decision is the gate's answer to a request.
type Decision struct {
	Allow bool
	// Cancelled means that nobody decided: the turn or the asker ended first. Allow is false.
	Cancelled bool
	By        By // "" for calls that need no permission and for cancelled ones
	// Reason is why ByAgent, or the hook's reason for a denial; with By == ByHook the model reads
	// "[<tool> denied by a hook: <reason>]".
	Reason string
	// Context is text that a hook adds for the model.
	Context string
	// Session says that the answer is remembered for the session.
	Session bool
	// Waited is how long a human took.
	Waited time.Duration
}

// Asker shows one question to whoever can answer it. A Gate never calls it for two questions at
// once, unless it was made without a queue.
type Asker interface {
	// AskPermission returns when the question is answered or ctx is done; then the question is
	// taken off the screen.
	AskPermission(ctx context.Context, q *Question) (Reply, error)
}

// Reply is an answer, with a reason where a gate above gave one.
type Reply struct {
	Answer Answer
	// Denied is the reason a hook above denied the call, "" when a person answered.
	Denied string
	// Cancelled means that the question was withdrawn without an answer.
	Cancelled bool
}

// Guard is asked before anybody else: the preToolCall hooks.
type Guard interface {
	Check(ctx context.Context, r Request) Verdict
}

// Verdict is what a Guard says. The zero value goes on.
type Verdict struct {
	Allow   bool // run without asking the user
	Deny    bool
	Reason  string
	Context string
}
