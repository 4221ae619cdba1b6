package llmtest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Check returns what a strict server or chat template would refuse in the body of a request:
//
//   - stream, temperature and max_tokens are there;
//   - one system message at most, and first; then a user message;
//   - user and assistant alternate; an assistant's message with calls is followed by a result for
//     each of them, in order, then by the assistant again; the last message isn't the assistant's;
//   - no content is null or empty, it is only left out beside calls;
//   - call ids are nine letters and digits, each used once; names aren't empty; arguments are the
//     text of a JSON object;
//   - each tool has a name, a description and a schema of an object.
func Check(body []byte) []string {
	_, problems := parse(body)
	return problems
}

type checker struct {
	problems []string
	ids      map[string]bool
	open     []string // calls that wait for their result
	last     string   // role of the message before
}

func (c *checker) problem(format string, args ...any) {
	c.problems = append(c.problems, fmt.Sprintf(format, args...))
}

func parse(body []byte) (*Request, []string) {
	r := &Request{Body: body}
	c := &checker{ids: map[string]bool{}}
	if err := json.Unmarshal(body, &r.Fields); err != nil {
		c.problem("the body isn't a JSON object: %v", err)
		return r, c.problems
	}
	r.rawMessages, r.rawTools = r.Fields["messages"], r.Fields["tools"]
	c.parameters(r)
	c.tools(r)
	var raw []json.RawMessage
	if err := json.Unmarshal(r.rawMessages, &raw); err != nil || len(raw) == 0 {
		c.problem("no messages")
	}
	for i, data := range raw {
		r.Messages = append(r.Messages, c.message(i, data))
	}
	c.finish()
	return r, c.problems
}

func (c *checker) parameters(r *Request) {
	if string(r.Fields["stream"]) != "true" {
		c.problem("stream isn't true")
	}
	if r.Fields["temperature"] == nil {
		c.problem("temperature isn't sent")
	}
	if r.Fields["max_tokens"] == nil && r.Fields["max_completion_tokens"] == nil {
		c.problem("max_tokens isn't sent")
	}
}

func (c *checker) tools(r *Request) {
	if r.rawTools == nil {
		return
	}
	var tools []struct {
		Type     string `json:"type"`
		Function struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Parameters  struct {
				Type string `json:"type"`
			} `json:"parameters"`
		} `json:"function"`
	}
	if err := json.Unmarshal(r.rawTools, &tools); err != nil || len(tools) == 0 {
		c.problem("tools isn't a list of tools")
	}
	seen := map[string]bool{}
	for _, t := range tools {
		f := t.Function
		if t.Type != "function" || f.Name == "" || f.Description == "" || f.Parameters.Type != "object" {
			c.problem("tool %q lacks its type, description or schema", f.Name)
		}
		if seen[f.Name] {
			c.problem("tool %q is declared twice", f.Name)
		}
		seen[f.Name] = true
		r.Tools = append(r.Tools, f.Name)
	}
}

func (c *checker) message(i int, data json.RawMessage) Message {
	var m struct {
		Role       string          `json:"role"`
		Content    json.RawMessage `json:"content"`
		ToolCallID string          `json:"tool_call_id"`
		ToolCalls  []struct {
			ID       string `json:"id"`
			Type     string `json:"type"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		c.problem("message %d: %v", i, err)
		return Message{Raw: data}
	}
	out := Message{Role: m.Role, CallID: m.ToolCallID, Raw: data, HasContent: m.Content != nil}
	if m.Content != nil && (!out.content(m.Content) || out.Content == "") {
		c.problem("message %d (%s): content is %s", i, m.Role, m.Content)
	}
	if m.Content == nil && len(m.ToolCalls) == 0 {
		c.problem("message %d (%s): no content", i, m.Role)
	}
	if len(m.ToolCalls) > 0 && m.Role != "assistant" {
		c.problem("message %d (%s): calls", i, m.Role)
	}
	c.order(i, out)
	for _, call := range m.ToolCalls {
		var args string
		if json.Unmarshal(call.Function.Arguments, &args) != nil || call.Type != "function" {
			c.problem("message %d: call %q isn't a function with a text as arguments", i, call.ID)
		}
		out.Calls = append(out.Calls, Call{call.ID, call.Function.Name, args})
		c.call(i, out.Calls[len(out.Calls)-1])
	}
	return out
}

// order checks that a message may stand where it stands.
func (c *checker) order(i int, m Message) {
	if len(c.open) > 0 && m.Role != "tool" {
		c.problem("message %d (%s): calls %s have no result", i, m.Role, strings.Join(c.open, ", "))
		c.open = nil
	}
	ok := false
	switch m.Role {
	case "system":
		ok = i == 0
	case "user":
		ok = c.last == "" || c.last == "system" || c.last == "assistant"
	case "assistant":
		ok = c.last == "user" || c.last == "tool"
	case "tool":
		ok = len(c.open) > 0
		if ok && m.CallID != c.open[0] {
			c.problem("message %d (tool): answers call %q, expected %q", i, m.CallID, c.open[0])
		}
		if ok {
			c.open = c.open[1:]
		}
	}
	if !ok {
		c.problem("message %d: %q can't follow %q", i, m.Role, c.last)
	}
	c.last = m.Role
}

func (c *checker) call(i int, call Call) {
	good := len(call.ID) == 9 && strings.Trim(call.ID, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
	if !good {
		c.problem("message %d: the id %q isn't nine letters and digits", i, call.ID)
	}
	if c.ids[call.ID] {
		c.problem("message %d: the id %q is used twice", i, call.ID)
	}
	c.ids[call.ID] = true
	c.open = append(c.open, call.ID)
	if call.Name == "" {
		c.problem("message %d: call %q has no name", i, call.ID)
	}
	var args map[string]any
	if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil || args == nil {
		c.problem("message %d: the arguments of %q aren't a JSON object: %s", i, call.ID, call.Arguments)
	}
}

func (c *checker) finish() {
	if len(c.open) > 0 {
		c.problem("calls %s have no result", strings.Join(c.open, ", "))
	}
	if c.last == "assistant" || c.last == "system" {
		c.problem("the last message is the %s's", c.last)
	}
}

// content reads a content: a text, or for a user's message a text and images behind it.
func (m *Message) content(data json.RawMessage) bool {
	if json.Unmarshal(data, &m.Content) == nil {
		return true
	}
	var parts []struct {
		Type     string `json:"type"`
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if json.Unmarshal(data, &parts) != nil || len(parts) < 2 || parts[0].Type != "text" || m.Role != "user" {
		return false
	}
	m.Content = parts[0].Text
	for _, p := range parts[1:] {
		if p.Type != "image_url" || !strings.HasPrefix(p.ImageURL.URL, "data:image/") {
			return false
		}
		m.Images = append(m.Images, p.ImageURL.URL)
	}
	return true
}
