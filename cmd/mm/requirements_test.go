//go:build unix

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/mmtest"
)

// A requirement is one by which the official conformance kit of ACP v1 judges an agent, under the
// kit's name for it. TestRequirements holds mm to it, and docs/reference/acp-requirements.md lists it.
type requirement struct {
	name  string
	level string
	says  string // what is held, in a line
	test  func(r *required)
}

// The kit's levels. An agent that breaks a mandatory requirement doesn't conform, nor one that
// announces a capability and breaks what belongs to it.
const (
	mandatory  = "mandatory"
	capability = "capability"
	advisory   = "advisory"
)

func requirements() []requirement {
	var all []requirement
	for _, group := range [][]requirement{wireRequirements(), turnRequirements(), sessionRequirements(), settingRequirements()} {
		all = append(all, group...)
	}
	return all
}

// TestRequirements holds the real mm to each requirement; every frame is checked against the schema:
//
//	go test -run TestRequirements -v ./cmd/mm
func TestRequirements(t *testing.T) {
	for _, q := range requirements() {
		t.Run(q.name, func(t *testing.T) {
			t.Parallel()
			q.test(newRequired(t))
			if !t.Failed() {
				t.Logf("%s, %s: %s", q.name, q.level, q.says)
			}
		})
	}
}

// TestRequirementsPage writes the page with -update, and fails when it is stale.
func TestRequirementsPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("<!-- Generated from cmd/mm/: go generate ./cmd/mm -->\n\n# ACP requirements\n\n" +
		"The official conformance kit of ACP v1 judges an agent by these. Each is a test of the same name against the\n" +
		"real `mm -acp`, every frame of which is checked against the protocol's schema:\n\n" +
		"<!-- test: skip needs the repository -->\n```sh\ngo test -run TestRequirements -v ./cmd/mm\n```\n\n" +
		"*mandatory* holds for every agent, *capability* for one that announces it, *advisory* is good manners.\n")
	for _, level := range []string{mandatory, capability, advisory} {
		fmt.Fprintf(&b, "\n## %s\n\n| name | what is held | test |\n|---|---|---|\n", strings.ToUpper(level[:1])+level[1:])
		for _, q := range requirements() {
			if q.level == level {
				fmt.Fprintf(&b, "| %s | %s | `TestRequirements/%s` |\n", q.name, q.says, q.name)
			}
		}
	}
	golden(t, filepath.Join("..", "..", "docs", "reference", "acp-requirements.md"), b.String())
}

// required is the test of one requirement: a folder with an agent file, and mm.
type required struct {
	*testing.T
	ctx context.Context // ends when something that must come doesn't
	dir string
}

func newRequired(t *testing.T) *required {
	ctx, cancel := context.WithTimeout(t.Context(), mmtest.Patience)
	t.Cleanup(cancel)
	return &required{T: t, ctx: ctx, dir: folder(t, requiredFiles())}
}

// Context is for what is waited for.
func (r *required) Context() context.Context { return r.ctx }

// requiredFiles are those of an agent that says, runs, asks or waits, as it is told.
func requiredFiles() map[string]string {
	return map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\nyolo: true\naskUserTool: true\nplanTool: true\neditTools: true\n",
		"s.yaml": `
- when: {user: "^say (.*)"}
  reply: [{thought: "hm"}, {text: "$1"}]
- when: {user: "^wait"}
  reply: [{text: begun}, {delay: 300s}, {text: never}]
- when: {user: "^run (.*)"}
  reply: [{text: "running. "}, {call: {name: bash, arguments: {command: "$1"}}}]
- when: {user: "^read"}
  reply: [{call: {name: read_file, arguments: {path: s.yaml}}}, {call: {name: bash, arguments: {command: "true"}}}, {call: {name: ask_user, arguments: {questions: [{question: "Which?", options: [a, b]}]}}}]
- when: {tool: "(?s)(.*)"}
  reply: "read: $1"
- reply: "well."
`,
	}
}

