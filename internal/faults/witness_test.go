//go:build linux

package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// witness is the person, the auditor and the screen of one seed: it answers as the seed has it, brings
// about what the seed has, and keeps what it saw.
type witness struct {
	t    testing.TB
	seed uint64
	keys map[int]string // what each call must be asked about as
	act  func()         // the one thing that goes wrong: a cancel or a death
	hits string         // whose questions it surely withdraws: an agent's name, "" for all, "-" for nobody's
	when int            // at which question, from 1; 0 for never

	mu       sync.Mutex
	showing  int              // guarded by mu: questions on the screen
	shown    map[int]int      // guarded by mu: how often, by call
	decided  map[int][]string // guarded by mu: "allow by user", by call
	forever  map[string]bool  // guarded by mu: answers for the session, by key
	events   int              // guarded by mu
	trace    []string         // guarded by mu
	whenever int              // at which event, from 1; 0 for never
}

func newWitness(t testing.TB, seed uint64, keys map[int]string) *witness {
	return &witness{t: t, seed: seed, keys: keys, shown: map[int]int{}, decided: map[int][]string{}, forever: map[string]bool{}}
}

// story is what happened, in order.
func (w *witness) story() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.trace, "\n")
}

func (w *witness) noteLocked(format string, args ...any) {
	w.trace = append(w.trace, fmt.Sprintf(format, args...))
}

func (w *witness) faultLocked(format string, args ...any) {
	w.noteLocked(format, args...)
	w.t.Errorf("seed %d: "+format, append([]any{w.seed}, args...)...)
}

// AskPermission answers a question (consent.Asker).
func (w *witness) AskPermission(ctx context.Context, q *consent.Question) (consent.Reply, error) {
	id := idOf(q.Title)
	w.mu.Lock()
	w.showing++
	w.shown[id]++
	n := 0
	for _, times := range w.shown {
		n += times
	}
	w.noteLocked("%s asks for %d", q.Key(), id)
	if w.showing > 1 {
		w.faultLocked("%d questions are shown at once", w.showing)
	}
	if want := w.keys[id]; q.Key() != want {
		w.faultLocked("call %d (%s) is asked about as %s, want %s", id, q.Title, q.Key(), want)
	}
	act := n == w.when
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.showing--
		w.mu.Unlock()
	}()
	if act {
		w.act()
		if hash(w.seed, id)%3 > 0 && w.withdraws(q) { // the person hasn't answered when it takes effect
			<-ctx.Done()
			return consent.Reply{Cancelled: true}, nil
		}
	}
	answer := answerOf(w.seed, id)
	if answer.ForSession() {
		w.mu.Lock()
		w.forever[q.Key()] = answer.Allows()
		w.mu.Unlock()
	}
	return consent.Reply{Answer: answer}, nil
}

func (w *witness) withdraws(q *consent.Question) bool {
	return w.hits == "" || len(q.Path()) > 0 && q.Path()[0] == w.hits
}

// hash is a number for a call that doesn't depend on the order in which things happen.
func hash(seed uint64, id int) int { return rand.New(rand.NewPCG(seed, uint64(id))).IntN(1 << 30) }

func answerOf(seed uint64, id int) consent.Answer {
	switch n := hash(seed, id) % 20; {
	case n < 12:
		return consent.AllowOnce
	case n < 15:
		return consent.AllowSession
	case n < 19:
		return consent.RejectOnce
	}
	return consent.RejectSession
}

// Record takes the decisions of the root's gate (consent.Auditor).
func (w *witness) Record(r consent.Request, d consent.Decision) {
	w.mu.Lock()
	defer w.mu.Unlock()
	id := idOf(r.Title)
	w.noteLocked("%s: %s by %s (%d)", r.Key(), d.Word(), d.By, id)
	w.decided[id] = append(w.decided[id], d.Word())
	if want := w.keys[id]; r.Key() != want {
		w.faultLocked("call %d is decided as %s, want %s", id, r.Key(), want)
	}
	if allow, ok := w.forever[r.Key()]; d.By == consent.ByMemory && (!ok || allow != d.Allow) {
		w.faultLocked("%s is %s by memory, which has no such answer", r.Key(), d.Word())
	}
}

// Emit counts events (ui.Sink).
func (w *witness) Emit(ui.Event) {
	w.mu.Lock()
	w.events++
	act := w.events == w.whenever
	w.mu.Unlock()
	if act {
		w.act()
	}
}

// check checks what must hold once the turn has ended: each request was shown once at most, and
// decided once.
func (w *witness) check(g *consent.Gate) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if open := g.Open(); len(open) > 0 {
		w.faultLocked("still open: %v", open)
	}
	for id, n := range w.shown {
		if n != 1 || len(w.decided[id]) != 1 {
			w.faultLocked("call %d was shown %d times and decided %q", id, n, w.decided[id])
		}
	}
	for id, list := range w.decided {
		if len(list) != 1 {
			w.faultLocked("call %d was decided %q", id, list)
		}
	}
	for _, r := range g.Policy().List() {
		if allow, ok := w.forever[r.Key]; !ok || allow != r.Allow {
			w.faultLocked("remembered without an answer: %+v", r)
		}
	}
	if w.t.Failed() {
		w.t.Logf("seed %d:\n%s", w.seed, strings.Join(w.trace, "\n"))
	}
}

// decision is what the root decided about a call, "" when it never was asked.
func (w *witness) decision(id int) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.decided[id]) == 0 {
		return ""
	}
	return w.decided[id][0]
}

// checkResult checks a command's result, as its agent's model has read it, against what the root
// decided: nothing runs that wasn't allowed, and nobody is said to have rejected what nobody did.
func (w *witness) checkResult(id int, result string) {
	got := w.decision(id)
	switch {
	case strings.Contains(result, mark(id)) && got != "allow":
		w.t.Errorf("seed %d: call %d ran and was decided %q", w.seed, id, got)
	case strings.Contains(result, "rejected by the user") && got != "reject":
		w.t.Errorf("seed %d: call %d is said to be rejected and was decided %q", w.seed, id, got)
	}
}

// audited reads the audit files of agents below: decisions by call.
func audited(t testing.TB, path string) map[int][]string {
	t.Helper()
	found := map[int][]string{}
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return found // never asked
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var d decision
		if !strings.HasSuffix(line, "}\n") {
			continue // its writer was killed
		}
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			t.Errorf("%v: %q", err, line)
		}
		id := idOf(d.Title)
		found[id] = append(found[id], d.Decision)
	}
	return found
}
