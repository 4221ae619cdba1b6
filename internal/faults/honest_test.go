//go:build linux

package faults

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/mmtest"
)

// ending is one way in which jan's turn can end, and what is said of it.
type ending struct {
	name   string
	file   string // added to jan's agent file
	entry  string // added to jan's entry in the lead's
	does   func(h *house, m *models, a *llmtest.Answer, r *llmtest.Request)
	binary func(testing.TB) string

	model  string // what the lead's model reads; "…" stands for anything
	status int    // of mm --ask jan
	stdout string
	reason string // on its stderr, and in errors of its --output json; "" when the answer is whole
	stop   string // stop_reason there
	where  string
}

// ends is a handler that ignores what it needn't know.
func ends(f func(a *llmtest.Answer)) func(*house, *models, *llmtest.Answer, *llmtest.Request) {
	return func(_ *house, _ *models, a *llmtest.Answer, _ *llmtest.Request) { f(a) }
}

var endings = []ending{
	{name: "a whole answer", does: ends(func(a *llmtest.Answer) { a.Text("all good") }),
		model: "all good", stdout: "all good\n", stop: "end_turn"},
	{name: "cut at maxTokens", does: ends(func(a *llmtest.Answer) { a.Text("half"); a.Finish("length") }),
		model:  "half\n[ask_agent: jan stopped before finishing: max_tokens (the answer was cut at its maxTokens)]",
		status: 1, stdout: "half\n", reason: "[ask_agent: jan stopped before finishing: max_tokens (the answer was cut at its maxTokens)]", stop: "max_tokens", where: "ask"},
	{name: "refused by the provider", does: ends(func(a *llmtest.Answer) { a.Text("I"); a.Finish("content_filter") }),
		model:  "I\n[ask_agent: jan stopped before finishing: refusal (its model refused)]",
		status: 1, stdout: "I\n", reason: "[ask_agent: jan stopped before finishing: refusal (its model refused)]", stop: "refusal", where: "ask"},
	{name: "too many model calls", file: "maxTurns: 2", does: func(_ *house, _ *models, a *llmtest.Answer, r *llmtest.Request) {
		a.Text("and ")
		bash(a, fmt.Sprintf("echo %d", r.N))
	},
		model:  "and and \n[ask_agent: jan stopped before finishing: max_turn_requests (its maxTurns was reached)]",
		status: 1, stdout: "and and \n", reason: "[ask_agent: jan stopped before finishing: max_turn_requests (its maxTurns was reached)]", stop: "max_turn_requests", where: "ask"},
	{name: "refused by the server", does: ends(func(a *llmtest.Answer) {
		a.Refuse(401, `{"error":{"message":"who are you?","type":"auth","code":401}}`)
	}),
		model:  "[ask_agent: jan failed: …who are you?…]",
		status: 1, reason: "[ask_agent: jan failed: …who are you?…]", stop: "error", where: "ask"},
	{name: "a broken stream", does: ends(func(a *llmtest.Answer) { a.Text("half of it"); a.Cut() }),
		model:  "half of it\n[ask_agent: jan stopped before finishing: …stream broke…]",
		status: 1, stdout: "half of it\n", reason: "[ask_agent: jan stopped before finishing: …stream broke…]", stop: "error", where: "ask"},
	{name: "nothing, twice", does: ends(func(a *llmtest.Answer) { a.Thought("hm") }),
		model:  "[ask_agent: jan failed: the model answered nothing, twice…]",
		status: 4, reason: "[ask_agent: jan failed: the model answered nothing, twice…]", stop: "error", where: "ask"},
	{name: "a loop", does: ends(func(a *llmtest.Answer) { bash(a, "echo again") }),
		model:  "[ask_agent: jan failed: …]",
		status: 1, reason: "[ask_agent: jan failed: …]", stop: "error", where: "ask"},
	{name: "silence", file: "watchdogTimeout: 1s", does: func(_ *house, m *models, a *llmtest.Answer, _ *llmtest.Request) { m.hang(a, "jan") },
		model:  "[ask_agent: jan failed: no sign of life for 1s (waiting for the first token) — turn stopped by the watchdog]",
		status: 5, reason: "[ask_agent: jan failed: no sign of life for 1s (waiting for the first token) — turn stopped by the watchdog]", stop: "error", where: "ask"},
	{name: "out of time", entry: "timeout: 1s", does: func(_ *house, m *models, a *llmtest.Answer, _ *llmtest.Request) { a.Text("slow"); m.hang(a, "jan") },
		model:  "slow\n[ask_agent: jan stopped before finishing: timed out after 1s]",
		status: 5, stdout: "slow\n", reason: "[ask_agent: jan stopped before finishing: timed out after 1s]", stop: "cancelled", where: "ask"},
	{name: "killed", does: func(h *house, _ *models, a *llmtest.Answer, _ *llmtest.Request) {
		a.Text("half")
		h.seen("half")
		_ = syscall.Kill(h.Find("-acp", "jan.yaml"), syscall.SIGKILL)
	},
		model:  "half\n[ask_agent: jan stopped before finishing: ended (signal: killed)]",
		status: 1, stdout: "half\n", reason: "[ask_agent: jan stopped before finishing: ended (signal: killed)]", stop: "error", where: "ask"},
	{name: "a crash", binary: crashingMM, does: func(h *house, m *models, a *llmtest.Answer, _ *llmtest.Request) {
		_ = syscall.Kill(h.Find("-acp", "jan.yaml"), syscall.SIGUSR1)
		m.hang(a, "jan") // else its answer, an empty one, may come before the panic
	},
		model:  "[ask_agent: jan failed: crashed: panic: as the test wants it]",
		status: 1, reason: "[ask_agent: jan failed: crashed: panic: as the test wants it]", stop: "error", where: "ask"},
	{name: "a long answer that was cut short", does: ends(func(a *llmtest.Answer) { a.Text(strings.Repeat("long ", 8000)); a.Finish("length") }),
		model:  "long …\n[... 24000 more characters]\n[ask_agent: jan stopped before finishing: max_tokens (the answer was cut at its maxTokens)]",
		status: 1, stdout: "long …\n", reason: "[ask_agent: jan stopped before finishing: max_tokens (the answer was cut at its maxTokens)]", stop: "max_tokens", where: "ask"},
}

