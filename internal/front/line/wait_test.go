package line

import (
	"io"
	"testing"
)

// question is a pending thing that notes whether a line was taken for its answer.
type question struct {
	pending
	f     *front
	taken bool
}

func (q *question) show(*printer) {
	if len(q.f.input.lines) == 0 {
		q.f.leave()
	}
}

func (q *question) take(string, bool) bool {
	q.taken = true
	q.f.leave()
	return true
}

// leave ends the loop.
func (f *front) leave() { f.quitting, f.cancel = true, nil }

// TestWhatWasTypedBeforeAQuestionIsNoAnswer: a line that was there before a question was shown could answer
// it, such as an "s" for the one before it that was withdrawn. Nor is that a new question, which would cancel
// the turn.
func TestWhatWasTypedBeforeAQuestionIsNoAnswer(t *testing.T) {
	for range 100 {
		o := Options{Terminal: true, Out: io.Discard}
		lines := make(chan string, 1)
		f := &front{o: o, out: newPrinter(o), asks: make(chan *waiter, 1), input: &input{lines: lines}, cancel: func() { t.Error("the turn was cancelled") }}
		q := &question{f: f}
		lines <- "s"
		f.asks <- &waiter{q, make(chan struct{})}
		if err := f.loop(t.Context()); err != nil {
			t.Fatal(err)
		}
		if q.taken {
			t.Fatal("it was answered by what was typed before it was shown")
		}
	}
}
