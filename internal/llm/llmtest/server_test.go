package llmtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/llm/llmtest"
)

func client(t *testing.T, s *llmtest.Server) llm.Model {
	t.Helper()
	m, err := llm.New(llm.Options{Provider: "test", BaseURL: s.URL, Sleep: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.(*llm.Client).Close)
	return m
}

func request(history ...llm.Message) llm.Request {
	return llm.Request{
		Messages: append([]llm.Message{{Role: llm.RoleSystem, Content: "Be brief."}}, history...),
		Tools:    []llm.Tool{{Name: "bash", Description: "Runs a command.", Parameters: json.RawMessage(`{"type":"object"}`)}},
	}
}

func TestServerAnswersFromAFunction(t *testing.T) {
	s := llmtest.New(t, func(w *llmtest.Answer, r *llmtest.Request) {
		switch {
		case r.N == 0:
			w.Refuse(503, `{"error":{"message":"Loading model"}}`, "Retry-After", "1")
		case r.Last().Role == "user":
			w.Progress(5, 10)
			w.Thought("Hm.")
			w.Text("Look: ")
			w.Call("bash", `{"command":"ls"}`)
			w.Usage(100, 10, 90)
		case r.N == 2:
			w.Text("half")
			w.Cut()
		default:
			w.Text(r.Last().Content + " for " + r.User() + " by " + strings.Join(r.Tools, " "))
		}
	})
	s.Context = 4000
	m := client(t, s)
	if got := m.Window(t.Context()); got != 4000 || m.Name() != "test-model" {
		t.Errorf("window %d of %s", got, m.Name())
	}
	history := []llm.Message{{Role: llm.RoleUser, Content: "me"}}
	reply, err := m.Stream(t.Context(), request(history...), func(llm.Event) error { return nil })
	if err != nil || reply.Message.Content != "Look: " || reply.Message.Thought != "Hm." || len(reply.Message.Calls) != 1 || reply.Usage.Cached != 90 {
		t.Fatalf("%+v, %v", reply, err)
	}
	history = append(history, reply.Message, llm.Message{Role: llm.RoleTool, CallID: reply.Message.Calls[0].ID, Content: "a.txt"})
	reply, err = m.Stream(t.Context(), request(history...), func(llm.Event) error { return nil })
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindBroken || reply.Message.Content != "half" {
		t.Errorf("%+v, %v", reply, err)
	}
	reply, err = m.Stream(t.Context(), request(history...), func(llm.Event) error { return nil })
	if err != nil || reply.Message.Content != "a.txt for me by bash" {
		t.Errorf("%+v, %v", reply, err)
	}
	s.CheckPrefix(t)
	if s.Last().System() != "Be brief." || len(s.Requests()) != 4 {
		t.Errorf("%d requests, the last with %q", len(s.Requests()), s.Last().System())
	}
}

func TestServerFollowsAScript(t *testing.T) {
	s := llmtest.NewScript(t, `
- when: {user: fail}
  reply: [{delay: 1ms}, {error: {status: 402, message: no money}}]
- when: {user: late}
  reply: [{text: half}, {error: {message: broke, type: server_error}}]
- when: {user: cut}
  reply: [{text: half}, {break: true}]
- when: {system: "(?i)be (\\w+)"}
  reply: [{pace: 1ms}, {progress: 0.5}, {text: "I am $1."}, {usage: {input: 9, output: 2}}, {finish: length}]
`)
	m := client(t, s)
	for say, want := range map[string]struct{ text, kind, message, finish string }{
		"fail": {kind: llm.KindCredit, message: "no money"},
		"late": {text: "half", kind: llm.KindServer, message: "broke"},
		"cut":  {text: "half", kind: llm.KindBroken, message: "the stream broke: unexpected EOF"},
		"else": {text: "I am brief.", finish: "length"},
	} {
		reply, err := m.Stream(t.Context(), request(llm.Message{Role: llm.RoleUser, Content: say}), func(llm.Event) error { return nil })
		var e *llm.Error
		if errors.As(err, &e) != (want.kind != "") || e != nil && (e.Kind != want.kind || e.Message != want.message) {
			t.Errorf("%s: %v", say, err)
		}
		if reply.Message.Content != want.text || reply.Finish != want.finish || want.finish != "" && reply.Usage.Input != 9 {
			t.Errorf("%s: %+v", say, reply)
		}
	}
}

// failures counts what a test would fail with.
type failures struct {
	testing.TB
	errors int
}

func (f *failures) Errorf(string, ...any) { f.errors++ }

func TestServerFailsTheTestForABadHistory(t *testing.T) {
	f := &failures{TB: t}
	s := llmtest.New(f, func(w *llmtest.Answer, _ *llmtest.Request) { w.Text("ok") })
	m := client(t, s)
	ask := func(r llm.Request) {
		if _, err := m.Stream(t.Context(), r, func(llm.Event) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	hello := llm.Message{Role: llm.RoleUser, Content: "hello"}
	ask(request(hello))
	if f.errors != 0 {
		t.Error("a good history fails")
	}
	ask(request(hello, hello))
	if f.errors != 1 {
		t.Error("two user messages in a row don't fail")
	}
	other := request(hello)
	other.Tools[0].Description = "Changed."
	ask(other)
	if f.errors != 2 {
		t.Error("changed tools don't fail")
	}
}
