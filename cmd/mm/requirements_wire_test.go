//go:build unix

package main

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// wireRequirements are about lines, JSON-RPC, initialize and the end.
func wireRequirements() []requirement {
	return []requirement{
		{"TRANSPORT-001", mandatory, "each line on stdout is one JSON-RPC message, from the first to the last, also at the end", (*required).lines},
		{"TRANSPORT-002", mandatory, "what is written is UTF-8, also where a tool's output isn't", (*required).utf8},
		{"JSONRPC-001", mandatory, "a response has the request's id exactly as it came: a number, a string, 0, null", (*required).ids},
		{"JSONRPC-002", mandatory, "a response has a result or an error, an error a whole number and a text", (*required).oneOf},
		{"JSONRPC-003", mandatory, "a notification is never answered, not even one that is wrong", (*required).notifications},
		{"JSONRPC-004", advisory, "an unknown method is refused with -32601", (*required).unknownMethod},
		{"JSONRPC-005", advisory, "after a request that fails, the connection serves the next ones", (*required).usable},
		{"INIT-001", mandatory, "`initialize` succeeds with a whole number as `protocolVersion`", (*required).initializes},
		{"INIT-002", mandatory, "version 1 is answered with version 1", (*required).versionOne},
		{"INIT-003", mandatory, "a version that mm doesn't speak (65535) is answered with the one that it does, by a result", (*required).otherVersion},
		{"INIT-004", advisory, "`agentInfo` tells name and version", (*required).info},
		{"SCHEMA-001", mandatory, "every message of a conversation with a tool call and a permission fits the schema", (*required).schema},
		{"SCHEMA-002", advisory, "no message has a name at its root that the schema doesn't know", (*required).schema},
		{"EXT-001", mandatory, "a request whose method begins with `_` gets an answer", (*required).extension},
		{"ERROR-001", advisory, "an error's message is one short line", (*required).errorLine},
		{"SHUTDOWN-001", advisory, "mm exits by itself, soon, when its stdin closes, also in a turn", (*required).shutdown},
	}
}

func (r *required) lines() {
	w, session := r.open()
	r.ends(w, r.prompt(session, "run echo to stdout; echo to stderr >&2"))
	w.Exit(r.Context())
	for _, line := range w.Sent() {
		if !json.Valid([]byte(line)) || line[0] != '{' {
			r.Errorf("not a message: %q", line)
		}
	}
}

func (r *required) utf8() {
	e, id := r.edit(acptest.Options{})
	r.stopped(e.Prompt(r.Context(), id, `run printf 'a\xff\xfe\xe2\x82b'`))
	for _, f := range e.Checker.Frames() {
		if f.FromAgent && !utf8.ValidString(f.Data) {
			r.Errorf("not UTF-8: %q", f.Data)
		}
	}
}