// edit starts mm with an editor that announces o's capabilities, and begins a session.
func (r *required) edit(o acptest.Options) (*acptest.Editor, string) { return edit(r.T, r.dir, o) }

// wire starts mm to write lines to.
func (r *required) wire() *acptest.Wire { return acptest.StartWire(r.T, mm(r.T, r.dir, "-acp")) }

// open starts mm, initializes it without capabilities, and begins a session.
func (r *required) open() (w *acptest.Wire, session string) {
	w = r.wire()
	r.good(w.Call(r.Context(), acp.MethodInitialize, `{"protocolVersion":1,"clientCapabilities":{}}`))
	return w, r.begin(w)
}

func (r *required) begin(w *acptest.Wire) (session string) {
	r.Helper()
	var s acp.NewSessionResponse
	r.decode(w.Call(r.Context(), acp.MethodNewSession, r.params(map[string]any{"cwd": r.dir, "mcpServers": []any{}})), &s)
	if s.SessionID == "" {
		r.Fatal("session/new without a session id")
	}
	return s.SessionID
}

// params is JSON.
func (r *required) params(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		r.Fatal(err)
	}
	return string(b)
}

// prompt is the params of session/prompt.
func (r *required) prompt(session string, blocks ...any) string {
	for i, b := range blocks {
		if text, ok := b.(string); ok {
			blocks[i] = map[string]any{"type": "text", "text": text}
		}
	}
	return r.params(map[string]any{"sessionId": session, "prompt": blocks})
}

// ends sends a prompt and returns its stop reason.
func (r *required) ends(w *acptest.Wire, params string) acp.StopReason {
	r.Helper()
	var p acp.PromptResponse
	r.decode(w.Call(r.Context(), acp.MethodPrompt, params), &p)
	return p.StopReason
}

// good fails the test unless a response is a result.
func (r *required) good(a acptest.Response) acptest.Response {
	r.Helper()
	if a.Error != nil {
		r.Fatalf("error %d: %s", a.Error.Code, a.Error.Message)
	}
	return a
}

func (r *required) decode(a acptest.Response, v any) {
	r.Helper()
	if err := json.Unmarshal(r.good(a).Result, v); err != nil {
		r.Fatal(err)
	}
}

// empty fails the test unless a response is {}.
func (r *required) empty(a acptest.Response) {
	r.Helper()
	if got := string(r.good(a).Result); got != "{}" {
		r.Errorf("the result is %s, want {}", got)
	}
}

// code fails the test unless a response is an error of that code.
func (r *required) code(a acptest.Response, want int64) {
	r.Helper()
	if a.Code() != want {
		r.Errorf("code %d, want %d: %s", a.Code(), want, a.Result)
	}
}

// stopped fails the test unless a turn ended well.
func (r *required) stopped(turn acptest.Turn, err error) acptest.Turn {
	r.Helper()
	if err != nil || turn.StopReason != acp.StopEndTurn {
		r.Errorf("stop reason %q, %v", turn.StopReason, err)
	}
	return turn
}

// begun waits until a session's model has said something.
func begun(ctx context.Context, w *acptest.Wire, session string) {
	w.Checker.Wait(ctx, func(f acptest.Frame) bool {
		return f.FromAgent && strings.Contains(f.Data, session) && strings.Contains(f.Data, acp.UpdateAgentMessage)
	})
}

// after returns the agent's lines behind the response with an id, at the end.
func (r *required) after(w *acptest.Wire, id string) (lines []string) {
	w.Exit(r.Context())
	seen := false
	for _, line := range w.Sent() {
		if seen {
			lines = append(lines, line)
		}
		seen = seen || strings.HasPrefix(line, `{"jsonrpc":"2.0","id":`+id+`,`)
	}
	if !seen {
		r.Fatalf("no response to %s", id)
	}
	return lines
}
