package consent

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// asker answers questions through a channel and records what was shown.
type asker struct {
	shown   chan *Question
	answers chan Reply
}

func newAsker() *asker { return &asker{make(chan *Question, 16), make(chan Reply, 16)} }

func (a *asker) AskPermission(ctx context.Context, q *Question) (Reply, error) {
	a.shown <- q
	select {
	case r := <-a.answers:
		return r, nil
	case <-ctx.Done():
		return Reply{}, ctx.Err()
	}
}

func req(agent, tool string) Request {
	return Request{Call: Call{Agent: agent, Tool: tool, Title: "t", Input: json.RawMessage(`{}`)}, Asks: UnlessYolo}
}

func TestWhoDecides(t *testing.T) {
	yes, no := map[string]bool{"jan": true}, map[string]bool{"jan": false}
	for _, c := range []struct {
		name string
		o    Options
		r    Request
		by   By
		want bool
	}{
		{"yolo runs everything", Options{Yolo: true}, req("", "bash"), ByYolo, true},
		{"yolo covers asked agents", Options{Yolo: true}, req("jan", "bash"), ByYolo, true},
		{"an entry's yolo beats the file's no", Options{Entries: yes}, req("jan", "bash"), ByEntryYolo, true},
		{"and covers what comes through it", Options{Entries: yes}, req("jan/homer", "bash"), ByEntryYolo, true},
		{"but not others", Options{Entries: yes}, req("homer", "bash"), ByUnattended, false},
		{"nor the user's own calls", Options{Entries: yes}, req("", "bash"), ByUnattended, false},
		{"an entry's no beats the file's yolo", Options{Yolo: true, Entries: no}, req("jan", "bash"), ByUnattended, false},
		{"an asked agent's yolo never counts", Options{Yolo: true, Entries: yes, Asked: true}, req("jan", "bash"), ByUnattended, false},
		{"MCP servers marked ask do ask", Options{Yolo: true}, Request{Call: Call{Tool: "srv_x"}, Asks: Always}, ByUnattended, false},
		{"reads never ask", Options{}, Request{Call: Call{Tool: "read_file"}}, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := NewGate(c.o).Decide(t.Context(), c.r)
			if d.By != c.by || d.Allow != c.want {
				t.Errorf("got %+v, want allow %v by %q", d, c.want, c.by)
			}
		})
	}
}

type guard Verdict

func (g guard) Check(context.Context, Request) Verdict { return Verdict(g) }

func TestHooksDecideFirst(t *testing.T) {
	d := NewGate(Options{Yolo: true, Guard: guard{Deny: true, Reason: "no"}}).Decide(t.Context(), req("", "bash"))
	if d.Allow || d.By != ByHook || d.Reason != "no" {
		t.Errorf("denied by a hook: %+v", d)
	}
	d = NewGate(Options{Guard: guard{Allow: true, Context: "c"}}).Decide(t.Context(), req("", "bash"))
	if !d.Allow || d.By != ByHook || d.Context != "c" {
		t.Errorf("allowed by a hook: %+v", d)
	}
	d = NewGate(Options{Asked: true, Guard: guard{Allow: true}}).Decide(t.Context(), req("", "bash"))
	if d.Allow {
		t.Error("in an asked agent a hook of its own file must not replace the person")
	}
}

func TestAnswersAreRememberedPerKey(t *testing.T) {
	a := newAsker()
	g := NewGate(Options{Asker: a})
	a.answers <- Reply{Answer: AllowSession}
	if d := g.Decide(t.Context(), req("jan", "bash")); !d.Allow || d.By != ByUser {
		t.Fatalf("%+v", d)
	}
	if d := g.Decide(t.Context(), req("jan", "bash")); !d.Allow || d.By != ByMemory {
		t.Errorf("second: %+v", d)
	}
	a.answers <- Reply{Answer: RejectOnce}
	if d := g.Decide(t.Context(), req("", "bash")); d.Allow || d.By != ByUser {
		t.Errorf("the user's own bash must still ask: %+v", d)
	}
	a.answers <- Reply{Answer: RejectSession}
	g.Decide(t.Context(), req("", "bash"))
	if d := g.Decide(t.Context(), req("", "bash")); d.Allow || d.By != ByMemory {
		t.Errorf("never: %+v", d)
	}
	if !g.Policy().Forget("jan/bash") || g.Policy().Forget("jan/bash") {
		t.Error("forget must report whether the key was there")
	}
	if n := len(g.Policy().List()); n != 1 {
		t.Errorf("%d keys left, want 1", n)
	}
}

func TestAskedGateRemembersNothing(t *testing.T) {
	a := newAsker()
	g := NewGate(Options{Asker: a, Asked: true})
	for range 2 {
		a.answers <- Reply{Answer: AllowSession}
		if d := g.Decide(t.Context(), req("", "bash")); d.By != ByUser {
			t.Errorf("an asked agent must ask each time: %+v", d)
		}
	}
}

func TestQueueShowsOneAtATime(t *testing.T) {
	a := newAsker()
	g := NewGate(Options{Asker: a})
	var wg sync.WaitGroup
	var mu sync.Mutex
	var by []By
	for range 3 {
		wg.Go(func() {
			d := g.Decide(t.Context(), req("jan", "bash"))
			mu.Lock()
			defer mu.Unlock()
			by = append(by, d.By)
		})
	}
	first := <-a.shown
	waitOpen(t, g, 3)
	if n, of := first.Place(); n != 1 || of != 3 {
		t.Errorf("place %d of %d, want 1 of 3", n, of)
	}
	select {
	case <-a.shown:
		t.Fatal("two questions at once")
	default:
	}
	a.answers <- Reply{Answer: AllowSession}
	wg.Wait()
	var user, memory int
	for _, b := range by {
		switch b {
		case ByUser:
			user++
		case ByMemory:
			memory++
		}
	}
	if user != 1 || memory != 2 {
		t.Errorf("decided by %v, want one by the user and two by memory", by)
	}
	if len(a.shown) != 0 {
		t.Error("a question was shown after an answer for the session had settled it")
	}
}

