package turn_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeTool runs a function.
type fakeTool struct {
	name string
	side bool
	asks consent.Asks
	run  func(ctx context.Context, args string, host ui.Host) tools.Result
}

func (f fakeTool) Spec() tools.Spec {
	return tools.Spec{Name: f.name, Description: "d", Parameters: json.RawMessage(`{"type":"object","properties":{"x":{"type":"string"}}}`),
		Counter: tools.Counter{Icon: "⚙", Noun: "command"}, SideBySide: f.side}
}

func (f fakeTool) Prepare(_ context.Context, c tools.Call) tools.Plan {
	return tools.Plan{Title: string(c.Args), Asks: f.asks, Run: func(ctx context.Context, h ui.Host) tools.Result {
		return f.run(ctx, string(c.Args), h)
	}}
}

func echo(name string) fakeTool {
	return fakeTool{name: name, run: func(_ context.Context, args string, _ ui.Host) tools.Result { return tools.Result{Text: "ran " + args} }}
}

// sink keeps events.
type sink struct {
	mu     sync.Mutex
	events []ui.Event
	on     func(ui.Event)
}

func (s *sink) Emit(e ui.Event) {
	s.mu.Lock()
	s.events = append(s.events, e)
	on := s.on
	s.mu.Unlock()
	if on != nil {
		on(e)
	}
}

func (s *sink) end(t *testing.T) ui.TurnEnded {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	end, ok := s.events[len(s.events)-1].(ui.TurnEnded)
	if !ok {
		t.Fatalf("the last event is %#v, want the turn's end", s.events[len(s.events)-1])
	}
	return end
}

// talk is a conversation with a model server.
type talk struct {
	*turn.Conversation
	server *llmtest.Server
	sink   *sink
}

func newTalk(t *testing.T, h llmtest.Handler, change func(*turn.Options), window ...int) *talk {
	t.Helper()
	server := llmtest.New(t, h)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	m, err := llm.New(llm.Options{Provider: "test", BaseURL: server.URL, Model: "test-model", Transport: transport, ContextWindow: append(window, 8192)[0]})
	if err != nil {
		t.Fatal(err)
	}
	k := &talk{server: server, sink: &sink{}}
	o := turn.Options{Model: m, Tools: tools.NewSet(echo("bash")), Gate: consent.NewGate(consent.Options{Yolo: true}),
		Sink: k.sink, Instructions: "You are a test.", Cwd: t.TempDir(), MaxTurns: 50, Watchdog: time.Minute}
	if change != nil {
		change(&o)
	}
	k.Conversation = turn.New(o)
	return k
}

// steps answers the n-th request with the n-th function.
func steps(list ...func(*llmtest.Answer, *llmtest.Request)) llmtest.Handler {
	return func(a *llmtest.Answer, r *llmtest.Request) { list[min(r.N, len(list)-1)](a, r) }
}

func say(text string) func(*llmtest.Answer, *llmtest.Request) {
	return func(a *llmtest.Answer, _ *llmtest.Request) { a.Text(text) }
}

func call(name, args string) func(*llmtest.Answer, *llmtest.Request) {
	return func(a *llmtest.Answer, _ *llmtest.Request) { a.Call(name, args) }
}

func TestAnswerIsWhatFollowsTheLastCall(t *testing.T) {
	k := newTalk(t, steps(func(a *llmtest.Answer, _ *llmtest.Request) {
		a.Text("Let me look.")
		a.Call("bash", `{"x":"ls"}`)
		a.Usage(3000, 400, 0)
	}, func(a *llmtest.Answer, r *llmtest.Request) {
		if got := r.Last().Content; got != `ran {"x":"ls"}` {
			t.Errorf("the model reads %q", got)
		}
		a.Text("Two files.")
		a.Usage(120, 10, 0)
	}), nil)
	out := k.Ask(t.Context(), "what is here?")
	if out.Answer != "Two files." || out.Reason != turn.EndTurn || out.Failure != nil {
		t.Errorf("outcome %+v", out)
	}
	if s := k.sink.end(t).Summary; !strings.HasPrefix(s, "⚙ 1 command · ") || !strings.HasSuffix(s, " s · 3,120 + 410 tokens") {
		t.Errorf("summary %q", s)
	}
	k.server.CheckPrefix(t)
}

func TestUnknownToolAndBadArguments(t *testing.T) {
	var read []string
	k := newTalk(t, func(a *llmtest.Answer, r *llmtest.Request) {
		switch r.N {
		case 0:
			a.Call("bsh", `{}`)
		case 1:
			read = append(read, r.Last().Content)
			a.Call("bash", `{"x": what?}`)
		default:
			read = append(read, r.Last().Content)
			a.Text("done")
		}
	}, nil)
	k.Ask(t.Context(), "go")
	if len(read) != 2 || read[0] != `[unknown tool "bsh" — tools: bash]` || !strings.HasPrefix(read[1], "[bash: ") {
		t.Errorf("the model read %q", read)
	}
}