// like reports whether a text is the wanted one, in which "…" stands for anything.
func like(got, want string) bool {
	parts := strings.Split(want, "…")
	if !strings.HasPrefix(got, parts[0]) {
		return false
	}
	rest := got[len(parts[0]):]
	for i, p := range parts[1:] {
		at := strings.Index(rest, p)
		if i == len(parts)-2 {
			at = strings.LastIndex(rest, p)
		}
		if at < 0 {
			return false
		}
		rest = rest[at+len(p):]
	}
	return rest == ""
}

// TestHonestResults: how jan's turn ended is told as it was: to the lead's model, on the command line,
// and to programs.
func TestHonestResults(t *testing.T) {
	for _, e := range endings {
		t.Run(e.name, func(t *testing.T) {
			binary := racedMM
			if e.binary != nil {
				binary = e.binary
			}
			var h *house
			var m *models
			ready := make(chan struct{})
			m = newModels(t, func(a *llmtest.Answer, r *llmtest.Request) {
				<-ready
				switch {
				case r.System() == "jan":
					e.does(h, m, a, r)
				case r.Last().Role == "tool":
					a.Text("noted")
				default:
					calls(a, "jan: a task")
				}
			})
			h = newHouse(t, binary(t), map[string]string{
				"mm.yaml":  m.agent("lead", "mmConfigs:\n  jan: {path: jan.yaml, "+e.entry+"}"),
				"jan.yaml": m.agent("jan", e.file),
			})
			close(ready)
			e.toModel(h, m)
			e.toPerson(h)
			e.toProgram(h)
		})
	}
}

// toModel checks what the lead's model reads of jan's turn, and that the lead's own goes on.
func (e *ending) toModel(h *house, m *models) {
	h.t.Helper()
	got := h.run("-p", "go", "--output", "events")
	results := m.results("lead")
	if len(results) != 1 || !like(results[0], e.model) {
		h.t.Errorf("the model reads %q, want %q", results, e.model)
	}
	if got.status != 0 || !strings.Contains(got.stdout, `"answer":"noted"`) {
		h.t.Errorf("status %d: %s%s", got.status, mmtest.Clip(got.stdout), got.stderr)
	}
}

