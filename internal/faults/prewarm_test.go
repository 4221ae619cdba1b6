//go:build linux

package faults

import (
	"strings"
	"sync"
	"testing"

	"github.com/mini-me/mm/internal/llm/llmtest"
)

// TestPrewarm: an agent that is to be ready starts while the first answer streams, has been asked nothing by
// then, and is the one that is asked later.
func TestPrewarm(t *testing.T) {
	t.Parallel()
	answer := make(chan struct{})
	m := newModels(t, func(a *llmtest.Answer, r *llmtest.Request) {
		if r.System() != "lead" {
			a.Text("jan is here")
			return
		}
		a.Text("let me think\n")
		<-answer
		a.Text("done\n")
	})
	h := newHouse(t, racedMM(t), map[string]string{
		"mm.yaml":  m.agent("lead", "mmConfigs:\n  jan: {path: jan.yaml, prewarm: true}\n  kim: jan.yaml"),
		"jan.yaml": m.agent("jan", ""),
	})
	x := h.terminal()
	x.Expect(`^> `)
	if n := h.Count("-acp"); n != 0 {
		t.Errorf("%d agents run before anybody asked anything", n)
	}
	x.Keys("hello\n")
	x.Expect(`^let me think$`)
	jan := h.Find("-acp", "jan.yaml")
	close(answer)
	x.Expect(`^done$`)
	if n := len(m.Requests()); n != 1 {
		t.Errorf("%d requests to the model, want the lead's alone", n)
	}
	x.Keys("/ask-jan are you there?\n")
	x.Expect(`^jan is here$`)
	if n := h.Count("-acp"); n != 1 || h.Find("-acp", "jan.yaml") != jan {
		t.Errorf("%d agents run, want jan alone, as it was started", n)
	}
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestOneRequestAtATime: a server with room for one request lets the second agent wait. Both are answered.
func TestOneRequestAtATime(t *testing.T) {
	t.Parallel()
	var slot sync.Mutex
	m := newModels(t, func(a *llmtest.Answer, r *llmtest.Request) {
		slot.Lock()
		defer slot.Unlock()
		switch {
		case r.System() != "lead":
			a.Text(r.System() + " says hello")
		case r.Last().Role == "tool":
			a.Text("both are here")
		default:
			calls(a, "jan: hi", "kim: hi")
		}
	})
	h := newHouse(t, racedMM(t), map[string]string{
		"mm.yaml":  m.agent("lead", "mmConfigs: {jan: jan.yaml, kim: kim.yaml}"),
		"jan.yaml": m.agent("jan", ""),
		"kim.yaml": m.agent("kim", ""),
	})
	if e := h.run("-p", "ask both"); e.status != 0 || strings.TrimSpace(e.stdout) != "both are here" {
		t.Errorf("status %d:\n%s%s", e.status, e.stdout, e.stderr)
	}
	if got := m.results("lead"); len(got) != 2 || got[0] != "jan says hello" || got[1] != "kim says hello" {
		t.Errorf("%q", got)
	}
}
