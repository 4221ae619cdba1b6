package acptest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Wire is a client that writes lines as they are, for what an Editor wouldn't send. Each line of the
// agent is checked all the same.
type Wire struct {
	Checker *Checker

	t    testing.TB
	cmd  *exec.Cmd
	in   io.Writer // checked
	raw  io.Writer // below it
	stop func() error
	read chan struct{} // closed when the agent's stdout has ended
	next int
	once sync.Once
	err  error // of the agent's end; known once ended
}

// StartWire starts an agent to write lines to. It is ended as by Start.
func StartWire(t testing.TB, cmd *exec.Cmd) *Wire {
	t.Helper()
	p := launch(t, cmd)
	w := &Wire{Checker: NewChecker(t), t: t, cmd: cmd, stop: p.stdin.Close, read: make(chan struct{})}
	w.Checker.OnlyAgent = true
	r, in := w.Checker.Tap(p.stdout, p.stdin, false)
	w.in, w.raw = in, p.stdin
	go func() {
		defer close(w.read)
		_, _ = io.Copy(io.Discard, r) // the Checker sees what is read
	}()
	t.Cleanup(func() { p.end(t, w) })
	return w
}

// Close closes the agent's stdin.
func (w *Wire) Close() error {
	w.once.Do(func() { w.err = w.stop() })
	return w.err
}

// Wait waits until the agent's stdout has ended.
func (w *Wire) Wait() { <-w.read }

// Write writes text as it is.
func (w *Wire) Write(text string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, text); err != nil {
		w.t.Fatalf("acptest: writing to the agent: %v", err)
	}
}

// Send writes lines.
func (w *Wire) Send(lines ...string) {
	w.t.Helper()
	for _, l := range lines {
		w.Write(l + "\n")
	}
}

// Response is what an agent answers.
type Response struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int64           `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
	Method string `json:"method"` // "" unless it is no response
}

// Code is that of the error, 0 for a result.
func (r Response) Code() int64 {
	if r.Error == nil {
		return 0
	}
	return r.Error.Code
}

// Answer waits for the first response with an id, given as JSON.
func (w *Wire) Answer(ctx context.Context, id string) Response {
	w.t.Helper()
	var r Response
	w.Checker.Wait(ctx, func(f Frame) bool {
		if !f.FromAgent || !strings.Contains(f.Data, id) {
			return false
		}
		r = Response{}
		return json.Unmarshal([]byte(f.Data), &r) == nil && string(r.ID) == id && r.Method == ""
	})
	return r
}

// Call sends a request with an id of its own and waits for the response.
func (w *Wire) Call(ctx context.Context, method, params string) Response {
	w.t.Helper()
	return w.Answer(ctx, w.Begin(method, params))
}

// Begin sends a request and returns its id.
func (w *Wire) Begin(method, params string) (id string) {
	w.t.Helper()
	w.next++
	id = fmt.Sprint(1000 + w.next)
	w.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params))
	return id
}

// Pour sends a request whose params have so many more bytes in their _meta, and returns its id. The
// line isn't checked or kept: that would take long.
func (w *Wire) Pour(method, params string, more int) (id string) {
	w.t.Helper()
	w.next++
	id = fmt.Sprint(1000 + w.next)
	w.Checker.expect(id, method)
	piece := strings.Repeat("x", 1<<20)
	head := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s,"_meta":{"more":"`, id, method, strings.TrimSuffix(params, "}"))
	_, err := io.WriteString(w.raw, head)
	for ; more > 0 && err == nil; more -= len(piece) {
		_, err = io.WriteString(w.raw, piece[:min(more, len(piece))])
	}
	if err == nil {
		_, err = io.WriteString(w.raw, "\"}}}\n")
	}
	if err != nil {
		w.t.Fatalf("acptest: writing to the agent: %v", err)
	}
	return id
}

// Sent returns the agent's lines so far.
func (w *Wire) Sent() []string {
	var lines []string
	for _, f := range w.Checker.Frames() {
		if f.FromAgent {
			lines = append(lines, f.Data)
		}
	}
	return lines
}

// Exit closes the agent's stdin, waits for its end and returns how long that took.
func (w *Wire) Exit(ctx context.Context) time.Duration {
	w.t.Helper()
	start := time.Now()
	if err := w.Close(); err != nil {
		w.t.Error(err)
	}
	select {
	case <-w.read:
	case <-ctx.Done():
		w.t.Fatalf("acptest: the agent doesn't end: %v", ctx.Err())
	}
	return time.Since(start)
}
