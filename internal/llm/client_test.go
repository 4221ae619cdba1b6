package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const hello = `
- when: {user: "hello (\\w+)"}
  reply:
    - thought: A greeting.
    - text: "Hello to you, $1, and $HOME."
    - call: {name: bash, arguments: {command: "echo ${1}", n: 3, deep: {x: [1, null]}}}
- when: {tool: ".*", from: bash}
  reply: done
`

func scripted(t *testing.T, text string) *Client {
	t.Helper()
	m, err := New(Options{Provider: Scripted, ScriptBytes: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*Client)
}

func TestScriptedModelAnswersThroughTheClient(t *testing.T) {
	c := scripted(t, hello)
	var told strings.Builder
	ask := Request{Messages: []Message{{Role: RoleUser, Content: "hello world"}}, Tools: []Tool{{Name: "bash"}}}
	reply, err := c.Stream(context.Background(), ask, func(e Event) error {
		fmt.Fprintf(&told, "%s|%s", e.Text, e.Thought)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := reply.Message.Content; got != "Hello to you, world, and $HOME." {
		t.Errorf("text is %q", got)
	}
	call := reply.Message.Calls[0]
	if call.Arguments != `{"command":"echo world","n":3,"deep":{"x":[1,null]}}` || call.Bad != "" || !goodID(call.ID) {
		t.Errorf("call is %+v", call)
	}
	if !reply.Complete || !reply.HasUsage || reply.Finish != "tool_calls" {
		t.Errorf("reply is %+v", reply)
	}
	ask.Messages = append(ask.Messages, reply.Message, Message{Role: RoleTool, CallID: call.ID, Content: "world"})
	reply, err = c.Stream(context.Background(), ask, func(Event) error { return nil })
	if err != nil || reply.Message.Content != "done" {
		t.Errorf("second reply is %+v, %v", reply, err)
	}
	ask.Messages = append(ask.Messages, reply.Message, Message{Role: RoleUser, Content: "and now?"})
	_, err = c.Stream(context.Background(), ask, func(Event) error { return nil })
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindBadRequest || e.Message != `the script has no step for the user text "and now?"` {
		t.Errorf("third reply: %v", err)
	}
}
