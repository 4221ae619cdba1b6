package llm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"syscall"
	"time"
)

// tries counts what was done about one request that didn't succeed at once.
type tries struct {
	c      *Client
	r      *Request
	on     func(Event) error
	limits limits

	told   string // what was waited for last
	waits  int
	failed int  // plain 500s
	once   bool // the one repetition of a broken answer is used up
}

// maxFailed is how often a plain 500 is met: llama.cpp also answers so to what can never succeed.
const maxFailed = 4

// again decides about a failure: it waits, and reports whether to ask again. The error is that of
// the context or of the caller's function.
//
// "429, 502, 503 (Loading model), 504, refused connections are retried with back-off and jitter; a
// stream that breaks before it showed anything, and llama.cpp's Failed to parse input, are asked
// again once; retries go on, honouring Retry-After, until the watchdog ends the turn."
func (t *tries) again(ctx context.Context, e *Error, shown bool) (bool, error) {
	if !shown {
		learned, notice := t.c.learn(e, t.r, &t.limits)
		if notice != "" {
			return learned, t.on(Event{Notice: notice})
		}
		if learned {
			return true, nil
		}
	}
	switch {
	case unparsed(e):
		return t.repeat(shown)
	case shown || !e.Retry:
		return false, nil
	case e.Kind == KindBroken:
		return t.repeat(false)
	case e.Kind == KindServer && e.Status/100 != 4 && e.Status != 502 && e.Status != 504:
		if t.failed++; t.failed >= maxFailed {
			return false, nil
		}
	}
	var err error
	if waiting := "waiting for " + e.Provider + ": " + e.reason(); waiting != t.told {
		t.told = waiting
		err = t.on(Event{Waiting: waiting})
	}
	if err == nil {
		err = t.c.sleep(ctx, t.delay(e))
	}
	t.waits++
	return err == nil, err
}

// repeat asks once more without waiting.
func (t *tries) repeat(shown bool) (bool, error) {
	if t.once {
		return false, nil
	}
	t.once = true
	if shown {
		return true, t.on(Event{Restart: true})
	}
	return true, nil
}

// unparsed reports llama.cpp's "Failed to parse input at pos N": the model's own words broke the
// server's parser. Another answer may not.
func unparsed(e *Error) bool { return strings.HasPrefix(e.Message, "Failed to parse input") }

// delay is how long to wait: what the server asks and a bit, else twice as long each time with a
// quarter more or less, up to 15 s, while a model loads 2 s.
func (t *tries) delay(e *Error) time.Duration {
	jitter := t.c.jitter()
	if e.RetryAfter > 0 {
		return e.RetryAfter + time.Duration(jitter*float64(min(e.RetryAfter/10, time.Second)))
	}
	limit := 15 * time.Second
	if e.Kind == KindLoading {
		limit = 2 * time.Second
	}
	d := min(500*time.Millisecond<<min(t.waits, 10), limit)
	return time.Duration(float64(d) * (0.75 + jitter/2))
}

// reason is the error in one line.
func (e *Error) reason() string {
	reason := firstLine(e.Message)
	if e.Detail != "" {
		reason += " (" + e.Detail + ")"
	}
	return reason
}

// explain completes an error with what was asked and what to do about it.
func (c *Client) explain(err error) *Error {
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Kind: KindNetwork, Message: err.Error(), Err: err}
	}
	t := c.target()
	e.Provider, e.Model = c.Provider(), t.model
	if e.Hint == "" {
		e.Hint = t.hint(e)
	}
	return e
}

// hint says what to do about an error, where that is known.
func (t target) hint(e *Error) string {
	switch {
	case e.Kind == KindNetwork && errors.Is(e.Err, syscall.ECONNREFUSED):
		return "is a server running at " + t.shown() + "?"
	case strings.Contains(e.Message, "--jinja"):
		return "start llama-server with --jinja"
	case strings.Contains(e.Message, "--enable-auto-tool-choice"):
		return "start vllm with --enable-auto-tool-choice --tool-call-parser NAME, or set toolCalls: text"
	case e.Kind == KindNoTools:
		return "set toolCalls: text"
	case e.Kind == KindAuth:
		return "check apiKey"
	case e.Kind == KindNotFound && !strings.Contains(strings.ToLower(e.Message), "model"):
		return "is baseURL right? it is " + t.shown() + " and usually ends in /v1"
	case e.Kind == KindNotFound && t.kind == Ollama:
		return "ollama pull " + t.model
	}
	return ""
}

// unreachable makes an error of a connection that failed. What can mend itself is retried: a
// server that starts, a network that comes back; a name that doesn't exist or a bad certificate
// can't.
func unreachable(err error) *Error {
	e := &Error{Kind: KindNetwork, Message: cause(err), Err: err}
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &dns):
		e.Retry = !dns.IsNotFound
	case errors.As(err, &op) && op.Op == "dial":
		e.Retry = true
	case isTimeout(err):
		e.Retry = true
	case errors.As(err, &op), dropped(err):
		// The server took the connection and closed it without a word.
		e.Kind, e.Retry = KindBroken, true
	}
	return e
}

// cause is the innermost words of a network error: "connection refused".
func cause(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return fmt.Sprintf("no such host: %s", dns.Name)
	}
	text := err.Error()
	if i := strings.LastIndex(text, `": `); i >= 0 { // Post "http://…":
		text = text[i+3:]
	}
	return text
}

func isTimeout(err error) bool {
	var t net.Error
	return errors.As(err, &t) && t.Timeout()
}

// dropped reports net/http's words for a connection that ended before an answer.
func dropped(err error) bool {
	text := err.Error()
	return strings.HasSuffix(text, "EOF") || strings.Contains(text, "server closed idle connection")
}
