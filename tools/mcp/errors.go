package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mini-me/mm/internal/clip"
)

// errClosed is for calls while everything ends.
var errClosed = errors.New("mm is ending")

// errGone is the cause of the end of a connection that ended by itself.
var errGone = errors.New("it closed the connection")

// unsentError is for a call that can't have reached the server: it may be made again.
type unsentError struct{ err error }

func (e *unsentError) Error() string { return e.err.Error() }
func (e *unsentError) Unwrap() error { return e.err }

// silentError is the cause of a wait without any answer or progress.
type silentError struct {
	after time.Duration
	alive bool // it answers a ping
}

func (e *silentError) Error() string {
	return "no answer and no sign of progress for " + e.after.String()
}

// slowError is the cause of a start that took too long.
type slowError struct{ after time.Duration }

func (e *slowError) Error() string { return "no answer within " + e.after.String() }

// startError says that a server can't be had.
type startError struct{ reason string }

func (e *startError) Error() string { return e.reason }

// goneError is the end of a server in the middle of a call.
type goneError struct{ reason string }

func (e *goneError) Error() string { return e.reason }

// rpcError is the answer of a server that is an error.
type rpcError struct {
	Code    int64
	Message string
}

func (e *rpcError) Error() string {
	if e.Message == "" {
		return fmt.Sprintf("error %d", e.Code)
	}
	return clip.To(e.Message, 2000)
}

// asRPC returns the server's answer if that is what the error is, nil otherwise. The SDK has errors
// of the same type for what the transport refused.
func asRPC(err error) *rpcError {
	const rejected = -32005 // "rejected by transport"
	if answer, ok := err.(*jsonrpc.Error); ok && answer.Code != rejected {
		return &rpcError{answer.Code, answer.Message}
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return asRPC(e.Unwrap())
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			if answer := asRPC(part); answer != nil {
				return answer
			}
		}
	}
	return nil
}

// plainReason takes the SDK's words around a failure of HTTP away: what was being called, and the
// address, which may hold secrets.
func plainReason(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return oneLine(u.Err.Error())
	}
	text := err.Error()
	for {
		before, rest, found := strings.Cut(text, ": ")
		if !found || !strings.HasPrefix(before, `calling "`) && !strings.HasPrefix(before, `sending "`) && before != "connection closed" && before != "rejected by transport" {
			return oneLine(text)
		}
		text = rest
	}
}

// oneLine makes a reason of a text: one line of at most 300 characters.
func oneLine(s string) string { return clip.To(strings.Join(strings.Fields(s), " "), 300) }

// failure is the model's text for a call that came to nothing: the one place that words it.
func failure(ctx context.Context, t *Tool, err error) string {
	var (
		start  *startError
		gone   *goneError
		silent *silentError
		answer *rpcError
	)
	server := "the MCP server " + t.server.Name
	switch {
	case ctx.Err() != nil:
		return "[" + t.spec.Name + ": cancelled]"
	case errors.Is(err, errClosed):
		return "[" + t.spec.Name + ": mm is ending]"
	case errors.As(err, &start):
		return fmt.Sprintf("[%s: %s can't be %s: %s — the next call tries again]", t.spec.Name, server, t.server.had(), start.reason)
	case errors.As(err, &gone):
		return fmt.Sprintf("[%s: %s ended during the call: %s — whether the call had an effect isn't known; the next call starts it again]", t.spec.Name, server, gone.reason)
	case errors.As(err, &silent) && silent.alive:
		return fmt.Sprintf("[%s: %v, so the call was given up; %s itself still answers]", t.spec.Name, silent, server)
	case errors.As(err, &silent):
		return fmt.Sprintf("[%s: %v, and %s doesn't answer at all — the next call starts it again]", t.spec.Name, silent, server)
	case errors.As(err, &answer):
		return fmt.Sprintf("[%s: %s answers: %s]", t.spec.Name, server, answer)
	}
	return fmt.Sprintf("[%s: %s: %s]", t.spec.Name, server, t.server.mask(plainReason(err)))
}
