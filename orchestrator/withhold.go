package orchestrator

import (
	"sync"

	"github.com/mini-me/mm/internal/ui"
)

// withheld is a Host that keeps an agent's own words back while a postAsk hook may still withhold or
// replace its answer. What it does, and what the agents below it say, is passed on.
type withheld struct {
	ui.Host
	agent string

	mu   sync.Mutex
	last ui.Text // guarded by mu: the latest piece, without its text
}

// Emit passes on what isn't the agent's own text.
func (w *withheld) Emit(e ui.Event) {
	if t, ok := e.(ui.Text); ok && t.Agent == w.agent {
		w.Host.Alive()
		w.mu.Lock()
		t.Text = ""
		w.last = t
		w.mu.Unlock()
		return
	}
	w.Host.Emit(e)
}

// release shows what may be shown of the answer.
func (w *withheld) release(text string) {
	if text == "" {
		return
	}
	w.mu.Lock()
	t := w.last
	w.mu.Unlock()
	t.Agent, t.Text = w.agent, text
	w.Host.Emit(t)
}
