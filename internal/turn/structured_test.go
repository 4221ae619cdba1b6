package turn_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

func structure(o *turn.Options) {
	o.Structure = &turn.Structure{Format: llm.Format{Name: "mail", Schema: json.RawMessage(`{"type":"object"}`)}, Check: func(s string) error {
		if s != `{"kind":"spam"}` {
			return errors.New("at /kind: not one of\nspam, ham")
		}
		return nil
	}}
}

func (k *talk) shown() string {
	k.sink.mu.Lock()
	defer k.sink.mu.Unlock()
	var b strings.Builder
	for _, e := range k.sink.events {
		if x, ok := e.(ui.Text); ok {
			b.WriteString(x.Text)
		}
	}
	return b.String()
}

func TestStructuredAnswer(t *testing.T) {
	k := newTalk(t, steps(say("```json\n{\"kind\":\"spam\"}\n```")), func(o *turn.Options) { structure(o); o.Tools = tools.NewSet() })
	out := k.Ask(t.Context(), "classify")
	if out.Answer != `{"kind":"spam"}` || k.shown() != out.Answer {
		t.Errorf("%+v, shown %q", out, k.shown())
	}
	if f := k.server.Last().Fields["response_format"]; !strings.Contains(string(f), `"json_schema"`) {
		t.Errorf("response_format %s", f)
	}
}

func TestStructuredAnswerIsCorrectedOnce(t *testing.T) {
	k := newTalk(t, steps(call("bash", `{"x":"look"}`), say(`{"kind":"ham?"}`), func(a *llmtest.Answer, r *llmtest.Request) {
		want := "[your answer is not valid mail: at /kind: not one of; spam, ham]\nAnswer again with only the corrected JSON, nothing else."
		if r.User() != want || len(r.Fields["response_format"]) == 0 || len(r.Tools) != 0 {
			t.Errorf("the corrective request: %q, format %s, tools %v", r.User(), r.Fields["response_format"], r.Tools)
		}
		a.Text(`{"kind":"spam"}`)
	}), structure)
	if out := k.Ask(t.Context(), "classify"); out.Answer != `{"kind":"spam"}` || k.shown() != out.Answer {
		t.Errorf("%+v, shown %q", out, k.shown())
	}
	k = newTalk(t, steps(say("spam, I think")), structure)
	out := k.Ask(t.Context(), "classify")
	if out.Failure == nil || out.Failure.Cause != turn.BadStructure || out.Failure.Message != "[error: the answer is not valid mail: at /kind: not one of; spam, ham]" || k.shown() != "" {
		t.Errorf("%+v, shown %q", out.Failure, k.shown())
	}
	if n := len(k.server.Requests()); n != 2 {
		t.Errorf("%d requests, want one corrective retry", n)
	}
}
