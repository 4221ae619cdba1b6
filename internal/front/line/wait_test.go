package line

import (
	"io"
	"testing"

	"github.com/mini-me/mm/internal/engine"
)

// question is a pending thing that notes whether a line was taken for its answer.
type question struct {
	pending
	f     *front
	taken bool
}

func (*question) show(*printer) {}

func (q *question) take(string, bool) bool {
	q.taken = true
	q.f.quitting = true
	q.f.done <- engine.Done{}
	return true
}

// TestWhatWasTypedBeforeAQuestionIsNoAnswer: a line that was there before a question was shown could answer
// it, such as an "s" for the one before it that was withdrawn.
func TestWhatWasTypedBeforeAQuestionIsNoAnswer(t *testing.T) {
	for range 100 {
		o := Options{Terminal: true, Out: io.Discard}
		lines := make(chan string, 1)
		f := &front{o: o, out: newPrinter(o), asks: make(chan *waiter, 1), gone: make(chan *waiter), done: make(chan engine.Done, 2), input: &input{lines: lines}, endAside: func() {}}
		f.cancel = func() { // of the running turn, which a new line cancels
			f.quitting = true
			f.done <- engine.Done{}
		}
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
