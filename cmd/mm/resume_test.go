//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/mmtest"
	"github.com/mini-me/mm/internal/session"
)

// TestResumeGoesOnExactly: a second mm that goes on sends the same bytes as the first one sent, and
// then the new question.
func TestResumeGoesOnExactly(t *testing.T) {
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) {
		switch last := r.Last(); {
		case last.Role == "user" && strings.HasPrefix(last.Content, "first"):
			a.Thought("both, <then> \"&\" é")
			a.Text("let me look ")
			a.Call("bash", `{"command": "printf 'a\u2028b\tc'"}`)
			a.Call("plan", `{"action":"set","steps":["look","<do>"]}`)
			a.Call("nope", `{}`)
		case last.Role == "tool":
			a.Text("done: 世界 \u0007")
		default:
			a.Call("plan", `{"action":"show"}`)
		}
		a.Usage(100, 10, 50)
	})
	dir := folder(t, map[string]string{"mm.yaml": "provider: test\nbaseURL: " + server.URL + "\nmodel: test-model\nplanTool: true\n"})
	for i, args := range [][]string{{"-p", "first <question> & more"}, {"-p", "second", "--continue"}, {"-p", "third", "--continue"}} {
		if out, err := mm(t, dir, args...).CombinedOutput(); err != nil {
			t.Fatalf("%d: %v: %s", i, err, out)
		}
	}
	if n := len(server.Requests()); n != 6 {
		t.Errorf("%d requests, want 6", n)
	}
	server.CheckPrefix(t)
	if got := server.Last().Last(); got.Role != "tool" || !strings.Contains(got.Content, "1. [ ] look\n2. [ ] <do>") {
		t.Errorf("the plan after going on: %q", got.Content)
	}
}

// kills is how often TestKilledMMLosesNothing ends mm.
const kills = 200

// TestKilledMMLosesNothing ends mm with SIGKILL at random moments of a turn. Each time the session
// loads, and has every message that the model was sent, and every command that was run.
func TestKilledMMLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("200 kills take a minute")
	}
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) {
		n := len(r.Messages)
		a.Text(fmt.Sprintf("step %d ", n))
		a.Call("bash", fmt.Sprintf(`{"command":"echo k%da >>ran"}`, n))
		if n%3 == 0 {
			a.Call("bash", fmt.Sprintf(`{"command":"echo k%db >>ran; sleep 0.01"}`, n))
		}
	})
	for i := range kills {
		dir := folder(t, map[string]string{"mm.yaml": "provider: test\nbaseURL: " + server.URL + "\nmodel: test-model\nmaxTurns: 10000\ninstructions: run " + fmt.Sprint(i) + "\n"})
		cmd := mm(t, dir, "-p", fmt.Sprintf("go %d", i))
		before := len(server.Requests())
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		mmtest.Wait(t, "the model is asked", func() bool { return len(server.Requests()) > before })
		time.Sleep(rand.N(150 * time.Millisecond)) // the moment is what is random here
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		var last *llmtest.Request
		for _, r := range server.Requests()[before:] {
			if strings.HasPrefix(r.System(), fmt.Sprintf("run %d", i)) {
				last = r
			}
		}
		check(t, i, dir, last)
		if t.Failed() {
			return
		}
	}
}

// check compares what was kept with what the model was sent and with what was run.
func check(t *testing.T, i int, dir string, last *llmtest.Request) {
	t.Helper()
	store := session.NewStore(filepath.Join(dir, ".local", "state", "mm", "sessions"))
	newest, err := store.Newest(dir)
	if err != nil {
		t.Fatalf("kill %d: %v", i, err)
	}
	w, f, err := store.Open(newest.ID, session.Options{})
	if err != nil {
		t.Fatalf("kill %d: %v", i, err)
	}
	w.Close()
	sent := last.Messages[1:]
	if len(f.Messages) < len(sent) {
		t.Fatalf("kill %d: %d messages were kept, the model had been sent %d", i, len(f.Messages), len(sent))
	}
	for n, m := range sent {
		kept := f.Messages[n]
		if kept.Role != m.Role || kept.Content != m.Content || kept.CallID != m.CallID || len(kept.Calls) != len(m.Calls) {
			t.Fatalf("kill %d: message %d is %+v, the model was sent %s", i, n, kept, m.Raw)
		}
	}
	ran, _ := os.ReadFile(filepath.Join(dir, "ran"))
	var said strings.Builder
	for _, m := range f.Messages {
		for _, c := range m.Calls {
			said.WriteString(c.Arguments)
		}
	}
	for _, k := range strings.Fields(string(ran)) {
		if !strings.Contains(said.String(), k+" ") {
			t.Fatalf("kill %d: the command %s ran and no message has it", i, k)
		}
	}
	if f.Messages[len(f.Messages)-1].Role != "assistant" {
		t.Fatalf("kill %d: the conversation can't go on", i)
	}
}