// TestCallsSideBySide: both calls must be running before either may end, and the results come back
// in the order of the calls though the second ends first.
func TestCallsSideBySide(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	second := make(chan struct{})
	tool := fakeTool{name: "ask_agent", side: true, run: func(_ context.Context, args string, _ ui.Host) tools.Result {
		both.Done()
		both.Wait()
		if strings.Contains(args, "one") {
			<-second
		} else {
			defer close(second)
		}
		return tools.Result{Text: "answer to " + args}
	}}
	k := newTalk(t, steps(func(a *llmtest.Answer, _ *llmtest.Request) {
		a.Call("ask_agent", `{"x":"one"}`)
		a.Call("ask_agent", `{"x":"two"}`)
	}, func(a *llmtest.Answer, r *llmtest.Request) {
		n := len(r.Messages)
		if r.Messages[n-2].Content != `answer to {"x":"one"}` || r.Messages[n-1].Content != `answer to {"x":"two"}` {
			t.Errorf("results out of order: %q, %q", r.Messages[n-2].Content, r.Messages[n-1].Content)
		}
		a.Text("done")
	}), func(o *turn.Options) { o.Tools = tools.NewSet(tool) })
	if out := k.Ask(t.Context(), "go"); out.Answer != "done" {
		t.Errorf("%+v", out)
	}
}

// TestCallsSideBySideAreShownInOrder: each was shown when its goroutine came to it.
func TestCallsSideBySideAreShownInOrder(t *testing.T) {
	const calls = 20
	tool := fakeTool{name: "ask_agent", side: true, run: func(context.Context, string, ui.Host) tools.Result { return tools.Result{Text: "ok"} }}
	k := newTalk(t, steps(func(a *llmtest.Answer, _ *llmtest.Request) {
		for i := range calls {
			a.Call("ask_agent", fmt.Sprintf(`{"x":"%02d"}`, i))
		}
	}, func(a *llmtest.Answer, _ *llmtest.Request) { a.Text("done") }), func(o *turn.Options) { o.Tools = tools.NewSet(tool) })
	k.Ask(t.Context(), "go")
	var shown []string
	for _, e := range k.sink.events { // all of the turn
		if c, ok := e.(ui.ToolCall); ok && c.Status == ui.Pending {
			shown = append(shown, c.ID+string(c.Input))
		}
	}
	for i, s := range shown {
		if want := fmt.Sprintf(`call-%d{"x":"%02d"}`, i+1, i); s != want {
			t.Fatalf("shown as number %d: %s, want %s", i+1, s, want)
		}
	}
	if len(shown) != calls {
		t.Errorf("%d calls are shown", len(shown))
	}
}

func TestMaxTurns(t *testing.T) {
	k := newTalk(t, func(a *llmtest.Answer, r *llmtest.Request) { a.Call("bash", fmt.Sprintf(`{"x":"%d"}`, r.N)) },
		func(o *turn.Options) { o.MaxTurns = 3 })
	out := k.Ask(t.Context(), "go")
	if out.Reason != turn.MaxTurnRequests || k.sink.end(t).Error != "[error: 3 model calls in one turn — stopped by maxTurns]" {
		t.Errorf("%+v %q", out, k.sink.end(t).Error)
	}
	if n := len(k.server.Requests()); n != 3 {
		t.Errorf("%d model calls", n)
	}
	// The next turn starts on a well-formed history: the server checks it.
	k.Ask(t.Context(), "again")
}

func TestLoopDetector(t *testing.T) {
	var read []string
	k := newTalk(t, func(a *llmtest.Answer, r *llmtest.Request) {
		if r.Last().Role == "tool" {
			read = append(read, r.Last().Content)
		}
		if r.User() == "again" {
			a.Text("sorry")
			return
		}
		a.Call("edit_file", `{"x":"same"}`)
	}, func(o *turn.Options) {
		o.Tools = tools.NewSet(fakeTool{name: "edit_file", run: func(context.Context, string, ui.Host) tools.Result {
			return tools.Result{Text: "no such text", Failed: true}
		}})
	})
	out := k.Ask(t.Context(), "go")
	want := "[error: the model repeated the same edit_file call 6 times in a row with the same failing result — turn stopped by the loop detector; rephrase the request, or fix what the tool kept reporting]"
	if out.Failure == nil || out.Failure.Message != want || out.Failure.Where != turn.InGeneration || out.Failure.Cause != turn.Looping {
		t.Errorf("outcome %+v", out.Failure)
	}
	if len(read) != 5 || read[1] != "no such text" || read[2] != "no such text\n"+tools.LoopDetected {
		t.Errorf("the model read %q", read)
	}
	if f := k.Faults(); len(f) != 1 || f[0].Where != "generation" {
		t.Errorf("faults %+v", f)
	}
	if out := k.Ask(t.Context(), "again"); out.Answer != "sorry" {
		t.Errorf("the conversation can't go on: %+v", out)
	}
}