func (r *required) ids() {
	w := r.wire()
	for i, id := range []string{`0`, `7`, `"seven"`, `""`, `"\u00e9 \" \\"`, `9007199254740993`, `-3`, `null`} {
		method, params := "session/list", `{}`
		if i == 0 {
			method, params = "initialize", `{"protocolVersion":1}`
		}
		// CRLF and blank lines are taken as well.
		w.Write("\r\n\n" + `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + "}\r\n")
		r.good(w.Answer(r.Context(), id))
	}
}

func (r *required) oneOf() {
	w, session := r.open()
	r.ends(w, r.prompt(session, "say hi"))
	w.Call(r.Context(), "nonsense", `{}`)
	w.Call(r.Context(), acp.MethodPrompt, `{"sessionId":7}`)
	w.Send(`[]`, `{`)
	w.Answer(r.Context(), "null")
	for _, line := range w.Sent() {
		var m map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			r.Fatal(err)
		}
		if m["method"] != nil {
			continue
		}
		if (m["result"] == nil) == (m["error"] == nil) {
			r.Errorf("neither or both: %s", line)
		}
		var e struct {
			Code    *int64
			Message *string
		}
		if m["error"] != nil && (json.Unmarshal(m["error"], &e) != nil || e.Code == nil || e.Message == nil) {
			r.Errorf("not an error: %s", line)
		}
	}
}

func (r *required) notifications() {
	w, _ := r.open()
	before := len(w.Sent())
	for _, line := range acptest.Silent() {
		w.Send(line)
	}
	w.Send(`{"jsonrpc":"2.0","method":"initialize","params":{}}`, `{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"nobody's"}}`,
		`{"jsonrpc":"2.0","method":"_mine/thing","params":[]}`)
	r.good(w.Call(r.Context(), acp.MethodListSessions, `{}`))
	w.Exit(r.Context())
	for _, line := range w.Sent()[before:] {
		if strings.Contains(line, `"error"`) {
			r.Errorf("a notification was answered: %s", line)
		}
	}
}

func (r *required) unknownMethod() {
	w, _ := r.open()
	for _, method := range []string{"nonsense", "session/fork", "fs/read_text_file", "logout"} {
		r.code(w.Call(r.Context(), method, `{}`), acp.CodeMethodNotFound)
	}
}

func (r *required) usable() {
	w := r.wire()
	r.code(w.Call(r.Context(), acp.MethodNewSession, `{"cwd":"/","mcpServers":[]}`), acp.CodeInvalidRequest)
	r.code(w.Call(r.Context(), acp.MethodInitialize, `{"protocolVersion":"2025-06-18"}`), acp.CodeInvalidParams)
	r.code(w.Call(r.Context(), acp.MethodNewSession, `{"cwd":"/","mcpServers":[]}`), acp.CodeInvalidRequest)
	r.good(w.Call(r.Context(), acp.MethodInitialize, `{"protocolVersion":1}`))
	for _, params := range []string{`{}`, `{"cwd":7,"mcpServers":[]}`, `{"cwd":"relative","mcpServers":[]}`, `{"cwd":"/","mcpServers":[{"name":"x"}]}`,
		`{"cwd":"/","mcpServers":[{"name":"x","command":"/x","args":"no","env":[]}]}`, `[]`, `"x"`} {
		r.code(w.Call(r.Context(), acp.MethodNewSession, params), acp.CodeInvalidParams)
	}
	session := r.begin(w)
	r.code(w.Call(r.Context(), acp.MethodPrompt, r.prompt("nobody's", "say hi")), acp.CodeNotFound)
	if got := r.ends(w, r.prompt(session, "say hi")); got != acp.StopEndTurn {
		r.Errorf("stop reason %q", got)
	}
}

func (r *required) version(params string) int {
	var v struct {
		ProtocolVersion *int `json:"protocolVersion"`
	}
	r.decode(r.wire().Call(r.Context(), acp.MethodInitialize, params), &v)
	if v.ProtocolVersion == nil {
		r.Fatal("no protocolVersion")
	}
	return *v.ProtocolVersion
}

// initializes also is the registry's check: an empty home, no terminal to speak of, and no agent
// file; the first line of stdout is the answer, and names an agent-type method.
func (r *required) initializes() {
	r.version(`{"protocolVersion":1}`)
	dir := r.TempDir()
	cmd := mm(r.T, dir, "-acp")
	cmd.Env = append(cmd.Env, "TERM=dumb", "XDG_CONFIG_HOME=", "XDG_STATE_HOME=", "MM_CONFIG=", "MM_API_KEY=", "MM_BASE_URL=")
	w := acptest.StartWire(r.T, cmd)
	r.good(w.Call(r.Context(), acp.MethodInitialize,
		`{"protocolVersion":1,"clientCapabilities":{"fs":{"readTextFile":true,"writeTextFile":true},"terminal":true}}`))
	var first struct{ Result acp.InitializeResponse }
	if err := json.Unmarshal([]byte(w.Sent()[0]), &first); err != nil {
		r.Fatal(err)
	}
	if m := first.Result.AuthMethods; len(m) == 0 || m[0].Type != "" || m[0].ID == "" {
		r.Errorf("the first line has no agent-type method: %s", w.Sent()[0])
	}
}

func (r *required) versionOne() {
	if got := r.version(`{"protocolVersion":1,"clientInfo":{"name":"a","version":"1"}}`); got != 1 {
		r.Errorf("version %d", got)
	}
}

func (r *required) otherVersion() {
	for _, v := range []string{"65535", "2", "0"} {
		if got := r.version(`{"protocolVersion":` + v + `}`); got != 1 {
			r.Errorf("%s was answered with %d", v, got)
		}
	}
}

func (r *required) info() {
	e := acptest.Start(r.T, mm(r.T, r.dir, "-acp"), acptest.Options{})
	if i := e.Initialize(r.Context()).AgentInfo; i == nil || i.Name != "mm" || i.Version == "" {
		r.Errorf("%+v", i)
	}
}

func (r *required) schema() {
	if _, _, ok := acptest.FindSchema(); !ok {
		r.Skip(acptest.NoSchema)
	}
	e, id := r.edit(acptest.Options{Capabilities: acp.ClientCapabilities{
		Session:     &acp.ClientSessionCapabilities{Notices: &acp.Capability{}, Compaction: &acp.Capability{}},
		Elicitation: &acp.ElicitationCapabilities{Form: &acp.Capability{}},
	}})
	r.mode(e, id, "ask")
	for _, text := range []string{"say hi", "run echo hi", "read", "/help", "/plan", "/nonsense"} {
		r.stopped(e.Prompt(r.Context(), id, text))
	}
	if len(e.Asked()) == 0 {
		r.Error("nothing was asked")
	}
	e.CloseSession(r.Context(), id)
	e.LoadSession(r.Context(), id, r.dir, true)
}

func (r *required) extension() {
	w, _ := r.open()
	r.code(w.Call(r.Context(), "_example/thing", `{"a":1}`), acp.CodeMethodNotFound)
}

func (r *required) errorLine() {
	w, session := r.open()
	w.Call(r.Context(), "no\\nsense", `{}`)
	w.Call(r.Context(), acp.MethodNewSession, r.params(map[string]any{"cwd": "/no\nwhere", "mcpServers": []any{}}))
	w.Call(r.Context(), acp.MethodLoadSession, r.params(map[string]any{"cwd": r.dir, "sessionId": "no\nbody's", "mcpServers": []any{}}))
	w.Call(r.Context(), acp.MethodSetMode, r.params(map[string]any{"sessionId": session, "modeId": strings.Repeat("long\n", 1000)}))
	errors := 0
	for _, line := range w.Sent() {
		var a acptest.Response
		if json.Unmarshal([]byte(line), &a) != nil || a.Error == nil {
			continue
		}
		errors++
		if m := a.Error.Message; m == "" || len(m) > 1000 || strings.ContainsAny(m, "\r\n") {
			r.Errorf("not a short line: %q", m)
		}
	}
	if errors != 4 {
		r.Errorf("%d errors, want 4", errors)
	}
}

// soon is long for an exit, and short for a person who waits for one.
const soon = 2 * time.Second

func (r *required) shutdown() {
	for _, text := range []string{"say hi", "wait", "run exec sleep 300", "ask"} {
		w, session := r.open()
		if text == "ask" {
			text = "run echo hi"
			r.good(w.Call(r.Context(), acp.MethodSetMode, r.params(map[string]any{"sessionId": session, "modeId": "ask"})))
		}
		w.Begin(acp.MethodPrompt, r.prompt(session, text))
		begun(r.Context(), w, session)
		if took := w.Exit(r.Context()); took > soon {
			r.Errorf("%s: the end took %v", text, took)
		}
	}
}
