package child

import (
	"fmt"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// TestNoCallHasTheAskersKey: the calls of a session for whose name there was no room had no path, and what
// the asker's user had answered for the asker's own tools counted for them.
func TestNoCallHasTheAskersKey(t *testing.T) {
	c := &Client{cmd: Command{Name: "jan"}, asks: map[string]*ask{}}
	a := &ask{c: c, host: deaf{}, id: "s", agents: map[string]string{"s": "jan"}, subs: map[string]ui.AskEnded{},
		calls: map[string]*ui.ToolCall{}, past: map[string]int{}, spoken: map[string]message{}}
	other := &ask{c: c}
	c.asks["s"], c.asks["t"] = a, other
	begins := func(id string) {
		t.Helper()
		u, err := acp.ParseUpdate(fmt.Appendf(nil, `{"sessionId":"s","update":{"sessionUpdate":%q,"sessionId":%q,"title":"homer","state":{"state":"running"}}}`, acp.UpdateSubagent, id))
		if err != nil {
			t.Fatal(err)
		}
		c.join(u)
		a.pass(u)
	}
	for i := range maxSessions + 1 {
		begins(fmt.Sprint("sub", i))
	}
	c.forget(other) // there is room for a session again, and none for its name
	begins("last")
	if c.asks["last"] != a {
		t.Fatal("the session belongs to no ask")
	}
	call := a.announce(acp.RequestPermissionRequest{SessionID: "last", ToolCall: acp.ToolCallUpdate{ToolCallID: "1", Name: "bash"}})
	if call.Key() != "jan/bash" {
		t.Errorf("its key is %q", call.Key())
	}
}