func TestRunawayArguments(t *testing.T) {
	k := newTalk(t, func(a *llmtest.Answer, r *llmtest.Request) {
		a.CallPiece(0, "c1", "bash", `{"x":"`)
		for a.Context().Err() == nil {
			a.CallPiece(0, "", "", "abcdabcdabcdabcdabcdabcdabcdabcd")
		}
	}, nil)
	out := k.Ask(t.Context(), "go")
	if out.Failure == nil || !strings.HasPrefix(out.Failure.Message, "[error: the model's tool call ran away: its arguments repeat the same pattern (") ||
		!strings.HasSuffix(out.Failure.Message, "…) — generation stopped; rephrase the request, or try another model]") {
		t.Errorf("%+v", out.Failure)
	}
	if phases := k.phases(); !slices.Contains(phases, "Composing a tool call") {
		t.Errorf("phases %q", phases)
	}
}

func (k *talk) phases() []string {
	k.sink.mu.Lock()
	defer k.sink.mu.Unlock()
	var out []string
	for _, e := range k.sink.events {
		if p, ok := e.(ui.Phase); ok {
			out = append(out, p.Text)
		}
	}
	return out
}

func TestEmptyStepGetsOneNudge(t *testing.T) {
	k := newTalk(t, steps(func(a *llmtest.Answer, _ *llmtest.Request) { a.Thought("hm") }, say("there")), nil)
	if out := k.Ask(t.Context(), "go"); out.Answer != "there" {
		t.Errorf("%+v", out)
	}
	k = newTalk(t, steps(say("")), nil)
	out := k.Ask(t.Context(), "go")
	if out.Failure == nil || out.Failure.Cause != turn.EmptyTurn || len(k.server.Requests()) != 2 {
		t.Errorf("%+v after %d requests", out.Failure, len(k.server.Requests()))
	}
}

// TestCancelKeepsTheHistoryWellFormed cancels in the stream, and before a call ran; the strict
// server refuses the next turn if the history isn't well-formed.
func TestCancelKeepsTheHistoryWellFormed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	k := newTalk(t, func(a *llmtest.Answer, r *llmtest.Request) {
		switch r.User() {
		case "one":
			a.Text("Half an ")
			<-a.Context().Done()
		case "two":
			a.Call("bash", `{"x":"a"}`)
			a.Call("bash", `{"x":"b"}`)
		default:
			a.Text("fine")
		}
	}, func(o *turn.Options) {
		o.Tools = tools.NewSet(fakeTool{name: "bash", run: func(context.Context, string, ui.Host) tools.Result {
			cancel()
			return tools.Result{Text: "cut"}
		}})
	})
	k.sink.on = func(e ui.Event) {
		if _, ok := e.(ui.Text); ok {
			cancel()
		}
	}
	out := k.Ask(ctx, "one")
	if out.Reason != turn.Cancelled || out.Answer != "Half an " {
		t.Errorf("%+v", out)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	if out = k.Ask(ctx, "two"); out.Reason != turn.Cancelled {
		t.Errorf("%+v", out)
	}
	k.sink.on = nil
	if out = k.Ask(t.Context(), "three"); out.Answer != "fine" {
		t.Errorf("%+v", out)
	}
	r := k.server.Last()
	var texts []string
	for _, m := range r.Messages {
		texts = append(texts, m.Role+": "+m.Content)
	}
	all := strings.Join(texts, "\n")
	for _, want := range []string{"assistant: Half an \n[cut off: cancelled]", "tool: cut", "tool: [cancelled before it ran]", "assistant: [cancelled]\nuser: three"} {
		if !strings.Contains(all, want) {
			t.Errorf("the history lacks %q:\n%s", want, all)
		}
	}
	k.server.CheckPrefix(t)
}

