package session

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"time"
)

// Info is what stands at the beginning of a session file.
type Info struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	Agent    string    `json:"agent"` // path of the agent file, "" without one
	Model    string    `json:"model"`
	Provider string    `json:"provider"`
	Cwd      string    `json:"cwd"` // absolute
	Created  time.Time `json:"created"`
	Updated  time.Time `json:"updated"`
	// Parent is the session of the agent that asked, "" for a session of a person.
	Parent string `json:"parent,omitempty"`
	// Switched says that a person chose the model (/model), so that a resumed session keeps it.
	Switched bool `json:"switched,omitempty"`
	// Count is how many messages there are.
	Count int `json:"count"`
	// Saved numbers the last line of the journal that is in this file.
	Saved int64 `json:"saved"`
}

// File is a whole session.
type File struct {
	Info
	Messages []Message
	// Task is the first question where no message has it word for word any more.
	Task   string
	Plan   *Plan
	Usage  Usage
	Errors []Fault
}

// Message is one entry of the conversation, as the model is sent it.
type Message struct {
	Role         string  `json:"role"` // user, assistant or tool
	Content      string  `json:"content"`
	Images       []Image `json:"images,omitempty"` // that came with a user's content
	Thought      string  `json:"thought,omitempty"`
	ThoughtField string  `json:"thought_field,omitempty"` // the name under which it came
	Calls        []Call  `json:"calls,omitempty"`
	CallID       string  `json:"call_id,omitempty"` // of the call that a tool's message answers
}

// Image is a picture that a person sent.
type Image struct {
	MimeType string `json:"mime_type"`
	Data     string `json:"data"` // base64
}

// Call is a tool call of an assistant's message, and how it was shown.
type Call struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Arguments string     `json:"arguments"` // JSON, as the model wrote it
	Title     string     `json:"title,omitempty"`
	Kind      string     `json:"kind,omitempty"` // ACP v1, ToolKind
	Line      string     `json:"line,omitempty"` // in a terminal
	Quiet     bool       `json:"quiet,omitempty"`
	Failed    bool       `json:"failed,omitempty"`
	Output    string     `json:"output,omitempty"` // what was shown, where that isn't the result
	Locations []Location `json:"locations,omitempty"`
	Asked     string     `json:"asked,omitempty"` // the session of the agent that it asked
	Diffs     []Diff     `json:"diffs,omitempty"` // of files that aren't large
}

// Diff is a change of a file that a call made, or was to make.
type Diff struct {
	Path string  `json:"path"`
	Old  *string `json:"old,omitempty"` // nil for a new file
	New  string  `json:"new"`
}

// Location is a place in a file that a call touched.
type Location struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"`
}

// Plan is the plan as it stands.
type Plan struct {
	Title string `json:"title,omitempty"`
	Steps []Step `json:"steps"`
}

// Step is one step of a plan; Status is pending, in_progress or completed.
type Step struct {
	Text   string `json:"text"`
	Status string `json:"status"`
}

// Usage counts the tokens of all turns, and of the context after the last model call.
type Usage struct {
	Input   int `json:"input_tokens"`
	Output  int `json:"output_tokens"`
	Cached  int `json:"cached_tokens"`
	Context int `json:"context,omitempty"`    // tokens the server counted,
	At      int `json:"context_at,omitempty"` // and how many messages that covers
}

// Fault is an error that ended a turn. Where is generation, tool, ask, watchdog, hook or acp.
type Fault struct {
	Time    time.Time `json:"time"`
	Where   string    `json:"where"`
	Message string    `json:"message"`
}

// tail is what stands behind the messages.
type tail struct {
	Task   string  `json:"task,omitempty"`
	Plan   *Plan   `json:"plan"`
	Usage  Usage   `json:"usage"`
	Errors []Fault `json:"errors"`
}

// beforeMessages ends the Info in a file.
const beforeMessages = ",\n\"messages\":["

// encode writes the file as JSON: the Info first, so that a list of sessions needs no more of it,
// then a message a line.
func (f *File) encode(w io.Writer) error {
	b := bufio.NewWriterSize(w, min(4<<10*(1+len(f.Messages)), 256<<10)) // most sessions are small
	info := f.Info
	info.Count = len(f.Messages)
	head, err := marshal(info)
	if err != nil {
		return err
	}
	errors := f.Errors
	if errors == nil {
		errors = []Fault{}
	}
	end, err := marshal(tail{f.Task, f.Plan, f.Usage, errors})
	if err != nil {
		return err
	}
	_, _ = b.Write(head[:len(head)-1]) // a bufio.Writer keeps its first error for Flush
	_, _ = b.WriteString(beforeMessages + "\n")
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for i := range f.Messages {
		if i > 0 {
			_ = b.WriteByte(',')
		}
		if err := enc.Encode(&f.Messages[i]); err != nil {
			return err
		}
	}
	_, _ = b.WriteString("],\n")
	_, _ = b.Write(end[1:])
	_, _ = b.WriteString("\n")
	return b.Flush()
}

// marshal is json.Marshal without the escapes for HTML, which triple the size of code.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
