package mcp

import (
	"errors"
	"io"
	"sync"
)

// maxQueued bounds what waits for a server that doesn't read, in bytes.
const maxQueued = 32 << 20

var errUnread = errors.New("it doesn't read what it is sent")

// outbox is the way out to a process: a bounded queue, and a goroutine that writes it, since a write
// to a full pipe knows no context.
type outbox struct {
	w    io.Writer
	done chan struct{} // closed when nothing more is written

	mu      sync.Mutex
	more    sync.Cond
	queue   []byte // guarded by mu
	stopped bool   // guarded by mu
}

func newOutbox(w io.Writer) *outbox {
	o := &outbox{w: w, done: make(chan struct{})}
	o.more.L = &o.mu
	return o
}

// push queues a message.
func (o *outbox) push(message []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.stopped:
		return io.ErrClosedPipe
	case len(o.queue) > 0 && len(o.queue)+len(message) > maxQueued:
		return errUnread
	}
	o.queue = append(o.queue, message...)
	o.more.Signal()
	return nil
}

// run writes until stop, or until writing fails: then the process has ended, which its stdout tells.
// It is the outbox's goroutine.
func (o *outbox) run() {
	defer close(o.done)
	for {
		batch := o.take()
		if batch == nil {
			return
		}
		if _, err := o.w.Write(batch); err != nil {
			o.stop()
			return
		}
	}
}

// take waits for something to write; nil means that there will be nothing more.
func (o *outbox) take() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 && !o.stopped {
		o.more.Wait()
	}
	if o.stopped {
		return nil
	}
	batch := o.queue
	o.queue = nil
	return batch
}

// stop drops what is queued and accepts nothing more. A Write under way goes on until its stream
// is closed.
func (o *outbox) stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stopped = true
	o.queue = nil
	o.more.Signal()
}