func TestSilenceEndsTheTurn(t *testing.T) {
	for phase, h := range map[string]llmtest.Handler{
		"waiting for the first token": func(a *llmtest.Answer, _ *llmtest.Request) { <-a.Context().Done() },
		"between tokens":              func(a *llmtest.Answer, _ *llmtest.Request) { a.Text("x"); <-a.Context().Done() },
		"bash running":                call("bash", `{"x":"sleep"}`),
	} {
		t.Run(phase, func(t *testing.T) {
			k := newTalk(t, h, func(o *turn.Options) {
				o.Watchdog = 300 * time.Millisecond
				o.Tools = tools.NewSet(fakeTool{name: "bash", run: func(ctx context.Context, _ string, _ ui.Host) tools.Result {
					<-ctx.Done()
					return tools.Result{Text: "[error: cancelled]"}
				}})
			})
			out := k.Ask(t.Context(), "go")
			want := "[error: no sign of life for 300ms (" + phase + ") — turn stopped by the watchdog]"
			if out.Failure == nil || out.Failure.Message != want || out.Failure.Where != turn.InWatchdog {
				t.Errorf("%+v, want %s", out.Failure, want)
			}
		})
	}
}

// slowAsker answers after longer than the watchdog would wait.
type slowAsker struct{ wait time.Duration }

func (a slowAsker) AskPermission(ctx context.Context, _ *consent.Question) (consent.Reply, error) {
	select {
	case <-time.After(a.wait): // the wait itself is what is tested
		return consent.Reply{Answer: consent.AllowOnce}, nil
	case <-ctx.Done():
		return consent.Reply{}, ctx.Err()
	}
}

func TestWaitingForAPersonIsNoSilence(t *testing.T) {
	k := newTalk(t, steps(call("bash", `{"x":"a"}`), say("done")), func(o *turn.Options) {
		o.Watchdog = 400 * time.Millisecond
		o.Gate = consent.NewGate(consent.Options{Asker: slowAsker{1500 * time.Millisecond}})
		ask := echo("bash")
		ask.asks = consent.UnlessYolo
		o.Tools = tools.NewSet(ask)
	})
	if out := k.Ask(t.Context(), "go"); out.Answer != "done" {
		t.Errorf("%+v", out.Failure)
	}
}

func TestModelErrorsKeepWhatArrived(t *testing.T) {
	k := newTalk(t, steps(func(a *llmtest.Answer, _ *llmtest.Request) { a.Text("Half"); a.Cut() }, say("fine")), nil)
	out := k.Ask(t.Context(), "go")
	if out.Failure == nil || out.Failure.Cause != turn.ModelError || out.Answer != "Half" {
		t.Errorf("%+v", out)
	}
	if out := k.Ask(t.Context(), "and now?"); out.Answer != "fine" {
		t.Errorf("%+v", out)
	}
	m := k.server.Last().Messages
	if got := m[len(m)-2].Content; !strings.HasPrefix(got, "Half\n[cut off: ") {
		t.Errorf("the history has %q", got)
	}
}

func TestCutAnswerIsNotAnAnswer(t *testing.T) {
	k := newTalk(t, steps(func(a *llmtest.Answer, _ *llmtest.Request) { a.Text("A long"); a.Finish("length") }), nil)
	if out := k.Ask(t.Context(), "go"); out.Reason != turn.MaxTokens || out.Failure == nil || out.Answer != "A long" {
		t.Errorf("%+v", out)
	}
}

// TestRequestsOnlyGrow: thirty steps with tools; each request's messages begin with all the bytes
// of the one before.
func TestRequestsOnlyGrow(t *testing.T) {
	k := newTalk(t, func(a *llmtest.Answer, r *llmtest.Request) {
		if r.N%5 == 4 {
			a.Text("done " + r.User())
			return
		}
		a.Thought("thinking")
		a.Call("bash", fmt.Sprintf(`{"x":"%d"}`, r.N))
	}, nil)
	for i := range 6 {
		k.Ask(t.Context(), fmt.Sprintf("question %d", i))
	}
	if n := len(k.server.Requests()); n != 30 {
		t.Errorf("%d requests, want 30", n)
	}
	k.server.CheckPrefix(t)
}

func TestSaidNeverHoldsOutputs(t *testing.T) {
	var said []ui.Said
	var k *talk
	k = newTalk(t, steps(call("bash", `{"x":"secret stuff"}`), say("done"), call("bash", `{"x":"2"}`), say("end")), func(o *turn.Options) {
		o.Tools = tools.NewSet(fakeTool{name: "bash", run: func(context.Context, string, ui.Host) tools.Result {
			said = k.Said()
			return tools.Result{Text: "OUTPUT"}
		}})
	})
	k.Ask(t.Context(), "first")
	k.Ask(t.Context(), "second")
	want := []ui.Said{{Who: "user", Text: "first"}, {Who: "tool bash", Text: `{"x":"secret stuff"}`}, {Who: "assistant", Text: "done"}}
	if !slices.Equal(said, want) {
		t.Errorf("said %q, want the conversation as of the start of the turn %q", said, want)
	}
}
