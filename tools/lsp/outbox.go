package lsp

import (
	"errors"
	"io"
	"sync"
	"time"
)

// maxQueued bounds what waits for a server that doesn't read, in bytes.
const maxQueued = 64 << 20

var errUnread = errors.New("it doesn't read what it is sent")

// outbox is the way out to a server: a bounded queue, and a goroutine that writes it.
type outbox struct {
	w      io.Writer
	failed func(error) // called once, when writing failed
	done   chan struct{}

	mu      sync.Mutex
	more    sync.Cond // there is something to write, or stopping
	queue   []byte    // guarded by mu
	writing bool      // guarded by mu
	stopped bool      // guarded by mu
	idle    chan struct{}
}

func newOutbox(w io.Writer, failed func(error)) *outbox {
	o := &outbox{w: w, failed: failed, done: make(chan struct{})}
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

// run writes until stop, or until writing fails. It is the outbox's goroutine.
func (o *outbox) run() {
	defer close(o.done)
	for {
		batch := o.take()
		if batch == nil {
			return
		}
		if _, err := o.w.Write(batch); err != nil {
			o.stop()
			o.failed(err)
			return
		}
	}
}

// take waits for something to write; nil means that there will be nothing more.
func (o *outbox) take() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.writing = false
	for len(o.queue) == 0 && !o.stopped {
		if o.idle != nil {
			close(o.idle)
			o.idle = nil
		}
		o.more.Wait()
	}
	if o.stopped {
		return nil
	}
	batch := o.queue
	o.queue, o.writing = nil, true
	return batch
}

// flush waits until all is written, within a time limit.
func (o *outbox) flush(limit time.Duration) {
	o.mu.Lock()
	if o.stopped || len(o.queue) == 0 && !o.writing {
		o.mu.Unlock()
		return
	}
	if o.idle == nil {
		o.idle = make(chan struct{})
	}
	idle := o.idle
	o.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-idle:
	case <-o.done:
	case <-timer.C:
	}
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
