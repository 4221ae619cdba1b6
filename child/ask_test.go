package child

import (
	"context"
	"io"
	"testing"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// deaf is a Host that takes events and has nothing else.
type deaf struct{ ui.Host }

func (deaf) Emit(ui.Event) {}
func (deaf) Alive()        {}
func (deaf) Decide(context.Context, consent.Request) consent.Decision {
	return consent.Decision{Cancelled: true}
}

// TestAPromptThatIsNeverSent: what an agent asked before its session was known is refused, also when the
// asker cancels before the prompt: the agent would wait for ever.
func TestAPromptThatIsNeverSent(t *testing.T) {
	in, agentOut := io.Pipe()
	agentIn, out := io.Pipe()
	defer agentOut.Close()
	defer agentIn.Close()
	c := &Client{cmd: Command{Name: "jan"}, asks: map[string]*ask{}, opening: 1}
	c.conn = acp.NewConn(in, out, func() error { in.Close(); return out.Close() }, handler{c}, acp.Options{Side: acp.Client})
	defer c.conn.Wait()
	defer c.conn.Close()
	p := &permission{ctx: t.Context(), reply: make(chan acp.RequestPermissionResponse, 1)}
	e := &elicitation{ctx: t.Context(), reply: make(chan elicited, 1)}
	if !c.deliver(item{session: "s", permission: p}) || !c.deliver(item{session: "s", elicit: e}) {
		t.Fatal("a session is being made, and what comes for it isn't kept")
	}
	caller, cancel := context.WithCancel(t.Context())
	a := &ask{c: c, id: "s", caller: caller, turn: t.Context(), over: func() {}, task: Task{StopAfter: time.Second}, host: deaf{}, inbox: newInbox(c)}
	early, err := c.adopt(a)
	if err != nil {
		t.Fatal(err)
	}
	c.opened()
	cancel()
	if _, err := a.run(early); err == nil {
		t.Fatal("the prompt was sent")
	}
	for name, answered := range map[string]bool{"permission": len(p.reply) == 1, "form": len(e.reply) == 1} {
		if !answered {
			t.Errorf("the %s is never answered", name)
		}
	}
}
