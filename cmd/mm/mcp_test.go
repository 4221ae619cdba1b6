//go:build unix

package main

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

type greetArgs struct {
	Name string `json:"name"`
}

// greeter is an MCP server over streamable HTTP with one tool.
func greeter(t *testing.T) string {
	t.Helper()
	s := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "greet", Description: "says hello"}, func(_ context.Context, _ *mcp.CallToolRequest, in greetArgs) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello " + in.Name}}}, nil, nil
	})
	h := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	return h.URL
}

// TestMCPTools: a tool of an MCP server is called under its own key; "permission: ask" asks whatever
// yolo says; servers that come with an ACP session are used beside those of the file.
func TestMCPTools(t *testing.T) {
	url := greeter(t)
	dir := folder(t, map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\nmcpServers:\n  hi: {url: \"" + url + "\"}\n  careful: {url: \"" + url + "\", permission: ask}\n",
		"s.yaml": `
- when: {user: "^call (\\S+)"}
  reply: [{call: {name: $1, arguments: {name: jan}}}]
- when: {tool: "(?s)(.*)"}
  reply: "read: $1"
`})
	out, err := mm(t, dir, "-p", "call hi_greet").CombinedOutput()
	if err != nil || string(out) != "read: hello jan\n" {
		t.Errorf("%v: %s", err, out)
	}
	out, _ = mm(t, dir, "-p", "call careful_greet").CombinedOutput()
	if !strings.Contains(string(out), "read: [careful_greet rejected by the user]") {
		t.Errorf("a careful server's tool ran: %s", out)
	}
	e := acptest.Start(t, mm(t, dir, "-acp"), acptest.Options{})
	e.Initialize(t.Context())
	var s acp.NewSessionResponse
	must(t, e.Conn.Call(t.Context(), acp.MethodNewSession, acp.NewSessionRequest{Cwd: dir, MCPServers: acp.MCPServers{{Type: acp.MCPHTTP, Name: "own", URL: url}}}, &s))
	turn, err := e.Prompt(t.Context(), s.SessionID, "call own_greet")
	if err != nil || turn.Text != "read: hello jan" {
		t.Errorf("%q %v", turn.Text, err)
	}
	turn, err = e.Prompt(t.Context(), s.SessionID, "call careful_greet")
	if err != nil || turn.Text != "read: hello jan" || len(e.Asked()) != 1 {
		t.Errorf("%q %v, asked %d times", turn.Text, err, len(e.Asked()))
	}
}

// TestMCPNamesOfASession: the tools of a session's own servers have the same names whatever other
// sessions are open, so that a hook finds them in each; a server of the file keeps its name.
func TestMCPNamesOfASession(t *testing.T) {
	url := greeter(t)
	dir := folder(t, map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\nmcpServers:\n  hi: {url: \"" + url + "\"}\nhooks:\n  preToolCall:\n    - {match: own_greet, command: \"echo not here >&2; exit 2\"}\n",
		"s.yaml": `
- when: {user: "^call (\\S+)"}
  reply: [{call: {name: $1, arguments: {name: jan}}}]
- when: {tool: "(?s)(.*)"}
  reply: "read: $1"
`})
	e := acptest.Start(t, mm(t, dir, "-acp"), acptest.Options{})
	e.Initialize(t.Context())
	var ids []string
	for range 3 {
		var s acp.NewSessionResponse
		must(t, e.Conn.Call(t.Context(), acp.MethodNewSession, acp.NewSessionRequest{Cwd: dir, MCPServers: acp.MCPServers{
			{Type: acp.MCPHTTP, Name: "own", URL: url}, {Type: acp.MCPHTTP, Name: "hi", URL: url},
		}}, &s))
		ids = append(ids, s.SessionID)
	}
	for _, id := range ids {
		for tool, want := range map[string]string{
			"own_greet":  "read: [own_greet denied by a hook: not here]",
			"hi_greet":   "read: hello jan",
			"hi-2_greet": "read: hello jan",
		} {
			if turn, err := e.Prompt(t.Context(), id, "call "+tool); err != nil || turn.Text != want {
				t.Errorf("%s: %q %v", tool, turn.Text, err)
			}
		}
	}
}

// TestMCPOverSSE: a server of the session that can't be used is told, as one that can't be started is.
func TestMCPOverSSE(t *testing.T) {
	dir := folder(t, map[string]string{"mm.yaml": "provider: scripted\nscript: s.yaml\n", "s.yaml": "- reply: hi\n"})
	e := acptest.Start(t, mm(t, dir, "-acp"), acptest.Options{Capabilities: acp.ClientCapabilities{Session: &acp.ClientSessionCapabilities{Notices: &acp.Capability{}}}})
	e.Initialize(t.Context())
	servers := acp.MCPServers{{Type: acp.MCPSSE, Name: "old", URL: "http://127.0.0.1:1/sse"}}
	told := func(id string, times int) {
		t.Helper()
		const want = `"severity":"warning","title":"MCP server old: can't be used: SSE isn't supported — give its address as \"http\" if it speaks streamable HTTP"`
		if _, err := e.Prompt(t.Context(), id, "hi"); err != nil {
			t.Error(err)
		}
		n := 0
		for _, u := range e.Updates(id) {
			if strings.Contains(string(u.Raw), want) {
				n++
			}
		}
		if n != times {
			t.Errorf("told %d times, want %d", n, times)
		}
	}
	var s acp.NewSessionResponse
	must(t, e.Conn.Call(t.Context(), acp.MethodNewSession, acp.NewSessionRequest{Cwd: dir, MCPServers: servers}, &s))
	told(s.SessionID, 1)
	e.CloseSession(t.Context(), s.SessionID)
	must(t, e.Conn.Call(t.Context(), acp.MethodResumeSession, acp.LoadSessionRequest{SessionID: s.SessionID, Cwd: dir, MCPServers: servers}, nil))
	told(s.SessionID, 2)
}
