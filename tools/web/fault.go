package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
)

// class is the kind of a failure (tools.fr.md, codes of fetch_content).
type class int

const (
	conversion class = 1 + iota // no HTML page, too large, not to be decoded, or a file that can't be written
	input                       // the page can't be had
	misuse                      // the arguments are wrong
)

func (c class) String() string {
	return [...]string{conversion: "conversion", input: "input", misuse: "usage"}[c]
}

// fault is a failure, with its reason in the words of the model's text.
type fault struct {
	class  class
	reason string
	noHost bool // there was no connection at all
}

func faultf(c class, format string, a ...any) *fault {
	return &fault{class: c, reason: fmt.Sprintf(format, a...)}
}

func usage(format string, a ...any) *fault { return faultf(misuse, format, a...) }

// Error makes a fault an error, so that it can pass through the HTTP client.
func (f *fault) Error() string { return f.reason }

// text is what the model reads (tools.fr.md, Échec).
func (f *fault) text() string {
	return fmt.Sprintf("[%s: error %d (%s) — %s]", name, f.class, f.class, f.reason)
}

// errTimeout is the cause of a fetch that took too long.
var errTimeout = errors.New("timeout")

// unreachable is the fault for a request that failed before there was an answer, or while one came.
func (t *tool) unreachable(ctx context.Context, u *url.URL, err error) *fault {
	var f *fault
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(context.Cause(ctx), errTimeout):
		return faultf(input, "%s took longer than %s", u.Host, t.o.timeout)
	case ctx.Err() != nil:
		return faultf(input, "cancelled")
	}
	f = faultf(input, "%s can't be reached: %s", u.Host, cause(err))
	var op *net.OpError
	f.noHost = errors.As(err, &op) && op.Op == "dial"
	return f
}

// cause is an error of the network without the operations and addresses around it.
func cause(err error) string {
	var dns *net.DNSError
	var sys *os.SyscallError
	var op *net.OpError
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "there is no such host — check the address"
	case errors.As(err, &dns):
		return "its name can't be looked up: " + dns.Err
	case errors.As(err, &sys):
		return sys.Err.Error()
	case errors.As(err, &op):
		return op.Err.Error()
	}
	return err.Error()
}
