package turn_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

const order = "You summarise conversations"

// small is a server with a window of 4,096 tokens. It refuses longer requests, counts as servers do
// (about four bytes to a token) and lets h answer what isn't a summary.
func small(t *testing.T, seen *[]string, h llmtest.Handler) llmtest.Handler {
	return func(a *llmtest.Answer, r *llmtest.Request) {
		n := len(r.Body) / 4
		if n > 4096 {
			a.Refuse(400, fmt.Sprintf(`{"error":{"code":400,"message":"request (%d tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":%d,"n_ctx":4096}}`, n, n))
			return
		}
		a.Usage(n, 20, 0)
		if strings.HasPrefix(r.System(), order) {
			a.Text("They looked at many files; go on.")
			return
		}
		if !strings.HasPrefix(r.Messages[1].Content, "THE TASK: count all files") {
			t.Errorf("request %d has lost the task: %.200s", r.N, r.Messages[1].Content)
		}
		if len(r.Tools) != 1 {
			t.Errorf("request %d has lost its tools: %v", r.N, r.Tools)
		}
		*seen = append(*seen, r.User())
		h(a, r)
	}
}

// TestSixtyStepsInASmallWindow: one turn of sixty steps with tool results goes through a window of
// 4k, the task and the tools in every request.
func TestSixtyStepsInASmallWindow(t *testing.T) {
	var seen []string
	steps := 0
	k := newTalk(t, small(t, &seen, func(a *llmtest.Answer, r *llmtest.Request) {
		if steps++; steps > 60 {
			a.Text("all counted")
			return
		}
		a.Call("bash", fmt.Sprintf(`{"x":"step %d"}`, steps))
	}), func(o *turn.Options) {
		o.MaxTurns = 100
		o.Tools = tools.NewSet(fakeTool{name: "bash", run: func(_ context.Context, args string, _ ui.Host) tools.Result {
			return tools.Result{Text: args + strings.Repeat(" line of output", 60)}
		}})
	}, 4096)
	out := k.Ask(t.Context(), "THE TASK: count all files")
	if out.Answer != "all counted" {
		t.Fatalf("%+v after %d steps", out.Failure, steps)
	}
	if n := k.notices("[compacted: "); n < 2 {
		t.Errorf("compacted %d times", n)
	}
}

// TestOneHugeResult: a tool's result that is larger than the window is cut, not sent.
func TestOneHugeResult(t *testing.T) {
	var seen []string
	k := newTalk(t, small(t, &seen, func(a *llmtest.Answer, r *llmtest.Request) {
		if r.Last().Role == "tool" {
			if !strings.Contains(r.Last().Content, "more characters]") {
				t.Error("the result isn't marked as cut")
			}
			a.Text("read it")
			return
		}
		a.Call("bash", `{"x":"cat"}`)
	}), func(o *turn.Options) {
		o.Tools = tools.NewSet(fakeTool{name: "bash", run: func(context.Context, string, ui.Host) tools.Result {
			return tools.Result{Text: strings.Repeat("0123456789", 3000)}
		}})
	}, 4096)
	if out := k.Ask(t.Context(), "THE TASK: count all files"); out.Answer != "read it" {
		t.Errorf("%+v", out.Failure)
	}
}

// TestOverflowCompactsOnce: mm believes in a larger window than the server has; the refusal makes it
// compact and ask again.
func TestOverflowCompactsOnce(t *testing.T) {
	var seen []string
	k := newTalk(t, small(t, &seen, func(a *llmtest.Answer, r *llmtest.Request) { a.Text("answer " + strings.Repeat("words and ", 200)) }), nil, 100000)
	k.Ask(t.Context(), "THE TASK: count all files")
	for i := range 12 {
		if out := k.Ask(t.Context(), fmt.Sprintf("question %d", i)); out.Failure != nil {
			t.Fatalf("question %d: %v", i, out.Failure)
		}
	}
	if n := k.notices("[compacted: "); n == 0 {
		t.Error("never compacted")
	}
}

func TestCompactByHand(t *testing.T) {
	var seen []string
	k := newTalk(t, small(t, &seen, func(a *llmtest.Answer, r *llmtest.Request) { a.Text("answer to " + r.User()) }), nil, 4096)
	if _, err := k.Compact(t.Context()); err == nil {
		t.Error("an empty conversation has nothing to compact")
	}
	k.Ask(t.Context(), "THE TASK: count all files")
	for i := range 8 {
		k.Ask(t.Context(), fmt.Sprintf("question %d %s", i, strings.Repeat("x", 1200)))
	}
	before := k.Context(4096)
	if _, err := k.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := k.Context(4096)
	if after.Used >= before.Used || after.Messages >= before.Messages {
		t.Errorf("%+v is not smaller than %+v", after, before)
	}
	if out := k.Ask(t.Context(), "and now?"); out.Answer != "answer to and now?" {
		t.Errorf("%+v", out)
	}
	h := k.History()
	if h[0].Content != "THE TASK: count all files" && !strings.HasPrefix(h[0].Content, "THE TASK: count all files\n\n[summary of the conversation so far]") {
		t.Errorf("the history begins with %q", h[0].Content)
	}
}

func TestTheServerCutThePrompt(t *testing.T) {
	k := newTalk(t, func(a *llmtest.Answer, r *llmtest.Request) {
		a.Text("ok")
		a.Usage(2048, 5, 0)
	}, nil, 100000)
	for range 3 {
		k.Ask(t.Context(), strings.Repeat("many words ", 3000))
	}
	if n := k.notices("[warning: the server read only 2,048 of about "); n != 1 {
		t.Errorf("warned %d times, want once", n)
	}
}

// notices counts the notices with that beginning.
func (k *talk) notices(prefix string) int {
	k.sink.mu.Lock()
	defer k.sink.mu.Unlock()
	n := 0
	for _, e := range k.sink.events {
		if x, ok := e.(ui.Notice); ok && strings.HasPrefix(x.Text, prefix) {
			n++
		}
	}
	return n
}
