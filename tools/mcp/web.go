package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// web is the way to a server over HTTP: it adds the headers of the agent file, bounds what is read,
// and can be aborted as a whole. The SDK waits for some answers without any limit.
type web struct {
	server Server
	origin string
	stream time.Duration
	max    int64 // bytes of an answer that is no stream
	lists  *lists
	base   *http.Transport

	ctx      context.Context
	abort    context.CancelFunc
	streamed atomic.Bool // a stream of the server's own messages was opened once
}

var errNoStream = errors.New("the server opens no stream")

func newWeb(s Server, lim limits, l *lists) (*web, error) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Host == "" {
		return nil, errors.New("its url isn't an address of HTTP")
	}
	w := &web{server: s, origin: origin(u), stream: lim.stream, max: int64(lim.message), lists: l}
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		w.base = t.Clone()
	} else {
		w.base = &http.Transport{}
	}
	w.ctx, w.abort = context.WithCancel(context.Background())
	return w, nil
}

func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// client returns the HTTP client for the SDK.
func (w *web) client() *http.Client { return &http.Client{Transport: w} }

// close ends every request and connection.
func (w *web) close() {
	w.abort()
	w.base.CloseIdleConnections()
}

// RoundTrip implements http.RoundTripper.
func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	stop := context.AfterFunc(w.ctx, func() { cancel(context.Cause(w.ctx)) })
	finish := func() { stop(); cancel(nil) }
	listing := isListing(r)
	r = r.Clone(ctx)
	if origin(r.URL) == w.origin { // a redirect may lead elsewhere
		for name, value := range w.server.Headers {
			r.Header.Set(name, value)
		}
	}
	resp, err := w.send(r, cancel)
	if err != nil {
		finish()
		return nil, err
	}
	if k, ok := r.Context().Value(callKey{}).(*call); ok && resp.StatusCode == http.StatusNotFound {
		k.refused.Store(true)
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	body := &body{ReadCloser: resp.Body, finish: finish, left: w.max + 1}
	if body.stream = kind == "text/event-stream" && resp.StatusCode == http.StatusOK; body.stream && r.Method == http.MethodGet {
		w.streamed.Store(true)
	}
	if listing {
		body.copy = w.lists.capture(body.stream, w.max)
	}
	resp.Body = body
	return resp, nil
}

// send sends a request. A server that lets the GET for its own messages wait without an answer has
// no such stream to offer (some send the headers with their first message): then it is taken to
// have answered 405, as the specification wants it, since the SDK would wait for ever.
func (w *web) send(r *http.Request, cancel context.CancelCauseFunc) (*http.Response, error) {
	if r.Method != http.MethodGet {
		return w.base.RoundTrip(r)
	}
	timer := time.AfterFunc(w.stream, func() { cancel(errNoStream) })
	defer timer.Stop()
	resp, err := w.base.RoundTrip(r)
	if err != nil && context.Cause(r.Context()) == errNoStream && !w.streamed.Load() {
		return &http.Response{Status: "405 Method Not Allowed", StatusCode: http.StatusMethodNotAllowed, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: http.NoBody, Request: r}, nil
	}
	return resp, err
}

// isListing reports whether a request is tools/list.
func isListing(r *http.Request) bool {
	if r.Method != http.MethodPost || r.GetBody == nil || r.ContentLength > 8<<10 {
		return false
	}
	b, err := r.GetBody()
	if err != nil {
		return false
	}
	defer b.Close()
	text, err := io.ReadAll(b)
	if err != nil {
		return false
	}
	m, err := jsonrpc.DecodeMessage(text)
	call, ok := m.(*jsonrpc.Request)
	return err == nil && ok && call.Method == "tools/list"
}

// body bounds an answer. The SDK bounds the events of a stream itself.
type body struct {
	io.ReadCloser
	finish func()
	stream bool
	left   int64 // for what is no stream, with one byte over the limit
	copy   *capture
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if !b.stream && int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.copy != nil {
		b.copy.add(p[:n])
	}
	if !b.stream && b.left <= 0 {
		return 0, fmt.Errorf("its answer is too long")
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.finish()
	return err
}

// results returns the results in the answer to a tools/list: one message, or a stream of events.
func results(text []byte, stream bool) []*jsonrpc.Response {
	messages := [][]byte{text}
	if stream {
		messages = nil
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		for event := range bytes.SplitSeq(text, []byte("\n\n")) {
			var data []byte
			for line := range strings.Lines(string(event)) {
				if rest, ok := strings.CutPrefix(line, "data:"); ok {
					data = append(data, strings.TrimPrefix(rest, " ")...)
				}
			}
			messages = append(messages, data)
		}
	}
	var list []*jsonrpc.Response
	for _, m := range messages {
		decoded, err := jsonrpc.DecodeMessage(m)
		if r, ok := decoded.(*jsonrpc.Response); ok && err == nil && r.Error == nil {
			list = append(list, r)
		}
	}
	return list
}
