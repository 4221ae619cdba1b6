package llm

import (
	"context"
	"net/http"
	"time"
)

// Model answers requests.
type Model interface {
	// Stream asks the model and returns its whole reply. It calls on for what arrives, in order,
	// from the calling goroutine; an error from on stops the generation at once and is returned.
	// With any error the Reply holds what had arrived.
	Stream(ctx context.Context, r Request, on func(Event) error) (Reply, error)
	// Name is the model's name, "" until it is known.
	Name() string
	// Provider is the provider's name: the configured one, or the one that was found.
	Provider() string
	// Window is the size of the context window in tokens: the configured one, else what the server
	// says, else 8192. It may ask the server.
	Window(ctx context.Context) int
}

// Event is one thing that happened while a reply streamed. Usually one field is set.
type Event struct {
	Text    string
	Thought string
	// Call is a piece of a tool call.
	Call *CallFragment
	// Progress tells how much of the prompt has been read (llama.cpp only).
	Progress *Progress
	// Waiting says why the request is asked again later: "waiting for ollama: connection refused".
	// It comes when the reason is new and is no sign of life.
	Waiting string
	// Notice is a line for the person.
	Notice string
	// Restart says that what was shown of this reply so far doesn't count: it is asked once more.
	Restart bool
	// TextWasThought says that all Text of this reply so far was reasoning: the server had opened
	// it in the prompt, and only its end could be seen.
	TextWasThought bool
}

// CallFragment is a piece of a call: the name when the call begins, then its arguments bit by bit.
// For a call that the model writes as text, Arguments is the raw text, and the name comes last.
type CallFragment struct {
	Index     int // position among the calls of the reply
	Name      string
	Arguments string
}

// Progress is how far a server has read the prompt, in tokens.
type Progress struct {
	Done, Total int
}

// Fraction is between 0 and 1.
func (p Progress) Fraction() float64 {
	if p.Total <= 0 {
		return 0
	}
	return min(1, max(0, float64(p.Done)/float64(p.Total)))
}

// Reply is what a model answered.
type Reply struct {
	// Message goes into the history. After an error it holds the text and thoughts that had arrived
	// and no calls.
	Message Message
	// Finish is the server's finish_reason: "stop", "length", "tool_calls", … Whether there are
	// calls is decided by the calls alone.
	Finish   string
	Usage    Usage
	HasUsage bool
	Model    string // as told by the server
	// AsText reports that the calls were written as text.
	AsText bool
	// Complete reports whether the answer came to its end without an error.
	Complete bool

	pieces int // how many events had text or thoughts
}

// Options configure a Model.
type Options struct {
	// Provider is a known name (see Providers) or any label. Without Provider and BaseURL a server
	// is looked for on this machine.
	Provider string
	BaseURL  string // default: that of the known provider
	APIKey   string
	Headers  map[string]string
	Model    string // default: the first that the server lists

	Temperature     float64 // always sent
	MaxTokens       int     // always sent; 0 means 4096
	TopP            *float64
	Seed            *int64
	ReasoningEffort string
	// ExtraBody is merged into the request; it can replace all but its messages, tools and stream.
	ExtraBody map[string]any

	ToolCalls     string // "auto" (also ""), "native" or "text"
	ContextWindow int    // tokens; 0 asks the server

	// Script is the path of the script of provider "scripted", ScriptBytes its text; with both,
	// Script only names it in messages.
	Script      string
	ScriptBytes []byte

	// Transport is used for all requests; nil means one of the model's own.
	Transport http.RoundTripper
	UserAgent string
	// Sleep waits between two tries; nil means a timer. Tests hold the clock still with it.
	Sleep func(ctx context.Context, d time.Duration) error
}
