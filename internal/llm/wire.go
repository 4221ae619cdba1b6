package llm

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
)

// maxRefusal is how much of a refusal's body is read, maxDocument of an answer that isn't a stream:
// a list of all models of a large gateway has some 2 MiB.
const (
	maxRefusal  = 1 << 20
	maxDocument = 16 << 20
)

const streamType = "text/event-stream"

// bounded is the beginning of a body.
type bounded struct {
	io.Reader
	io.Closer
}

// api is openai-go's client for a server. It is built by hand: openai.NewClient reads OPENAI_*
// from the environment, and a key meant for somebody else would go to any server. Its retries are
// off, since ours are told to the person and end with the turn.
func (c *Client) api(t target) openai.Client {
	opts := []option.RequestOption{
		option.WithBaseURL(t.base),
		option.WithHTTPClient(c.http),
		option.WithMaxRetries(0),
		option.WithMiddleware(c.send),
	}
	if c.opts.APIKey != "" {
		opts = append(opts, option.WithAPIKey(c.opts.APIKey))
	}
	for name, value := range c.opts.Headers {
		opts = append(opts, option.WithHeader(name, value))
	}
	return openai.Client{Options: opts}
}

// send is the last step before the transport: what servers needn't know is taken out, and a
// refusal becomes an *Error before openai-go reads its body without a bound.
func (c *Client) send(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	for name := range req.Header {
		if strings.HasPrefix(name, "X-Stainless-") {
			delete(req.Header, name)
		}
	}
	if strings.HasPrefix(req.Header.Get("User-Agent"), "OpenAI/") { // not the user's own
		req.Header.Set("User-Agent", cmp.Or(c.opts.UserAgent, "mm"))
	}
	res, err := next(req)
	if err != nil {
		return res, err
	}
	if res.StatusCode/100 == 2 && !isPage(res.Header) {
		if req.Header.Get("Accept") != streamType {
			res.Body = &bounded{io.LimitReader(res.Body, maxDocument), res.Body}
		}
		return res, nil
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	return nil, refusal(res.StatusCode, res.Header, body, c.now())
}

// post sends a request for a completion and returns the open answer.
func (c *Client) post(ctx context.Context, t target, body []byte) (*http.Response, error) {
	api := c.api(t)
	var res *http.Response
	err := api.Post(ctx, "chat/completions", nil, &res,
		option.WithRequestBody("application/json", body),
		option.WithMiddleware(inMemory(body)),
		option.WithHeader("Accept", streamType))
	if err != nil {
		return nil, networkError(err)
	}
	return res, nil
}

// inMemory gives a request its body as a reader that net/http knows never to block: it writes header and
// body with one call then, and the server reads them with one. The client library hides that reader.
func inMemory(body []byte) option.Middleware {
	reader := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return func(req *http.Request, next option.MiddlewareNext) (*http.Response, error) {
		req.Body, _ = reader()
		req.GetBody = reader // for a connection that the server has closed meanwhile
		return next(req)
	}
}

// networkError makes an *Error of what isn't one yet. The end of the context stays as it is.
func networkError(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) && !isTimeout(err) {
		return err
	}
	return unreachable(err)
}

// receive reads one answer. Whatever happens, the received holds what had arrived.
func (c *Client) receive(ctx context.Context, t target, body []byte, out *output) (*received, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &received{}
	res, err := c.post(ctx, t, body)
	if err != nil {
		return r, err
	}
	defer res.Body.Close()
	r.finished = func() *time.Timer { return time.AfterFunc(c.patience, func() { cancel(errLate) }) }
	err = r.read(newEvents(res.Body), out)
	if context.Cause(ctx) == errLate {
		err = nil
	}
	if endErr := r.end(out); err == nil {
		err = endErr
	}
	if r.done {
		drain(res.Body, func() { cancel(nil) })
	}
	return r, r.outcome(err)
}

// errLate ends the wait for what may follow the finish_reason.
var errLate = errors.New("nothing follows the finish")

// read reads events until the stream ends or says so: "Stop reading at [DONE]; some servers keep
// the connection open." Behind the finish only the usage is waited for, and not for long.
func (r *received) read(events *events, out *output) error {
	var d decoder
	size := 0
	for {
		data, isErr, err := events.next(out.flush)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if bytes.Equal(bytes.TrimSpace(data), []byte("[DONE]")) {
			r.done = true
			return nil
		}
		c, ok := d.decode(data, isErr)
		if !ok {
			continue
		}
		if size += c.size(); size > maxAnswer {
			return errAnswerTooLarge
		}
		if r.take(c, out); out.err != nil {
			return out.err
		}
		if r.finish != "" && r.finished != nil {
			defer r.finished().Stop()
			r.finished = nil
		}
	}
}

// maxAnswer is how many bytes of text, thoughts and arguments one answer may have.
const maxAnswer = 64 << 20

var errAnswerTooLarge = errors.New("the answer is larger than 64 MiB")

func (c *chunk) size() int {
	n := len(c.text) + len(c.thought)
	for i := range c.calls {
		n += len(c.calls[i].args)
	}
	return n
}

// drain reads the end of a body, so that the connection can be used again; not for long, since a
// server may keep it open.
func drain(body io.Reader, cancel func()) {
	timer := time.AfterFunc(20*time.Millisecond, cancel)
	defer timer.Stop()
	_, _ = io.CopyN(io.Discard, body, 64<<10)
}
