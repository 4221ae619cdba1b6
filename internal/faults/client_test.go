//go:build linux

package faults

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/mmtest"
)

// clientOptions are what a client does with what it gets.
type clientOptions struct {
	// permission answers a request; nil answers "cancelled".
	permission func(ctx context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse
	// update takes an update, in the reading goroutine: one that blocks is an editor that doesn't read.
	update func(u acp.SessionUpdate)
	// asked starts mm as an agent that another mm asks.
	asked bool
}

// client is an editor that doesn't mind what it is sent: a plain ACP client, to count updates and
// to answer, or not to read at all. (acptest.Editor checks each frame, which takes its time.)
type client struct {
	t    testing.TB
	conn *acp.Conn
	in   io.Closer // the agent's stdin
	cwd  string

	clientOptions

	mu    sync.Mutex
	asked []acp.RequestPermissionRequest // guarded by mu
}

// answer is how a prompt ended.
type answer struct {
	reason acp.StopReason
	err    error
}

// client starts mm -acp and initializes it.
func (h *house) client(o clientOptions) (*client, *running) {
	h.t.Helper()
	cmd := h.command("-acp")
	if o.asked {
		cmd.Env = append(cmd.Env, "MM_ASK_DEPTH=1", "AGENT_YOLO=false")
	}
	theirIn, in, err := os.Pipe()
	if err != nil {
		h.t.Fatal(err)
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		h.t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout = theirIn, theirOut
	r := h.start(cmd)
	_ = theirIn.Close()
	_ = theirOut.Close()
	c := &client{t: h.t, in: in, cwd: h.dir, clientOptions: o}
	c.conn = acp.NewConn(out, in, func() error { _ = in.Close(); return out.Close() }, c, acp.Options{Side: acp.Client})
	h.t.Cleanup(func() {
		_ = c.conn.Close()
		c.conn.Wait()
	})
	var info acp.InitializeResponse
	c.call(acp.MethodInitialize, acp.InitializeRequest{ProtocolVersion: acp.Version,
		ClientCapabilities: acp.ClientCapabilities{Subagents: &acp.Capability{}}}, &info)
	return c, r
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), mmtest.Patience)
	defer cancel()
	if err := c.conn.Call(ctx, method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) newSession() string {
	c.t.Helper()
	var s acp.NewSessionResponse
	c.call(acp.MethodNewSession, acp.NewSessionRequest{Cwd: c.cwd}, &s)
	return s.SessionID
}

// prompt sends a prompt; its end arrives in the channel.
func (c *client) prompt(session, text string) <-chan answer {
	c.t.Helper()
	done := make(chan answer, 1)
	ctx := c.t.Context()
	sent, err := c.conn.Send(ctx, acp.MethodPrompt, acp.PromptRequest{SessionID: session, Prompt: []acp.ContentBlock{acp.Text(text)}})
	if err != nil {
		c.t.Fatal(err)
	}
	go func() {
		var res acp.PromptResponse
		err := sent.Wait(ctx, &res)
		done <- answer{res.StopReason, err}
	}()
	return done
}

func (c *client) cancel(session string) {
	c.t.Helper()
	if err := c.conn.Notify(c.t.Context(), acp.MethodCancel, acp.SessionRequest{SessionID: session}); err != nil {
		c.t.Fatal(err)
	}
}

// hangUp closes the agent's stdin, as an editor does that ends; it still reads.
func (c *client) hangUp() { _ = c.in.Close() }

// ended waits for the end of a prompt.
func (c *client) ended(done <-chan answer) answer {
	c.t.Helper()
	select {
	case a := <-done:
		return a
	case <-time.After(mmtest.Patience):
		c.t.Fatal("the prompt isn't answered")
		return answer{}
	}
}

// Notification takes updates (acp.Handler).
func (c *client) Notification(method string, params json.RawMessage) {
	if method != acp.MethodUpdate || c.update == nil {
		return
	}
	if u, err := acp.ParseUpdate(params); err == nil {
		c.update(u)
	}
}

// Request answers permission requests (acp.Handler).
func (c *client) Request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	if method != acp.MethodRequestPermission {
		return nil, acp.MethodNotFound(method)
	}
	var r acp.RequestPermissionRequest
	if err := acp.DecodeParams(params, &r); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.asked = append(c.asked, r)
	c.mu.Unlock()
	if c.permission == nil {
		return acp.PermissionCancelled(), nil
	}
	return c.permission(ctx, r), nil
}
