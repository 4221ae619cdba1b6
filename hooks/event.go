package hooks

import (
	"bytes"
	"encoding/json"
)

// Event is what hooks are told. Fields that don't apply to the moment stay empty.
type Event struct {
	Kind Kind
	// Name is what "match" is compared with, see Runner.Matches.
	Name string
	// Session is the id of the session.
	Session string
	// Cwd is the session's folder.
	Cwd string
	// Depth is how many agents stand above this one: 0 for the agent a user started.
	Depth int
	// Agent is the asked agent: the one that will be or was asked, or the path of the one that
	// makes the call.
	Agent string
	// Tool is the bare name of the tool.
	Tool string
	// Input is the raw arguments of the call.
	Input json.RawMessage
	// Title says what the call does: for bash its command.
	Title  string
	Prompt string // of an ask
	Answer string // of an ask; PostAsk
	Output string // of a tool call; PostToolCall
}

// input is the object on a hook's stdin. Pointers are fields that only some moments have: those
// are there even when they are empty.
type input struct {
	Event   Kind            `json:"event"`
	Session string          `json:"session"`
	Cwd     string          `json:"cwd"`
	Depth   int             `json:"depth"`
	Agent   string          `json:"agent,omitempty"`
	Tool    string          `json:"tool,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Title   string          `json:"title,omitempty"`
	Prompt  *string         `json:"prompt,omitempty"`
	Answer  *string         `json:"answer,omitempty"`
	Output  *string         `json:"output,omitempty"`
}

// encode returns the event as one line of JSON, with <, > and & as they are.
func (e Event) encode() ([]byte, error) {
	in := input{
		Event: e.Kind, Session: e.Session, Cwd: e.Cwd, Depth: e.Depth,
		Agent: e.Agent, Tool: e.Tool, Input: e.Input, Title: e.Title,
	}
	if len(e.Input) > 0 && !json.Valid(e.Input) { // a model may write anything
		text, err := json.Marshal(string(e.Input))
		if err != nil {
			return nil, err
		}
		in.Input = text
	}
	ask := e.Kind == PreAsk || e.Kind == PostAsk
	in.Prompt = present(ask, e.Prompt)
	in.Answer = present(e.Kind == PostAsk, e.Answer)
	in.Output = present(e.Kind == PostToolCall, e.Output)
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(in)
	return b.Bytes(), err
}

func present(always bool, s string) *string {
	if !always && s == "" {
		return nil
	}
	return &s
}
