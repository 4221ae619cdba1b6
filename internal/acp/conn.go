package acp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"golang.org/x/sync/semaphore"
)

const (
	// MaxLine is how long a line may be, in bytes, unless Options say otherwise.
	MaxLine = 64 << 20
	// maxRequests is how many requests of the peer may be open at the same time.
	maxRequests = 1024
	// closeGrace is how long the end of a connection waits for handlers to return and then for
	// frames to be written: much shorter than the 2 s in which a process has to be gone.
	closeGrace = 500 * time.Millisecond
)

// Conn is a connection to one peer. All methods may be called by several goroutines.
type Conn struct {
	o       Options
	h       Handler
	closer  func() error
	out     *outbox
	wire    *wire
	rpc     *jsonrpc2.Conn
	serving sync.WaitGroup // goroutines of requests
	reading chan struct{}  // closed when reading has ended
	ended   chan struct{}  // closed when reader and writer are closed

	mu       sync.Mutex
	nextID   uint64              // guarded by mu
	requests map[uint64]*inbound // open requests of the peer by our own id; guarded by mu
	awaited  map[uint64]bool     // calls of ours without an answer; guarded by mu
	err      error               // why the connection ended; guarded by mu
	closed   bool                // by Close; guarded by mu
}

// inbound is a request of the peer.
type inbound struct {
	message
	num    uint64
	cancel context.CancelCauseFunc
	refuse error // of Accept
	cost   int64 // of the response
}

// NewConn makes a connection of a reader and a writer and begins to read. closer closes both, once;
// that must end a Read and a Write that are under way, or the goroutines in them stay. h may be nil
// for a peer that is only called.
func NewConn(r io.Reader, w io.Writer, closer func() error, h Handler, o Options) *Conn {
	if o.MaxLine <= 0 {
		o.MaxLine = MaxLine
	}
	c := &Conn{
		o: o, h: h, closer: closer,
		reading:  make(chan struct{}),
		ended:    make(chan struct{}),
		requests: map[uint64]*inbound{},
		awaited:  map[uint64]bool{},
	}
	c.out = newOutbox(w, c.writeFailed)
	c.wire = &wire{c: c, lines: newLineReader(r, o.MaxLine), ready: make(chan struct{})}
	c.rpc = jsonrpc2.NewConn(context.Background(), c.wire, dispatcher{c},
		jsonrpc2.OnRecv(c.wire.received), jsonrpc2.OnSend(c.wire.sending), jsonrpc2.SetLogger(logger{c}))
	if b, ok := h.(Binder); ok {
		b.Bind(c)
	}
	go c.out.run()
	close(c.wire.ready)
	return c
}

// Call sends a request and waits for its answer, which it decodes into result unless that is nil.
// An error response is returned as an *Error. When ctx ends, Call returns its error at once.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	p, err := c.Send(ctx, method, params)
	if err != nil {
		return err
	}
	return p.Wait(ctx, result)
}

func (c *Conn) callFailed(ctx context.Context, id uint64, err error) error {
	if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
		return c.gone(err)
	}
	if c.o.CancelRequests {
		// It takes no room, so that a peer that doesn't read can't hold the caller.
		params := []byte(fmt.Sprintf(`{"requestId":%d}`, id))
		data := finish([]byte(`{"jsonrpc":"2.0"`), MethodCancelRequest, params)
		_ = c.out.push(&frame{data: data}) // it fails only when all has ended anyway
	}
	return err
}

// Notify sends a notification. While there is no room for it, because the peer doesn't read, it
// waits until ctx ends. Pieces of text of one message that wait in a row are sent as one.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	f, err := notifyFrame(method, params)
	if err != nil {
		return err
	}
	f.room, f.cost = c.out.room, cost(len(f.data)+len(f.text), queueBytes)
	if err := c.acquire(ctx, f.room, f.cost); err != nil {
		return err
	}
	return c.gone(c.out.push(f))
}

// Update sends a session/update, as Notify does.
func (c *Conn) Update(ctx context.Context, sessionID string, u Update) error {
	return c.Notify(ctx, MethodUpdate, SessionNotification{SessionID: sessionID, Update: u})
}

func notifyFrame(method string, params any) (*frame, error) {
	if n, ok := params.(SessionNotification); ok && method == MethodUpdate {
		if f := chunkFrame(n); f != nil {
			return f, nil
		}
	}
	body, err := encodeParams(method, params)
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, len(body)+len(method)+40)
	return &frame{data: finish(append(data, `{"jsonrpc":"2.0"`...), method, body)}, nil
}

// chunkFrame makes a frame that can grow of a piece of an answer or thought that is only text.
func chunkFrame(n SessionNotification) *frame {
	c, ok := n.Update.(Chunk)
	if !ok || n.Meta != nil || c.Meta != nil || c.Kind == UpdateUserMessage {
		return nil
	}
	if b := c.Content; b.Type != ContentText || b.Annotations != nil || b.Meta != nil {
		return nil
	}
	text := appendEscaped(make([]byte, 0, len(c.Content.Text)+8), c.Content.Text)
	return &frame{key: &chunkKey{n.SessionID, c.Kind, c.MessageID}, text: text}
}

func encodeParams(method string, params any) ([]byte, error) {
	if params == nil {
		return nil, nil
	}
	if p, ok := params.(PromptRequest); ok {
		if body, ok := p.appendPlain(nil); ok {
			return body, nil
		}
	}
	body, err := encode(nil, params)
	if err != nil {
		return nil, fmt.Errorf("encoding %s: %w", method, err)
	}
	return body, nil
}

func (c *Conn) acquire(ctx context.Context, room *semaphore.Weighted, n int64) error {
	err := c.out.acquire(ctx, room, n)
	if err != nil && c.out.ctx.Err() != nil {
		return c.gone(err)
	}
	return err
}

// Flush waits until all that was sent before it is written.
func (c *Conn) Flush(ctx context.Context) error {
	err := c.out.flush(ctx)
	if err != nil && c.out.ctx.Err() != nil {
		return c.gone(err)
	}
	return err
}

// Done returns a channel that is closed when the connection has ended.
func (c *Conn) Done() <-chan struct{} { return c.rpc.DisconnectNotify() }

// Err says why the connection ended: nil while it lives and after Close, io.EOF when the peer
// closed it.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// gone is the error of what can't be done for the connection has ended.
func (c *Conn) gone(err error) error {
	if _, answered := errors.AsType[*Error](err); err == nil || answered || errors.Is(err, ErrClosed) && c.Err() == nil {
		return err
	}
	reason := c.Err()
	if reason == nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		reason = err // the write that failed is known here a moment before Err knows
	}
	if reason != nil {
		return fmt.Errorf("%w: %w", ErrClosed, reason)
	}
	return ErrClosed
}
