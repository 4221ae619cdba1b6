package proc

import (
	"errors"
	"io"
	"sync"
	"time"
)

// ErrUnread is Outbox.Push's: the process doesn't read.
var ErrUnread = errors.New("it doesn't read what it is sent")

// Outbox is the way to a process's stdin: a bounded queue, and a goroutine that writes it, since a write
// to a full pipe knows no context.
type Outbox struct {
	w      io.Writer
	max    int         // how much may wait, in bytes
	failed func(error) // called once, when writing failed; may be nil
	done   chan struct{}

	mu      sync.Mutex
	more    sync.Cond // there is something to write, or stopping
	queue   []byte    // guarded by mu
	writing bool      // guarded by mu
	stopped bool      // guarded by mu
	idle    chan struct{}
}

// NewOutbox writes to w what is pushed, once Run runs. At most max bytes wait.
func NewOutbox(w io.Writer, max int, failed func(error)) *Outbox {
	o := &Outbox{w: w, max: max, failed: failed, done: make(chan struct{})}
	o.more.L = &o.mu
	return o
}

// Push queues a message. It fails with ErrUnread when too much waits, with io.ErrClosedPipe after the end.
func (o *Outbox) Push(message []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.stopped:
		return io.ErrClosedPipe
	case len(o.queue) > 0 && len(o.queue)+len(message) > o.max:
		return ErrUnread
	}
	o.queue = append(o.queue, message...)
	o.more.Signal()
	return nil
}

// Done is closed when nothing more is written.
func (o *Outbox) Done() <-chan struct{} { return o.done }

// Run writes until Stop, or until writing fails. It is the outbox's goroutine.
func (o *Outbox) Run() {
	defer close(o.done)
	for {
		batch := o.take()
		if batch == nil {
			return
		}
		if _, err := o.w.Write(batch); err != nil {
			o.Stop()
			if o.failed != nil {
				o.failed(err)
			}
			return
		}
	}
}

// take waits for something to write; nil means that there will be nothing more.
func (o *Outbox) take() []byte {
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

// Flush waits until all is written, within a time limit.
func (o *Outbox) Flush(limit time.Duration) {
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

// Stop drops what is queued and accepts nothing more. A Write under way goes on until its stream
// is closed.
func (o *Outbox) Stop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stopped = true
	o.queue = nil
	o.more.Signal()
}
