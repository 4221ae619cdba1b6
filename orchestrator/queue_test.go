package orchestrator

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mini-me/mm/internal/ui"
)

// told is a Host that keeps what it is told.
type told struct {
	Program
	mu    sync.Mutex
	lines []string
}

func (h *told) Emit(e ui.Event) {
	if n, ok := e.(ui.Notice); ok {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.lines = append(h.lines, n.Agent+": "+n.Text)
	}
}

// TestQueue: an agent that is silent while its server answers another one is said to wait, once; one
// that is answered, one at another server, and one that has ended aren't.
func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{after: queueAfter}
		jan := Agent{Name: "jan", Provider: "ollama", Server: "a"}
		kim := Agent{Name: "kim", Provider: "ollama", Server: "a"}
		far := Agent{Name: "far", Server: "b"}
		var h told
		first, second, third, ended := q.enter(jan, &h), q.enter(kim, &h), q.enter(far, &h), q.enter(kim, &h)
		ended.leave()
		time.Sleep(3 * queueAfter)
		synctest.Wait()
		if len(h.lines) > 0 {
			t.Errorf("told %q while nobody was answered", h.lines)
		}
		first.Emit(ui.Text{Text: "word"})
		time.Sleep(10 * queueAfter)
		synctest.Wait()
		if want := []string{"kim: waiting for ollama: it answers jan first"}; !slices.Equal(h.lines, want) {
			t.Errorf("told %q, want %q", h.lines, want)
		}
		first.leave()
		second.leave()
		third.leave()
	})
}
