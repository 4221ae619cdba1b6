package script

import (
	"regexp"
	"time"
)

// Script is a checked list of steps.
type Script struct {
	Steps []Step
}

// Step is an answer and when it is given. The first step that matches is played.
type Step struct {
	// User must match the last user text, which must be the last message; Tool the last tool
	// result, likewise; From the name of the tool that it came from.
	User, Tool, From *regexp.Regexp
	// Question must match the last user text, whatever came after it; System the system prompt.
	Question, System *regexp.Regexp
	// Times is how often the step is used, 0 for always.
	Times int
	Reply []Action
	Line  int // where it stands in the file
}

// Action is one thing that the model does. One field is set.
type Action struct {
	Text    string
	Thought string
	Call    *Call
	Delay   time.Duration
	// Pace is the pause before each word from here on; HasPace tells a pace of 0.
	Pace    time.Duration
	HasPace bool
	// Progress is how much of the prompt has been read, from 0 to 1.
	Progress *float64
	Usage    *Usage
	Error    *Failure
	// Break cuts the connection.
	Break bool
	// Finish is the finish_reason; the answer ends there.
	Finish string
}

// Call is a tool call. Arguments is the text that the model writes, JSON unless the script wants
// it broken; groups of the step's expressions are filled in when it is played.
type Call struct {
	ID        string // given by the player when empty
	Name      string
	Arguments value
}

// Usage is what the server says that the answer cost, in tokens.
type Usage struct{ Input, Output, Cached int }

// Failure is an error: a refusal with its status when nothing was sent yet, else an error event in
// the stream.
type Failure struct {
	Status  int
	Message string
	Type    string
	Code    string
	Headers map[string]string
}
