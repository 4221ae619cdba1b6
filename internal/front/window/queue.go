package window

import (
	"context"
	"sync"
	"time"

	"github.com/mini-me/mm/internal/ui"
)

const (
	// frame is the least time between two hand-overs of events: more would be drawn than can be seen.
	frame = 16 * time.Millisecond
	// beat is how often the window is drawn while something runs, for clocks and spinners.
	beat = 120 * time.Millisecond
	// full is how many items may wait before Emit blocks: a slow terminal slows the turn.
	full = 4096
)

// queue takes what other goroutines tell the window, in order. Texts that follow each other are put
// together, so that hundreds of updates a second are drawn a frame at a time.
type queue struct {
	mu     sync.Mutex
	items  []any         // guarded by mu
	closed bool          // guarded by mu
	room   *sync.Cond    // on mu: items were taken, or the queue closed
	wake   chan struct{} // holds one token while there are items
}

func newQueue() *queue {
	q := &queue{wake: make(chan struct{}, 1)}
	q.room = sync.NewCond(&q.mu)
	return q
}

// Emit takes an event of the session (ui.Sink).
func (q *queue) Emit(e ui.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) >= full && !q.closed {
		q.room.Wait()
	}
	if n := len(q.items); n > 0 {
		if joined, ok := join(q.items[n-1], e); ok {
			q.items[n-1] = joined
			return
		}
	}
	q.putLocked(e)
}

// put takes a message of the window's own; it never blocks. It reports false after the end.
func (q *queue) put(item any) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.putLocked(item)
	return !q.closed
}

func (q *queue) putLocked(item any) {
	if q.closed {
		return
	}
	q.items = append(q.items, item)
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// join puts two pieces of one text together.
func join(last any, e ui.Event) (any, bool) {
	switch e := e.(type) {
	case ui.Text:
		if l, ok := last.(ui.Text); ok && l.Ask == e.Ask && l.Message == e.Message {
			l.Text += e.Text
			return l, true
		}
	case ui.Thought:
		if l, ok := last.(ui.Thought); ok && l.Ask == e.Ask && l.Message == e.Message {
			l.Text += e.Text
			return l, true
		}
	}
	return nil, false
}

// take returns what has come.
func (q *queue) take() batch {
	q.mu.Lock()
	defer q.mu.Unlock()
	items := q.items
	q.items = nil
	q.room.Broadcast()
	return items
}

// close ends the queue: what comes later is dropped, and nobody is held up.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed, q.items = true, nil
	q.room.Broadcast()
}

// batch is what came since the last frame.
type batch []any

// tick says that time has passed.
type tick struct{}

// pump hands batches to the window, at most one a frame, and ticks while busy says so. It returns
// when ctx ends.
func (q *queue) pump(ctx context.Context, busy func() bool, send func(any)) {
	clock := time.NewTicker(beat)
	defer clock.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-clock.C:
			if busy() {
				send(tick{})
			}
			continue
		case <-q.wake:
		}
		send(q.take())
		pause.Reset(frame)
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
	}
}
