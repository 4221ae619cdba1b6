package child

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// What waits for an ask to take it is bounded: a slow front end slows the agent.
const (
	inboxBytes = 1 << 20
	itemCost   = 4 << 10 // counted for an item beside its bytes
)

// inbox is what the read loop has handed over and an ask has not taken yet.
type inbox struct {
	c     *Client
	items chan *item // has room for all that the semaphore lets in
	room  *semaphore.Weighted
	open  context.Context // ends with close
	shut  context.CancelFunc

	mu     sync.Mutex
	closed bool // guarded by mu
}

func newInbox(c *Client) *inbox {
	b := &inbox{c: c, items: make(chan *item, inboxBytes/itemCost), room: semaphore.NewWeighted(inboxBytes)}
	b.open, b.shut = context.WithCancel(context.Background())
	return b
}

// put hands an item over. It blocks while there is no room, and reports false when nothing is taken
// any more.
func (b *inbox) put(it item) bool {
	if n := it.cost(); !b.room.TryAcquire(n) {
		end := b.c.slow.begin()
		err := b.room.Acquire(b.open, n)
		end()
		if err != nil {
			return false
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.items <- &it
	return true
}

// free gives the room of an item back once it was dealt with.
func (b *inbox) free(it item) { b.room.Release(it.cost()) }

// close takes nothing more and returns what was handed over before.
func (b *inbox) close() (left []item) {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.shut()
	for {
		select {
		case it := <-b.items:
			left = append(left, *it)
		default:
			return left
		}
	}
}