// TestAnAnswerBeforeTheQueue: a request that had looked at the memory just before an answer for the
// session came, and joined the queue just after it, was asked about all the same.
func TestAnAnswerBeforeTheQueue(t *testing.T) {
	a := newAsker()
	var late atomic.Bool
	joins, join := make(chan struct{}), make(chan struct{})
	g := NewGate(Options{Asker: a, Now: func() time.Time {
		if late.CompareAndSwap(true, false) { // the second request's begin of its wait
			close(joins)
			<-join
		}
		return time.Now()
	}})
	first, second := make(chan Decision, 1), make(chan Decision, 1)
	go func() { first <- g.Decide(t.Context(), req("jan", "bash")) }()
	<-a.shown
	late.Store(true)
	go func() { second <- g.Decide(t.Context(), req("jan", "bash")) }()
	<-joins
	a.answers <- Reply{Answer: AllowSession}
	a.answers <- Reply{Answer: RejectOnce} // would be that to a second question
	if d := <-first; !d.Allow {
		t.Errorf("the first: %+v", d)
	}
	close(join)
	if d := <-second; !d.Allow || d.By != ByMemory || len(a.shown) != 0 {
		t.Errorf("the second, shown %d times: %+v", len(a.shown), d)
	}
}

// waitOpen waits until n requests are open; it fails with the test's deadline.
func waitOpen(t *testing.T, g *Gate, n int) {
	t.Helper()
	for len(g.Open()) != n {
		if t.Context().Err() != nil {
			t.Fatalf("%d open requests, want %d", len(g.Open()), n)
		}
	}
}

func TestCancelWithdraws(t *testing.T) {
	a := newAsker()
	g := NewGate(Options{Asker: a})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan Decision, 2)
	go func() { done <- g.Decide(ctx, req("jan", "bash")) }()
	<-a.shown
	go func() { done <- g.Decide(t.Context(), req("homer", "bash")) }()
	waitOpen(t, g, 2)
	cancel()
	if d := <-done; !d.Cancelled || d.Allow {
		t.Errorf("cancelled: %+v", d)
	}
	if q := <-a.shown; q.Agent != "homer" {
		t.Errorf("next shown is %q", q.Key())
	}
	a.answers <- Reply{Answer: AllowOnce}
	if d := <-done; !d.Allow {
		t.Errorf("the next question lost its answer: %+v", d)
	}
	if n := len(g.Open()); n != 0 {
		t.Errorf("%d requests left open", n)
	}
}

func TestUnattendedIsToldOnce(t *testing.T) {
	n := 0
	g := NewGate(Options{Unattended: func() { n++ }})
	for range 3 {
		g.Decide(t.Context(), req("", "bash"))
	}
	if n != 1 {
		t.Errorf("told %d times", n)
	}
}

func TestParseAnswer(t *testing.T) {
	for in, want := range map[string]Answer{"a": AllowOnce, " O ": AllowOnce, "oui": AllowOnce, "S": AllowSession, "reject": RejectOnce, "NON": RejectOnce, "never": RejectSession} {
		if got, ok := ParseAnswer(in); !ok || got != want {
			t.Errorf("%q: %v %v", in, got, ok)
		}
	}
	for _, in := range []string{"", "x", "allow all", "1"} {
		if _, ok := ParseAnswer(in); ok {
			t.Errorf("%q was taken as an answer", in)
		}
	}
}

// TestAuditBehindACutLine: a process that was killed in the middle of a record took the next one with it.
func TestAuditBehindACutLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	f, err := OpenAudit(path, "s1", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	f.Record(req("", "first"), Decision{})
	const cut = `{"time":"2026-12-01T02`
	other, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.WriteString(cut); err != nil {
		t.Fatal(err)
	}
	_ = other.Close()
	f.Record(req("", "second"), Decision{})
	f.Record(req("", "third"), Decision{})
	_ = f.Close()
	b, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	if len(lines) != 4 || lines[1] != cut || !strings.Contains(lines[2], `"key":"second"`) {
		t.Errorf("%d lines:\n%s", len(lines), b)
	}
}

// TestAuditIsOnlyAddedTo: a file that its user can add to and not read.
func TestAuditIsOnlyAddedTo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	if err := os.WriteFile(path, []byte("{}\n"), 0o200); err != nil {
		t.Fatal(err)
	}
	f, err := OpenAudit(path, "s1", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	f.Record(req("", "one"), Decision{})
	_ = f.Close()
	if st, err := os.Stat(path); err != nil || st.Size() < 100 || st.Mode().Perm() != 0o200 {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestAudit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	f, err := OpenAudit(path, "s1", func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	g := NewGate(Options{Yolo: true, Audit: f})
	g.Decide(t.Context(), req("jan", "bash"))
	g.Decide(t.Context(), Request{Call: Call{Tool: "read_file"}}) // needs no permission: no line
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(path)
	if n := strings.Count(string(b), "\n"); n != 1 {
		t.Fatalf("%d lines:\n%s", n, b)
	}
	for _, want := range []string{`"session":"s1"`, `"key":"jan/bash"`, `"decision":"allow"`, `"by":"yolo"`, `"input_sha256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s lacks %s", b, want)
		}
	}
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
}
