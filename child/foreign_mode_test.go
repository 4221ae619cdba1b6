package child

import (
	"context"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// chatty says much while it is put into its mode.
type chatty struct{ conn *acp.Conn }

func (a *chatty) Bind(c *acp.Conn)                     { a.conn = c }
func (a *chatty) Notification(string, json.RawMessage) {}
func (a *chatty) Request(ctx context.Context, method string, _ json.RawMessage) (any, error) {
	switch method {
	case acp.MethodNewSession:
		return acp.NewSessionResponse{SessionID: "s", Modes: &acp.Modes{CurrentModeID: "yolo", AvailableModes: []acp.Mode{{ID: "yolo", Name: "yolo"}, {ID: "default", Name: "default"}}}}, nil
	case acp.MethodSetMode:
		for range 300 {
			_ = a.conn.Update(context.Background(), "s", acp.Notice{Severity: "info", Title: "x"})
		}
		return acp.Empty{}, nil
	}
	return acp.PromptResponse{StopReason: acp.StopEndTurn}, nil
}

// TestChattyMode: an agent that says more than an ask keeps while its mode is set wasn't read any more, nor
// was its answer.
func TestChattyMode(t *testing.T) {
	r1, w1 := io.Pipe()
	r2, w2 := io.Pipe()
	ag := acp.NewConn(r1, w2, func() error { r1.Close(); return w2.Close() }, &chatty{}, acp.Options{Side: acp.Agent})
	c := &Client{cmd: Command{Name: "jan", Log: t.Logf}, asks: map[string]*ask{}, fate: fate{known: make(chan struct{})}}
	c.conn = acp.NewConn(r2, w1, func() error { r2.Close(); return w1.Close() }, handler{c}, acp.Options{Side: acp.Client})
	defer func() { c.conn.Close(); ag.Close(); c.conn.Wait(); ag.Wait() }()
	said := &notices{}
	if _, err := c.Ask(t.Context(), Task{Text: "hi", StopAfter: time.Second}, said); err != nil || said.n != 300 {
		t.Errorf("%v, %d notices", err, said.n)
	}
}

// notices is a Host that counts them.
type notices struct {
	deaf
	n int
}

func (n *notices) Emit(e ui.Event) {
	if _, ok := e.(ui.Notice); ok {
		n.n++
	}
}
