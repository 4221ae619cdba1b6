// Package tools is what the model can call: a registry, one file or folder a tool, and the loop
// detector.
//
// A call goes through two steps. Prepare checks the arguments and finds out what exactly will run
// (it reads files, resolves edits, computes diffs) and changes nothing. The turn then runs hooks
// and asks for consent about that plan, and calls Plan.Run. A tool never returns a Go error for an
// ordinary failure: the text of the failure is its result.
package tools

import (
	"context"
	"encoding/json"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// Tool is something the model can call. Its methods may be called by several goroutines.
type Tool interface {
	Spec() Spec
	// Prepare resolves a call without changing anything. It may read files.
	Prepare(ctx context.Context, c Call) Plan
}

// Spec declares a tool to the model and to the front ends.
type Spec struct {
	Name        string
	Description string
	// Parameters is the JSON Schema of the arguments, in the order in which a model should fill
	// them: written by hand, since Go sorts map keys. Plain: no pattern, format, not, anyOf.
	Parameters json.RawMessage
	// Counter is how the tool is counted under a turn ("⚙", "command").
	Counter Counter
	// SideBySide lets calls that stand next to each other in one step run at the same time.
	SideBySide bool
}

// Counter is one item of the line under a turn: "⚙ 2 commands". Tools that share Icon and Noun
// are counted together.
type Counter struct{ Icon, Noun string }

// Call is a call as the model made it.
type Call struct {
	ID      string
	Args    json.RawMessage // a JSON object
	Cwd     string          // absolute: the folder that relative paths start from
	Session string          // id of the session
	// Alive feeds the watchdog while Prepare waits for something; nil outside of a turn.
	Alive func()
}

// Plan is a resolved call: what will run if nobody objects.
type Plan struct {
	// Title says what will run, in one line if it can: the command, the path.
	Title string
	// Line is the tool's line in a terminal ("🛠️ bash: make test"); "" means "<name>: <title>".
	Line      string
	Kind      consent.Kind
	Locations []consent.Location
	Diffs     []consent.Diff
	// Asks says when permission is needed.
	Asks consent.Asks
	// RejectedAs is the word in "[… rejected by the user]" when it isn't the tool's name.
	RejectedAs string
	// Phase is what the front end says while it runs ("Fetching"); "" means nothing.
	Phase string
	// AtWork is the watchdog's phase while it runs; "" means "<tool> running".
	AtWork string
	// Patience is how much longer than its timeout the watchdog waits while it runs.
	Patience time.Duration
	// Quiet means that the output isn't shown in line mode.
	Quiet bool
	// Refused is the text for the model when the call can't run at all; Run is then nil, nobody
	// is asked.
	Refused string
	// Run does it. It returns when ctx is cancelled, with what there is.
	Run func(ctx context.Context, host ui.Host) Result
}

// Result is what came of a call.
type Result struct {
	// Text is what the model reads, cut to maxOutput.
	Text string
	// Output is what front ends show when it isn't Text.
	Output string
	// Failed marks the call as failed for front ends.
	Failed   bool
	ExitCode *int
	Files    []ui.FileChange
}
