package llm

import "encoding/json"

// Role says who a message is from.
type Role string

// The roles of chat completions.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Call is a tool call in an assistant's message.
type Call struct {
	// ID is nine letters and digits, unique in its conversation.
	ID   string
	Name string
	// Arguments is a JSON object as text: as received where it was one, repaired where there was
	// one reading, else "{}".
	Arguments string
	// Bad says what is wrong with the arguments that were received, "" when they can be used. A
	// call with a Bad text must not run: the text is its result. It isn't sent to the server.
	Bad string
}

// Message is one entry of a history.
type Message struct {
	Role    Role
	Content string
	// Images stand behind the content of a user's message.
	Images []Image
	// Thought is the reasoning that came before an assistant's content.
	Thought string
	// ThoughtField is the name under which Thought arrived, and under which it is sent back:
	// "reasoning_content", "reasoning", or "think" for <think> tags in the content.
	ThoughtField string
	Calls        []Call
	// CallID names the call that a message of role tool answers.
	CallID string

	enc *encoded // the bytes of this message, see encode
}

// Tool declares a tool. Parameters is its JSON Schema, sent as it is.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage
}

// Format asks for an answer that is JSON of a schema (response_format json_schema).
type Format struct {
	Name   string
	Schema json.RawMessage
}

// Usage counts tokens, as told by the server.
type Usage struct {
	Input  int // of the prompt, Cached included
	Output int
	Cached int // of the prompt that the server didn't have to read again
}

// Request is what a model is asked.
type Request struct {
	Messages []Message
	// Tools are sent in this order, which must be the same in every request of a conversation.
	// Without tools, nothing in the answer is taken for a call.
	Tools  []Tool
	Format *Format // nil for free text
}
