package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mini-me/mm/internal/proc"
)

// conn is one living connection to a server.
type conn struct {
	server  Server
	limits  limits
	log     func(format string, args ...any)
	lists   *lists
	session *sdk.ClientSession
	process *proc.Process // nil over HTTP
	pipe    *stdio        // nil over HTTP
	web     *web          // nil over stdio
	wire    sdk.Connection

	ctx    context.Context // ends when the connection is given up; its cause is why
	giveUp context.CancelCauseFunc
	over   chan struct{} // closed when the SDK's session has ended
	ended  chan struct{} // closed when all of it is gone; reason is known then
	reason string
	// cleared is closed when the server may be started again.
	cleared chan struct{}
	// changed holds something when the server said that its tools have changed.
	changed chan struct{}

	mu    sync.Mutex
	calls map[string]*call // guarded by mu: calls under way, by progress token
	count int              // guarded by mu: calls so far
}

// firstRevision is asked for first: the last one of the protocol that begins with initialize. Most
// servers know no other beginning, and some end at the sight of one.
const firstRevision = "2025-11-25"

// Codes of JSON-RPC errors with which a server says that it has no initialize any more.
const (
	codeNoMethod   = -32601
	codeNoRevision = sdk.CodeUnsupportedProtocolVersion
)

// connect connects to a server: by initialize, and by the way of the newest revision only with
// those that want that. On an error nothing of it is left.
func (s *server) connect(ctx context.Context) (*conn, error) {
	c, err := s.connectBy(ctx, firstRevision)
	var refused *rpcError
	if errors.As(err, &refused) && (refused.Code == codeNoMethod || refused.Code == codeNoRevision) {
		c, err = s.connectBy(ctx, "")
	}
	return c, err
}

func (s *server) connectBy(ctx context.Context, revision string) (*conn, error) {
	o, lim := &s.all.o, s.all.limits
	c := &conn{
		server: s.Server, limits: lim, log: o.Log, lists: newLists(), calls: map[string]*call{},
		over: make(chan struct{}), ended: make(chan struct{}), cleared: make(chan struct{}), changed: make(chan struct{}, 1),
	}
	c.ctx, c.giveUp = context.WithCancelCause(context.Background())
	transport, err := c.transport(o)
	if err != nil {
		c.giveUp(err)
		return nil, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "mm", Version: o.Version}, &sdk.ClientOptions{
		Capabilities:                &sdk.ClientCapabilities{}, // no roots: a folder of ours would replace those that a server was given
		ElicitationHandler:          c.elicit,
		ToolListChangedHandler:      func(context.Context, *sdk.ToolListChangedRequest) { c.listChanged() },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { c.progress(r.Params) },
	})
	c.session, err = c.handshake(ctx, client, transport, revision)
	if err != nil {
		// The SDK has closed its session; why it couldn't be had is in the process's last words.
		err = c.startFailure(ctx, err)
		c.giveUp(err)
		c.release()
		return nil, err
	}
	go func() {
		_ = c.session.Wait() // why is asked for in close
		close(c.over)
	}()
	return c, nil
}

// transport starts the server's process, or prepares the way to it over HTTP.
func (c *conn) transport(o *Options) (sdk.Transport, error) {
	if c.server.URL != "" {
		w, err := newWeb(c.server, c.limits, c.lists)
		if err != nil {
			return nil, err
		}
		c.web = w
		// Few retries would end a session behind a proxy that closes idle streams; over 60 the SDK's
		// delays overflow.
		return &sdk.StreamableClientTransport{Endpoint: c.server.URL, HTTPClient: w.client(), MaxRetries: 50, MaxEventSize: c.limits.message}, nil
	}
	p, err := proc.Start(proc.Spec{
		Path: c.server.Command, Args: c.server.Args, Env: c.server.environ(o.Env), Dir: o.Dir,
		StdinPipe: true, StdoutPipe: true, Guard: o.Guard, Whole: true,
	})
	var start *proc.StartError
	switch {
	case errors.As(err, &start):
		return nil, fmt.Errorf("%s: %s", start.Path, start.Reason)
	case err != nil:
		return nil, err
	}
	c.process, c.pipe = p, newStdio(p, c.limits.message, c.lists)
	return c.pipe, nil
}

// handshake opens the session. The SDK waits for some answers whatever its context says, so that
// aborting what it waits on has to end it.
func (c *conn) handshake(ctx context.Context, client *sdk.Client, t sdk.Transport, revision string) (*sdk.ClientSession, error) {
	stop := context.AfterFunc(ctx, func() {
		if c.web != nil {
			c.web.abort()
		}
	})
	defer stop()
	return client.Connect(ctx, wired{t, c}, &sdk.ClientSessionOptions{ProtocolVersion: revision})
}

// wired keeps the connection below a session: the SDK doesn't always close it when it gives up.
type wired struct {
	sdk.Transport
	c *conn
}

// Connect implements sdk.Transport.
func (w wired) Connect(ctx context.Context) (sdk.Connection, error) {
	wire, err := w.Transport.Connect(ctx)
	w.c.wire = wire
	return wire, err
}

// startFailure words why there is no connection.
func (c *conn) startFailure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return c.withWords(context.Cause(ctx))
	}
	if refused := asRPC(err); refused != nil {
		return refused
	}
	if !c.silenced() {
		text := c.server.mask(plainReason(err))
		if text == http.StatusText(http.StatusUnauthorized) || text == http.StatusText(http.StatusForbidden) {
			text += " (its headers in the agent file say who asks)"
		}
		return errors.New(text)
	}
	c.endProcess() // it ends by itself, and its exit status says more than a kill
	return errors.New(c.lastWords())
}

// silenced reports whether the process has closed its stdout, which means its end as a rule.
func (c *conn) silenced() bool {
	if c.process == nil {
		return false
	}
	select {
	case <-c.pipe.ended:
		return true
	default:
		return false
	}
}

// withWords adds the last line of stderr to a reason.
func (c *conn) withWords(err error) error {
	if words := c.stderr(); words != "" {
		return fmt.Errorf("%w: %s", err, words)
	}
	return err
}

// listChanged notes that the tools have changed; the watch goroutine lists them.
func (c *conn) listChanged() {
	select {
	case c.changed <- struct{}{}:
	default:
	}
}
