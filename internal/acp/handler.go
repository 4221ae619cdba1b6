package acp

import (
	"context"
	"encoding/json"
)

// Side is which of the two a connection belongs to.
type Side int

// An agent answers malformed lines with errors, and finishes what it was asked when the client
// closes its end. A client takes malformed lines of its child for noise.
const (
	Agent Side = iota
	Client
)

// Handler serves what the peer sends. It may also be a Binder and an Accepter.
type Handler interface {
	// Request serves one request, in a goroutine of its own. A nil result is sent as {}. An
	// error that is no *Error is sent as an internal error. ctx ends when the peer gives the
	// request up and when the connection ends.
	Request(ctx context.Context, method string, params json.RawMessage) (any, error)
	// Notification handles one notification. Nothing that was sent after it is read before it
	// returns, so it must not wait for an answer of the peer.
	Notification(method string, params json.RawMessage)
}

// Binder is a Handler that is told its Conn before anything is read.
type Binder interface {
	Bind(*Conn)
}

// Accepter is a Handler that sees each request in the order of arrival, among the notifications,
// before it gets its goroutine. Accept must not block. It returns the context for Request, made
// from ctx, which may carry what it has set up (a turn that a session/cancel right behind the
// prompt must find), or an error, which is then the answer (a request before initialize).
type Accepter interface {
	Accept(ctx context.Context, method string, params json.RawMessage) (context.Context, error)
}

// Reply is a result with something to do once it is on its way: what Then sends comes after the
// response. The first update of a session must come after the response that names the session.
type Reply struct {
	Result any
	Then   func()
}

// Options are the choices of a connection. The zero Options are those of an agent.
type Options struct {
	Side Side
	// MaxLine bounds a line in bytes. A longer one is skipped. 0 means the constant MaxLine.
	MaxLine int
	// CancelRequests makes Call send $/cancel_request when its context ends.
	CancelRequests bool
	// Log gets what went wrong on the wire, a line each. It may be nil.
	Log func(text string)
	// OnNoise gets the lines of a child that are no messages, shortened. It may be nil. It is
	// called in the reading goroutine.
	OnNoise func(line string)
}
