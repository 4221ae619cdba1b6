package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mini-me/mm/internal/proc"
)

// maxQueued bounds what waits for a server that doesn't read, in bytes.
const maxQueued = 64 << 20

// conn is a running server and what it was told. Only the holder of its slot's turn may use it;
// what the reading goroutine shares with that one is guarded by mu.
type conn struct {
	server  Server
	root    string
	limits  limits
	log     func(format string, args ...any)
	process *proc.Process
	frames  *frames
	rpc     *jsonrpc2.Conn
	ids     atomic.Uint64
	can     initializeResult
	ready   bool // the first indexing is over
	docs    map[string]*document
	watch   *watcher

	mu         sync.Mutex
	changed    chan struct{}        // guarded by mu: closed and made anew when the rest changes
	progress   map[string]work      // guarded by mu: by token
	begun      int                  // guarded by mu: how many there were
	published  map[string]published // guarded by mu: by path
	count      int                  // guarded by mu: publications so far
	registered map[string]bool      // guarded by mu: methods, by client/registerCapability
	complaint  string               // guarded by mu: the last error it wanted to show
}

// goneError is the end of a server in the middle of things.
type goneError struct{ reason string }

func (e *goneError) Error() string { return "the server ended: " + e.reason }

// errSlow is the cause of a time limit.
type errSlow struct {
	to    string // "" or what wasn't answered
	after time.Duration
}

func (e errSlow) Error() string { return "no answer" + e.to + " within " + e.after.String() }

// start starts a server and opens the conversation. On an error nothing of it is left.
func (s *slot) start(ctx context.Context) (*conn, error) {
	path, ok := s.server.find(s.o.Env)
	if !ok {
		return nil, fmt.Errorf("%s not found on the PATH", s.server.Command)
	}
	watch := newWatcher(s.root, s.server)
	p, err := proc.Start(proc.Spec{
		Path: path, Args: s.server.Args, Env: s.server.environ(s.o.Env), Dir: s.root,
		StdinPipe: true, StdoutPipe: true, Guard: s.o.Guard, Whole: true,
	})
	if err != nil {
		return nil, err
	}
	c := &conn{
		server: s.server, root: s.root, limits: s.limits, log: s.o.Log, process: p, watch: watch,
		docs: map[string]*document{}, changed: make(chan struct{}), progress: map[string]work{},
		published: map[string]published{}, registered: map[string]bool{},
	}
	c.connect()
	if err := c.initialize(ctx, s.o.Version); err != nil {
		c.kill()
		return nil, err
	}
	return c, nil
}

// connect begins to read and write.
func (c *conn) connect() {
	out := proc.NewOutbox(c.process.Stdin, maxQueued, func(error) { _ = c.rpc.Close() })
	c.frames = &frames{
		r: bufio.NewReaderSize(c.process.Stdout, 64<<10), out: out, log: c.log,
		ended: make(chan struct{}),
		close: sync.OnceValue(c.process.Stdout.Close),
	}
	c.rpc = jsonrpc2.NewConn(context.Background(), c.frames, c, jsonrpc2.SetLogger(logger(c.log)))
	go out.Run()
}

// logger is where jsonrpc2 logs; by itself it writes to stderr.
type logger func(format string, args ...any)

// Printf logs a line.
func (l logger) Printf(format string, args ...any) { l(strings.TrimSpace(format), args...) }

// call sends a request and waits for its answer.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
	id := jsonrpc2.ID{Num: c.ids.Add(1)}
	var raw json.RawMessage
	call, err := c.rpc.DispatchCall(ctx, method, params, jsonrpc2.PickID(id))
	if err == nil {
		err = call.Wait(ctx, &raw)
	}
	switch {
	case err == nil:
		if err := json.Unmarshal(raw, result); err != nil {
			c.log("%s: the answer to %s: %v", c.server.Name, method, err)
			return fmt.Errorf("its answer isn't one to %s", method)
		}
		return nil
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		_ = c.notify("$/cancelRequest", map[string]uint64{"id": id.Num}) // the caller doesn't wait for it
		return context.Cause(ctx)
	}
	return c.gone(err)
}

// notify sends a notification.
func (c *conn) notify(method string, params any) error {
	return c.gone(c.rpc.Notify(context.Background(), method, params))
}

// gone turns the error of a connection that has ended into a goneError with the reason.
func (c *conn) gone(err error) error {
	var answer *jsonrpc2.Error
	if err == nil || errors.As(err, &answer) || errors.Is(err, proc.ErrUnread) {
		return err
	}
	<-c.frames.ended
	if !errors.Is(c.frames.err, io.EOF) && !errors.Is(c.frames.err, io.ErrUnexpectedEOF) && !errors.Is(c.frames.err, os.ErrClosed) {
		return &goneError{c.frames.err.Error()}
	}
	c.end(proc.Grace{Close: lastWordsTime}) // its own exit status says more than that of a kill
	return &goneError{c.lastWords()}
}

// lastWordsTime is how long a server that has closed its output has to end by itself.
const lastWordsTime = 2 * time.Second

// lastWords says how the process ended, with the last line that tells why.
func (c *conn) lastWords() string {
	s := c.process.Exit().String()
	why := c.process.Panic()
	if why == "" {
		lines := strings.Split(c.process.Tail(), "\n")
		why = strings.TrimSpace(lines[len(lines)-1])
	}
	if why != "" {
		s += ": " + why
	}
	return s
}

// dead reports whether the server can't be used any more.
func (c *conn) dead() bool {
	select {
	case <-c.rpc.DisconnectNotify():
		return true
	case <-c.process.Done():
		return true
	default:
		return false
	}
}

// stop ends the server as the protocol wants it: shutdown, exit, then the process.
func (c *conn) stop() {
	if !c.dead() {
		ctx, cancel := context.WithTimeout(context.Background(), c.limits.shutdown)
		defer cancel()
		var ignored json.RawMessage
		if err := c.call(ctx, "shutdown", nil, &ignored); err != nil {
			c.log("%s: shutdown: %v", c.server.Name, err)
		}
		if c.notify("exit", nil) == nil {
			c.frames.out.Flush(c.limits.term)
		}
	}
	c.end(proc.Grace{Close: c.limits.exit, Term: c.limits.term})
}

// kill ends what is left of a server that is of no use.
func (c *conn) kill() { c.end(proc.Grace{}) }

// end ends the process and waits for the goroutines of the connection. It may be called again.
func (c *conn) end(g proc.Grace) {
	c.frames.out.Stop()
	if err := c.process.End(g); err != nil {
		c.log("%s: %v", c.server.Name, err)
	}
	_ = c.rpc.Close() // by now it is closed, or nobody can be told
	<-c.frames.out.Done()
	<-c.frames.ended
}
