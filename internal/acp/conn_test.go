package acp_test

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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/acp"
)

// handler makes a Handler of functions.
type handler struct {
	request func(ctx context.Context, method string, params json.RawMessage) (any, error)
	notify  func(method string, params json.RawMessage)
}

func (h handler) Request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	if h.request == nil {
		return nil, acp.MethodNotFound(method)
	}
	return h.request(ctx, method, params)
}

func (h handler) Notification(method string, params json.RawMessage) {
	if h.notify != nil {
		h.notify(method, params)
	}
}

// pipe is a pipe of the system, as between processes.
func pipe(t testing.TB) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

func closeBoth(a, b io.Closer) func() error {
	return func() error { return errors.Join(a.Close(), b.Close()) }
}

// pair connects an agent and a client.
func pair(t testing.TB, agent, client acp.Handler) (a, c *acp.Conn) {
	t.Helper()
	ar, cw := pipe(t)
	cr, aw := pipe(t)
	a = acp.NewConn(ar, aw, closeBoth(ar, aw), agent, acp.Options{Side: acp.Agent})
	c = acp.NewConn(cr, cw, closeBoth(cr, cw), client, acp.Options{Side: acp.Client, CancelRequests: true})
	t.Cleanup(func() {
		a.Close()
		c.Close()
		a.Wait()
		c.Wait()
	})
	return a, c
}

// peer is the other end of a connection, by hand.
type peer struct {
	t    testing.TB
	in   *os.File // what the connection reads
	out  *bufio.Reader
	file *os.File // what out reads
	conn *acp.Conn
}

// rawPeer starts a connection whose other end the test plays.
func rawPeer(t testing.TB, h acp.Handler, o acp.Options) *peer {
	t.Helper()
	r, in := pipe(t)
	out, w := pipe(t)
	p := &peer{t: t, in: in, out: bufio.NewReaderSize(out, 1<<20), file: out}
	p.conn = acp.NewConn(r, w, closeBoth(r, w), h, o)
	t.Cleanup(func() {
		p.conn.Close()
		p.conn.Wait()
	})
	return p
}

func (p *peer) send(lines ...string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, strings.Join(lines, "\n")+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// line reads one line from the connection, within two minutes.
func (p *peer) line() string {
	p.t.Helper()
	p.file.SetReadDeadline(time.Now().Add(2 * time.Minute))
	s, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("reading a line: %v (got %q)", err, s)
	}
	return strings.TrimSuffix(s, "\n")
}

func (p *peer) want(lines ...string) {
	p.t.Helper()
	for _, want := range lines {
		if diff := cmp.Diff(want, p.line()); diff != "" {
			p.t.Errorf("line (-want +got):\n%s", diff)
		}
	}
}

func ctx(t testing.TB) context.Context {
	c, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return c
}

func TestCallAndNotify(t *testing.T) {
	var got []string
	agent, client := pair(t, handler{request: func(_ context.Context, method string, params json.RawMessage) (any, error) {
		return map[string]string{"method": method, "params": string(params)}, nil
	}}, handler{notify: func(method string, params json.RawMessage) { got = append(got, method+string(params)) }})
	for i := range 3 {
		if err := agent.Notify(ctx(t), "_n", []int{i}); err != nil {
			t.Fatal(err)
		}
	}
	var res map[string]string
	if err := client.Call(ctx(t), "_m", map[string]int{"a": 1}, &res); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"method": "_m", "params": `{"a":1}`}, res); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"_n[0]", "_n[1]", "_n[2]"}, got); diff != "" {
		t.Errorf("notifications before the answer (-want +got):\n%s", diff)
	}
}

// The prompt's answer must not overtake its updates, on the wire or in the receiver.
func TestUpdatesComeBeforeTheAnswer(t *testing.T) {
	const updates = 2000
	var agent *acp.Conn
	var mu sync.Mutex
	seen := 0
	agent, client := pair(t, handler{request: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
		for i := range updates {
			u := acp.Update(acp.TextChunk(acp.UpdateAgentMessage, "m", "x"))
			if i%10 == 9 {
				u = acp.ToolCall{ToolCallID: fmt.Sprint(i), Title: "t"}
			}
			if err := agent.Update(ctx, "s", u); err != nil {
				return nil, err
			}
		}
		return acp.PromptResponse{StopReason: acp.StopEndTurn}, nil
	}}, handler{notify: func(_ string, params json.RawMessage) {
		u, err := acp.ParseUpdate(params)
		if err != nil {
			t.Error(err)
		}
		n := 1
		if u.IsChunk() {
			c, err := u.Chunk()
			if err != nil {
				t.Error(err)
			}
			n = len(c.Content.Text)
		}
		mu.Lock()
		seen += n
		mu.Unlock()
	}})
	for range 5 {
		seen = 0
		var res acp.PromptResponse
		if err := client.Call(ctx(t), acp.MethodPrompt, acp.PromptRequest{SessionID: "s", Prompt: []acp.ContentBlock{acp.Text("hi")}}, &res); err != nil {
			t.Fatal(err)
		}
		if seen != updates {
			t.Errorf("the answer came after %d of %d updates", seen, updates)
		}
	}
}

// Ids are echoed exactly, whatever they are.
func TestIDsAreEchoed(t *testing.T) {
	p := rawPeer(t, handler{request: func(_ context.Context, m string, _ json.RawMessage) (any, error) { return m, nil }}, acp.Options{})
	for _, id := range []string{"0", "-1", `""`, `"a"`, "null", "1.5", "9007199254740993", "-0", "1e3", `"\u0041\n"`, "18446744073709551616", `"0"`} {
		p.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"m"}`)
		p.want(`{"jsonrpc":"2.0","id":` + id + `,"result":"m"}`)
	}
}
