package tools_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// answers is an Asker that gives a fixed answer and keeps what it was asked.
type answers struct {
	a     ui.Answer
	asked ui.Ask
}

func (f *answers) Ask(_ context.Context, a ui.Ask, _ ui.Host) ui.Answer { f.asked = a; return f.a }

func askAgent(a *answers, max int) *tools.AskAgent {
	return tools.NewAskAgent(tools.AskAgentOptions{
		Agents: []tools.Agent{{Name: "jan", Role: "looks around"}, {Name: "homer", Role: "(no description)"}},
		Asker:  a, MaxOutput: max,
		History: func() []ui.Said { return []ui.Said{{Who: "user", Text: "hi"}} },
		Line:    func(agent string) string { return agent + " (ollama/qwen3:4b)" },
	})
}

// TestAskAgentTexts holds every text of tools.fr.md for ask_agent, literally.
func TestAskAgentTexts(t *testing.T) {
	for _, c := range []struct {
		name   string
		args   string
		answer ui.Answer
		text   string
		output string // "" for text
		failed bool
	}{
		{"answer", `{"agent":"jan","prompt":"p"}`, ui.Answer{Text: "été"}, "été", "jan answered (3 characters)", false},
		{"unknown", `{"agent":"x","prompt":"p"}`, ui.Answer{}, `[ask_agent: unknown agent "x" — agents: homer, jan]`, "", true},
		{"no guess", `{"agent":"Jan ","prompt":"p"}`, ui.Answer{}, `[ask_agent: unknown agent "Jan " — agents: homer, jan]`, "", true},
		{"empty prompt", `{"agent":"jan","prompt":" "}`, ui.Answer{}, `[ask_agent: the prompt is empty — say what jan must do]`, "", true},
		{"failed", `{"agent":"jan","prompt":"p"}`, ui.Answer{Reason: "ended (exit status 3)"}, `[ask_agent: jan failed: ended (exit status 3)]`, "", true},
		{"no answer", `{"agent":"jan","prompt":"p"}`, ui.Answer{Started: true}, `[ask_agent: jan gave no answer]`, "", true},
		{"stopped", `{"agent":"jan","prompt":"p"}`, ui.Answer{Text: "half", Reason: "cancelled"}, "half\n[ask_agent: jan stopped before finishing: cancelled]", "[ask_agent: jan stopped before finishing: cancelled]", true},
		{"denied", `{"agent":"jan","prompt":"p"}`, ui.Answer{Denied: "too dear"}, "[ask denied by a hook: too dear]", "", true},
		{"withheld", `{"agent":"jan","prompt":"p"}`, ui.Answer{Text: "secret", Denied: "leak"}, "[ask denied by a hook: leak]", "", true},
		{"replaced", `{"agent":"jan","prompt":"p"}`, ui.Answer{Text: "abc", Replaced: true}, "abc", "jan answered; a hook replaced the answer (3 characters)", false},
		{"context", `{"agent":"jan","prompt":"p"}`, ui.Answer{Text: "abc", Context: "note"}, "abc\n\n[context added by a hook]\nnote", "jan answered (3 characters)", false},
		{"wrong shape", `{"agent":["jan"]}`, ui.Answer{}, "[ask_agent: agent must be a string, not a list]", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := askAgent(&answers{a: c.answer}, 1000).Prepare(t.Context(), tools.Call{Args: json.RawMessage(c.args)})
			r := tools.Result{Text: p.Refused, Failed: true}
			if p.Refused == "" {
				r = p.Run(t.Context(), nil)
			}
			if c.output == "" {
				c.output = c.text
			}
			if r.Output == "" {
				r.Output = r.Text
			}
			if r.Text != c.text || r.Output != c.output || r.Failed != c.failed {
				t.Errorf("got %q, %q, failed %v\nwant %q, %q, failed %v", r.Text, r.Output, r.Failed, c.text, c.output, c.failed)
			}
		})
	}
}

func TestAskAgentPlan(t *testing.T) {
	f := &answers{a: ui.Answer{Text: strings.Repeat("x", 50)}}
	tool := askAgent(f, 10)
	p := tool.Prepare(t.Context(), tools.Call{Args: json.RawMessage(`{"agent":"jan","prompt":"\n look here\nand there","with_context":"true"}`), Cwd: "/w", Session: "s"})
	if p.Line != "🗣 ask_agent: jan (ollama/qwen3:4b) — look here" || p.Asks != consent.UnlessYolo {
		t.Errorf("%+v", p)
	}
	if r := p.Run(t.Context(), nil); r.Text != "xxxxxxxxxx\n[... 40 more characters]" || r.Output != "jan answered (50 characters)" {
		t.Errorf("%+v", r)
	}
	if f.asked.Cwd != "/w" || f.asked.Session != "s" || len(f.asked.Context) != 1 || f.asked.Prompt != "\n look here\nand there" {
		t.Errorf("asked %+v", f.asked)
	}
	if want := "\nAgents:\n  homer — (no description)\n  jan — looks around"; !strings.HasSuffix(tool.Spec().Description, want) {
		t.Errorf("description %q lacks %q", tool.Spec().Description, want)
	}
}

func TestLoop(t *testing.T) {
	var l tools.Loop
	for i := 1; i <= 5; i++ {
		add, err := l.Record("bash", "ls", "x", false)
		if err != nil || (add != "") != (i >= 3) {
			t.Errorf("call %d: %q %v", i, add, err)
		}
	}
	_, err := l.Record("bash", "ls", "x", false)
	if err == nil || !strings.Contains(err.Error(), "6 times in a row with the same result — turn") {
		t.Errorf("%v", err)
	}
	l.Reset()
	for range 2 {
		_, _ = l.Record("bash", "ls", "x", false)
	}
	if add, _ := l.Record("bash", "ls", "y", false); add != "" {
		t.Error("another output must start the count again")
	}
}

func TestRunaway(t *testing.T) {
	var r tools.Runaway
	if err := r.Add(strings.Repeat("no pattern here, only prose that goes on; ", 3)); err != nil {
		t.Errorf("short: %v", err)
	}
	var err error
	for range 10 {
		if err = r.Add(strings.Repeat("abcde", 20)); err != nil {
			break
		}
	}
	if err == nil || !strings.Contains(err.Error(), "repeat the same pattern") {
		t.Errorf("%v", err)
	}
	r, err = tools.Runaway{}, nil
	for i := 0; i < 10000 && err == nil; i++ {
		err = r.Add(strings.Repeat(string(rune('a'+i%26)), 1+i%70) + "\n")
	}
	if err == nil || !strings.Contains(err.Error(), "its arguments are too large (") {
		t.Errorf("%v", err)
	}
}
