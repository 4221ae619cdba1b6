package consent

import (
	"encoding/json"
	"strings"
)

// Kind is an ACP tool kind (ACP v1, ToolKind): what a call does, for icons and rules.
type Kind string

// The tool kinds of ACP v1.
const (
	KindRead    Kind = "read"
	KindEdit    Kind = "edit"
	KindDelete  Kind = "delete"
	KindMove    Kind = "move"
	KindSearch  Kind = "search"
	KindExecute Kind = "execute"
	KindThink   Kind = "think"
	KindFetch   Kind = "fetch"
	KindOther   Kind = "other"
)

// Location is a place in a file that a call touches.
type Location struct {
	Path string `json:"path"`           // absolute, native form
	Line int    `json:"line,omitempty"` // counted from 1; 0 means none
}

// Diff is a change of one file. Old is nil for a file that doesn't exist yet.
type Diff struct {
	Path string  `json:"path"` // absolute, native form
	Old  *string `json:"old,omitempty"`
	New  string  `json:"new"`
}

// Call describes one tool call as a person is asked about it and as front ends show it.
type Call struct {
	// ID is unique in its conversation; the calls of asked agents get an ID of their own there.
	ID string
	// Agent is the path of the agent that makes the call, seen from here:
	// "" for this one, "jan" or "jan/homer" for asked ones.
	Agent string
	// Tool is the bare name, such as "bash".
	Tool string
	// Title says what will run: for bash its command.
	Title     string
	Kind      Kind
	Input     json.RawMessage // the raw arguments
	Locations []Location
	Diffs     []Diff
}

// Key is the name under which an answer is remembered: "bash", "jan/bash", "jan/homer/edit_file".
func (c Call) Key() string {
	if c.Agent == "" {
		return c.Tool
	}
	return c.Agent + "/" + c.Tool
}

// Path returns the agents of the call's path, outermost first; none for this agent's own calls.
func (c Call) Path() []string {
	if c.Agent == "" {
		return nil
	}
	return strings.Split(c.Agent, "/")
}
