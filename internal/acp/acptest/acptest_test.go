package acptest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/internal/acp"
)

// agentEnv makes the test's own program an agent.
const agentEnv = "ACPTEST_AGENT"

func TestMain(m *testing.M) {
	if how := os.Getenv(agentEnv); how != "" {
		runAgent(how)
		return
	}
	goleak.VerifyTestMain(m)
}

// runAgent is a small agent over stdio.
func runAgent(how string) {
	stdout, err := acp.PrivateStdout()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("what is printed doesn't disturb")
	a := &agent{how: how}
	conn := acp.NewConn(os.Stdin, stdout, stdout.Close, a, acp.Options{})
	<-conn.Done()
	conn.Close()
}

// agent answers each prompt with one call it asks about, and can misbehave.
type agent struct {
	how  string
	conn *acp.Conn
}

func (a *agent) Bind(c *acp.Conn) { a.conn = c }

func (a *agent) Notification(string, json.RawMessage) {}

func (a *agent) Request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case acp.MethodInitialize:
		return acp.InitializeResponse{ProtocolVersion: 1, AgentInfo: &acp.Implementation{Name: "a", Version: "1"}}, nil
	case acp.MethodNewSession:
		return acp.NewSessionResponse{SessionID: "s1"}, nil
	case acp.MethodPrompt:
		return a.prompt(ctx)
	}
	return nil, acp.MethodNotFound(method)
}

func (a *agent) prompt(ctx context.Context) (any, error) {
	call := acp.ToolCall{ToolCallID: "c1", Title: "make", Name: "bash", Kind: acp.ToolExecute, Status: acp.ToolPending}
	switch a.how {
	case "stranger":
		return nil, a.conn.Update(ctx, "s2", acp.TextChunk(acp.UpdateAgentMessage, "m", "hi"))
	case "orphan":
		return nil, a.conn.Update(ctx, "s1", acp.ToolCallUpdate{ToolCallID: "c9"})
	case "open":
		if err := a.conn.Update(ctx, "s1", call); err != nil {
			return nil, err
		}
		return acp.PromptResponse{StopReason: acp.StopEndTurn}, nil
	case "fs":
		return nil, a.conn.Call(ctx, acp.MethodReadTextFile, acp.ReadTextFileRequest{SessionID: "s1", Path: "/x"}, nil)
	case "notice":
		return nil, a.conn.Update(ctx, "s1", acp.Notice{Severity: "info", Title: "t"})
	}
	if err := a.conn.Update(ctx, "s1", call); err != nil {
		return nil, err
	}
	var res acp.RequestPermissionResponse
	err := a.conn.Call(ctx, acp.MethodRequestPermission, acp.RequestPermissionRequest{
		SessionID: "s1",
		ToolCall:  acp.ToolCallUpdate{ToolCallID: "c1", Title: "make", Kind: acp.ToolExecute},
		Options: []acp.PermissionOption{
			{OptionID: "1", Name: "yes", Kind: acp.AllowOnce}, {OptionID: "2", Name: "no", Kind: acp.RejectOnce},
		},
	}, &res)
	if err != nil {
		return nil, err
	}
	if err := a.conn.Update(ctx, "s1", acp.ToolCallUpdate{ToolCallID: "c1", Status: acp.ToolCompleted}); err != nil {
		return nil, err
	}
	text := acp.TextChunk(acp.UpdateAgentMessage, "m", res.Outcome.Outcome+" "+res.Outcome.OptionID)
	return acp.PromptResponse{StopReason: acp.StopEndTurn}, a.conn.Update(ctx, "s1", text)
}

func timeout(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func TestEditorWithProcess(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), agentEnv+"=well")
	e := Start(t, cmd, Options{})
	ctx := timeout(t)
	e.Initialize(ctx)
	s := e.NewSession(ctx, "/")
	turn, err := e.Prompt(ctx, s.SessionID, "go")
	if err != nil {
		t.Fatal(err)
	}
	if turn.Text != "selected 1" || turn.StopReason != acp.StopEndTurn || len(turn.Updates) != 3 {
		t.Errorf("turn: %+v", turn)
	}
	if asked := e.WaitAsked(ctx, 1); asked.ToolCall.Title != "make" {
		t.Errorf("asked: %+v", asked)
	}
	if got := len(e.Checker.Frames()); got != 11 {
		t.Errorf("%d frames", got)
	}
}