// toPerson checks what mm --ask says.
func (e *ending) toPerson(h *house) {
	h.t.Helper()
	args := []string{"--ask", "jan", "a task"}
	if e.name == "killed" {
		args = append(args, "--output", "events") // where the text is seen as it comes
	}
	got := h.run(args...)
	if got.status != e.status || !strings.Contains(e.name, "killed") && !like(got.stdout, e.stdout) {
		h.t.Errorf("--ask: status %d, want %d; stdout %q, want %q", got.status, e.status, mmtest.Clip(got.stdout), e.stdout)
	}
	if stderr := strings.TrimSuffix(got.stderr, "\n"); !like(stderr, e.reason) {
		h.t.Errorf("--ask: stderr %q, want %q", stderr, e.reason)
	}
}

// toProgram checks --output json.
func (e *ending) toProgram(h *house) {
	h.t.Helper()
	if e.name == "killed" {
		return // its end is seen above
	}
	r, got := h.json("--ask", "jan", "a task")
	if got.status != e.status || !like(r.Answer+"\n", strings.TrimSuffix(e.stdout, "\n")+"\n") || r.StopReason != e.stop {
		h.t.Errorf("json: status %d, answer %q, stop_reason %q", got.status, mmtest.Clip(r.Answer), r.StopReason)
	}
	switch {
	case e.reason == "" && len(r.Errors) > 0:
		h.t.Errorf("json: %+v", r.Errors)
	case e.reason != "" && (len(r.Errors) != 1 || !like(r.Errors[0].Message, e.reason) || r.Errors[0].Where != e.where):
		h.t.Errorf("json: errors %+v, want %q in %q", r.Errors, e.reason, e.where)
	}
}

// TestHonestOwnResults: the same of an mm's own turn.
func TestHonestOwnResults(t *testing.T) {
	for _, e := range []struct {
		name   string
		file   string
		does   func(m *models, a *llmtest.Answer)
		status int
		stdout string
		reason string
		stop   string
		where  string
	}{
		{"a whole answer", "", func(_ *models, a *llmtest.Answer) { a.Text("all good") }, 0, "all good\n", "", "end_turn", ""},
		{"cut at maxTokens", "", func(_ *models, a *llmtest.Answer) { a.Text("half"); a.Finish("length") },
			1, "half\n", "[error: the answer was cut at maxTokens …]", "max_tokens", "generation"},
		{"refused by the server", "", func(_ *models, a *llmtest.Answer) { a.Refuse(400, `{"error":{"message":"no such model"}}`) },
			1, "", "[error: …no such model…]", "error", "generation"},
		{"a broken stream", "", func(_ *models, a *llmtest.Answer) { a.Text("half of it"); a.Cut() },
			1, "half of it\n", "[error: …stream broke…]", "error", "generation"},
		{"a stream without an end", "", func(_ *models, a *llmtest.Answer) { a.Text("half of it"); a.End() },
			1, "half of it\n", "[error: …stream …]", "error", "generation"},
		{"nothing, twice", "", func(_ *models, a *llmtest.Answer) { a.Thought("hm") },
			4, "", "[error: the model answered nothing, twice …]", "error", "generation"},
		{"silence", "watchdogTimeout: 1s", func(m *models, a *llmtest.Answer) { a.Text("hm"); m.hang(a, "lead") },
			5, "hm\n", "[error: no sign of life for 1s (between tokens) — turn stopped by the watchdog]", "error", "watchdog"},
	} {
		t.Run(e.name, func(t *testing.T) {
			var m *models
			ready := make(chan struct{})
			m = newModels(t, func(a *llmtest.Answer, _ *llmtest.Request) {
				<-ready
				e.does(m, a)
			})
			close(ready)
			h := newHouse(t, racedMM(t), map[string]string{"mm.yaml": m.agent("lead", e.file)})
			got := h.run("-p", "go")
			if got.status != e.status || got.stdout != e.stdout || !like(strings.TrimSuffix(got.stderr, "\n"), e.reason) {
				t.Errorf("status %d, stdout %q, stderr %q", got.status, got.stdout, got.stderr)
			}
			r, got := h.json("-p", "go")
			if got.status != e.status || r.Answer != strings.TrimSuffix(e.stdout, "\n") || r.StopReason != e.stop {
				t.Errorf("json: status %d: %s", got.status, got.stdout)
			}
			if e.reason != "" && (len(r.Errors) != 1 || !like(r.Errors[0].Message, e.reason) || r.Errors[0].Where != e.where) {
				t.Errorf("json: %s", got.stdout)
			}
		})
	}
}
