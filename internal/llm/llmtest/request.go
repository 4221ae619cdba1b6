package llmtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
)

// Request is what a client asked.
type Request struct {
	N        int // its number, from 0
	Path     string
	Header   http.Header
	Body     []byte
	Messages []Message
	Tools    []string // the names
	// Fields are all members of the body, as they came.
	Fields map[string]json.RawMessage

	rawTools    json.RawMessage
	rawMessages json.RawMessage
}

// Message is an entry of the history.
type Message struct {
	Role       string
	Content    string
	Images     []string // data URLs
	HasContent bool
	Calls      []Call
	CallID     string
	Raw        json.RawMessage
}

// Call is a call in an assistant's message.
type Call struct{ ID, Name, Arguments string }

// Last returns the last message.
func (r *Request) Last() Message {
	if len(r.Messages) == 0 {
		return Message{}
	}
	return r.Messages[len(r.Messages)-1]
}

// User returns the last user text.
func (r *Request) User() string {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role == "user" {
			return r.Messages[i].Content
		}
	}
	return ""
}

// System returns the system prompt.
func (r *Request) System() string {
	if len(r.Messages) > 0 && r.Messages[0].Role == "system" {
		return r.Messages[0].Content
	}
	return ""
}

// CheckPrefix fails the test unless the messages of each request start with all the bytes of those
// of the request before it, as prompt caches want it in a conversation without compaction. Requests
// with another system prompt belong to another conversation.
func (s *Server) CheckPrefix(t testing.TB) {
	t.Helper()
	before := map[string]*Request{}
	for _, r := range s.Requests() {
		if b := before[r.System()]; b != nil && !startsWith(r.rawMessages, b.rawMessages) {
			t.Errorf("the messages of request %d don't start with those of request %d:\n%s\n%s", r.N, b.N, b.rawMessages, r.rawMessages)
		}
		before[r.System()] = r
	}
}

// startsWith compares two JSON lists: the earlier one without its closing bracket.
func startsWith(list, earlier []byte) bool {
	return bytes.HasPrefix(list, bytes.TrimSuffix(earlier, []byte("]")))
}
