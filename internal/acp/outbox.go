package acp

import (
	"bytes"
	"context"
	"io"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// queueBytes is how much may wait for a slow peer before Notify and Call wait too.
	queueBytes = 1 << 20
	// replyBytes is the same for errors that answer malformed lines. They have their own room,
	// since it is the reading goroutine that waits for it.
	replyBytes = 256 << 10
	// frameCost is counted for a frame beside its bytes.
	frameCost = 128
	// writeBytes is about how much is given to one Write.
	writeBytes = 64 << 10
	// idleBuffer is the memory that a connection keeps for the next Write while it is idle.
	idleBuffer = 4 << 10
	// maxMerged bounds the text of a chunk that was made of several.
	maxMerged = 32 << 10
)

// outbox is the one ordered way out of a connection: a bounded queue, and a goroutine that writes
// it. Room is acquired first, which may block until a context ends; push then never blocks, so it
// may be called with locks held (jsonrpc2 holds one for each message it sends).
type outbox struct {
	w    io.Writer
	room *semaphore.Weighted
	// replies is the room for errors that answer malformed lines.
	replies *semaphore.Weighted
	// ctx ends when nothing more will be accepted. Its cause says why.
	ctx    context.Context
	cancel context.CancelCauseFunc
	failed func(error) // called once when writing has failed
	wake   chan struct{}
	done   chan struct{} // closed when the writing goroutine has ended

	mu       sync.Mutex
	queue    []*frame  // guarded by mu
	pushed   uint64    // frames queued so far; guarded by mu
	written  uint64    // frames written so far; guarded by mu
	flushers []flusher // guarded by mu
	stopping bool      // guarded by mu
}

// flusher waits until the first n frames are written.
type flusher struct {
	n  uint64
	ch chan struct{}
}

// frame is a line to write: data with its newline, or a chunk of text that may still grow.
type frame struct {
	data []byte
	key  *chunkKey
	text []byte // escaped
	cost int64
	room *semaphore.Weighted // where cost goes back to, nil for nowhere
}

// chunkKey is what chunks must have in common to become one.
type chunkKey struct{ session, kind, message string }

func newOutbox(w io.Writer, failed func(error)) *outbox {
	ctx, cancel := context.WithCancelCause(context.Background())
	return &outbox{
		w:       w,
		room:    semaphore.NewWeighted(queueBytes),
		replies: semaphore.NewWeighted(replyBytes),
		ctx:     ctx,
		cancel:  cancel,
		failed:  failed,
		wake:    make(chan struct{}, 1),
		done:    make(chan struct{}),
	}
}

// cost is what a frame of n bytes takes of a room. The largest ones take all of it.
func cost(n int, limit int64) int64 { return min(int64(n)+frameCost, limit) }

// acquire waits for room in the order of the calls, until ctx or the outbox ends.
func (o *outbox) acquire(ctx context.Context, room *semaphore.Weighted, n int64) error {
	if o.ctx.Err() != nil {
		return context.Cause(o.ctx)
	}
	if room.TryAcquire(n) {
		return nil
	}
	either, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(o.ctx, func() { cancel(context.Cause(o.ctx)) })()
	if room.Acquire(either, n) != nil {
		return context.Cause(either)
	}
	return nil
}

// push queues a frame, or lets the text of the last one grow while it waits to be written.
func (o *outbox) push(f *frame) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.stopping {
		f.release()
		return context.Cause(o.ctx)
	}
	if last := len(o.queue) - 1; last < 0 || !o.queue[last].merge(f) {
		o.queue = append(o.queue, f)
		o.pushed++
	}
	select {
	case o.wake <- struct{}{}:
	default:
	}
	return nil
}

func (f *frame) merge(next *frame) bool {
	if f.key == nil || next.key == nil || *f.key != *next.key || len(f.text)+len(next.text) > maxMerged {
		return false
	}
	f.text = append(f.text, next.text...)
	f.cost += next.cost - frameCost
	next.room.Release(frameCost)
	return true
}