// recorder is a testing.TB that keeps complaints.
type recorder struct {
	testing.TB
	mu   sync.Mutex
	text strings.Builder
}

func (r *recorder) Errorf(format string, v ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintf(&r.text, format+"\n", v...)
}

func (r *recorder) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.text.String()
}

func TestEditorFindsBrokenRules(t *testing.T) {
	for how, want := range map[string]string{
		"stranger": "an update of session s2, which hasn't begun or was closed",
		"orphan":   "tool_call_update without its tool_call",
		"open":     "tool call c1 is still open at the end of the turn",
		"fs":       "the client didn't announce fs.readTextFile",
		"notice":   "the client didn't announce session.notices",
	} {
		t.Run(how, func(t *testing.T) {
			r := &recorder{TB: t}
			ar, cw, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cr, aw, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			conn := acp.NewConn(ar, aw, func() error { aw.Close(); return ar.Close() }, &agent{how: how}, acp.Options{})
			e := Connect(r, cr, cw, func() error { cw.Close(); return cr.Close() }, Options{})
			ctx := timeout(t)
			e.Initialize(ctx)
			e.NewSession(ctx, "/")
			_, _ = e.Prompt(ctx, "s1", "go") // some of them fail, as they should
			conn.Close()
			conn.Wait()
			if !strings.Contains(r.String(), want) {
				t.Errorf("complaints: %q, want %q", r.String(), want)
			}
		})
	}
}

func TestCheckerFindsBadFrames(t *testing.T) {
	if _, _, ok := FindSchema(); !ok {
		t.Skip(NoSchema)
	}
	const agent, client = true, false
	for _, c := range []struct {
		frames    []string
		fromAgent bool
		want      string // "" when the last frame is good
	}{
		{[]string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}`}, client, ""},
		{[]string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"1"}}`}, client, "InitializeRequest"},
		{[]string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientInfos":{}}}`}, client, "InitializeRequest.clientInfos"},
		{[]string{`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{"subagents":{}}}}`}, client, ""},
		{[]string{`{"jsonrpc":"2.0","method":"initialize","params":{"protocolVersion":1}}`}, client, "must be a request"},
		{[]string{`{"id":0,"method":"initialize","params":{"protocolVersion":1}}`}, client, "jsonrpc"},
		{[]string{`{"jsonrpc":"2.0","id":0,"method":"nonsense"}`}, client, "unknown method"},
		{[]string{`{"jsonrpc":"2.0","id":0,"method":"_mine"}`}, client, ""},
		{[]string{`{"jsonrpc":"2.0","id":1.5,"method":"_mine"}`}, client, "RequestId"},
		{[]string{`{"jsonrpc":"2.0","id":0,"method":"_mine"}`, `{"jsonrpc":"2.0","id":0,"method":"_mine"}`}, client, "in use"},
		{[]string{`{"jsonrpc":"2.0","id":0,"result":{}}`}, agent, "isn't open"},
		{[]string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}`}, agent, ""},
		{[]string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no\nyes"}}`}, agent, "one short line"},
		{[]string{`{"jsonrpc":"2.0","id":null,"error":{"code":"x","message":"no"}}`}, agent, "Error"},
		{[]string{`hello`}, agent, "no JSON-RPC message"},
		{[]string{"{\"jsonrpc\":\"2.0\",\"method\":\"_\xff\"}"}, agent, "UTF-8"},
		{[]string{`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":1,"size":2}}}`}, agent, ""},
		{[]string{`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"usage_update","used":1}}}`}, agent, "SessionNotification"},
		{[]string{`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan_removed","planId":"p"}}}`}, agent, ""},
		{[]string{`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"plan_removed"}}}`}, agent, "SessionNotification"},
		{[]string{`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","messageID":"m","content":{"type":"text","text":"t"}}}}`}, agent, "update.messageID"},
		{[]string{`{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[{"optionId":"1","name":"n","kind":"allow_persistent"}]}}`}, agent, "RequestPermissionRequest"},
	} {
		r := &recorder{TB: t}
		ck := NewChecker(r)
		ck.Foreign = true
		for _, f := range c.frames {
			ck.Check([]byte(f), c.fromAgent)
		}
		switch got := r.String(); {
		case c.want == "" && got != "":
			t.Errorf("%s: %s", c.frames, got)
		case !strings.Contains(got, c.want):
			t.Errorf("%s: %q, want %q", c.frames, got, c.want)
		}
	}
}