func (f *frame) release() {
	if f.room != nil {
		f.room.Release(f.cost)
	}
}

func (f *frame) appendTo(b []byte) []byte {
	if f.key == nil {
		return append(b, f.data...)
	}
	b = append(b, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":`...)
	b = appendString(b, f.key.session)
	b = append(b, `,"update":{"sessionUpdate":`...)
	b = appendString(b, f.key.kind)
	if f.key.message != "" {
		b = append(b, `,"messageId":`...)
		b = appendString(b, f.key.message)
	}
	b = append(b, `,"content":{"type":"text","text":"`...)
	b = append(b, f.text...)
	return append(b, "\"}}}}\n"...)
}

// run writes what is queued until stop, or until writing fails. It is the outbox's goroutine.
func (o *outbox) run() {
	err := o.writeAll()
	if err != nil {
		o.refuse(err)
	}
	close(o.done)
	if err != nil {
		o.failed(err)
	}
}

func (o *outbox) writeAll() error {
	var buf []byte
	for {
		batch, more := o.take()
		if !more {
			return nil
		}
		if len(batch) == 0 {
			if cap(buf) > idleBuffer {
				buf = nil
			}
			<-o.wake
			continue
		}
		var err error
		if buf, err = o.write(buf, batch); err != nil {
			return err
		}
	}
}

// take returns what is queued; more is false when that is nothing and will stay so.
func (o *outbox) take() (batch []*frame, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	batch, o.queue = o.queue, nil
	return batch, len(batch) > 0 || !o.stopping
}

// write writes a batch with few calls. buf is memory to use again.
func (o *outbox) write(buf []byte, batch []*frame) ([]byte, error) {
	for start := 0; start < len(batch); {
		buf = buf[:0]
		end := start
		for end < len(batch) && (end == start || len(buf)+len(batch[end].data)+len(batch[end].text) < writeBytes) {
			buf = batch[end].appendTo(buf)
			end++
		}
		if _, err := o.w.Write(buf); err != nil {
			return nil, err
		}
		o.wrote(batch[start:end])
		start = end
	}
	return buf, nil
}

func (o *outbox) wrote(frames []*frame) {
	for _, f := range frames {
		f.release()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.written += uint64(len(frames))
	o.wakeFlushersLocked(o.written)
}

func (o *outbox) wakeFlushersLocked(n uint64) {
	kept := o.flushers[:0]
	for _, f := range o.flushers {
		if f.n > n {
			kept = append(kept, f)
			continue
		}
		close(f.ch)
	}
	o.flushers = kept
}

// refuse drops what is queued and accepts nothing more.
func (o *outbox) refuse(err error) {
	o.cancel(err)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stopping = true
	o.queue = nil
}

// flush waits until all that is queued now is written.
func (o *outbox) flush(ctx context.Context) error {
	o.mu.Lock()
	f := flusher{o.pushed, make(chan struct{})}
	o.flushers = append(o.flushers, f)
	o.wakeFlushersLocked(o.written)
	o.mu.Unlock()
	select {
	case <-f.ch:
		return nil
	case <-o.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-f.ch:
		return nil
	default:
		return context.Cause(o.ctx)
	}
}

// stop accepts nothing more and reports whether the rest was written in time.
func (o *outbox) stop(cause error, limit time.Duration) bool {
	o.cancel(cause)
	o.mu.Lock()
	o.stopping = true
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
	return o.stopped(limit)
}

func (o *outbox) stopped(limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-o.done:
		return true
	case <-timer.C:
		return false
	}
}

// line makes a frame of data that still lacks its newline. Every frame is one line, so white
// space that JSON allows between its tokens must not hold one.
func line(data []byte) []byte {
	if bytes.IndexByte(data, '\n') >= 0 {
		data = bytes.ReplaceAll(data, []byte("\n"), []byte(" "))
	}
	return append(data, '\n')
}
