//go:build unix

package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/mmtest"
	"github.com/mini-me/mm/internal/proc"
)

// folder makes a folder with the given files, and returns it.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	return mmtest.Folder(t, files)
}

// mm is the test binary as mm, in a folder, with a home of its own.
func mm(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := proc.Self()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Args[0] = "mm"
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "MM_TEST_MAIN=1",
		"GORACE=atexit_sleep_ms=0") // the race detector would add a second to each end
	return cmd
}

// edit starts mm -acp in a folder with an editor at its side.
func edit(t *testing.T, dir string, o acptest.Options) (*acptest.Editor, string) {
	t.Helper()
	e := acptest.Start(t, mm(t, dir, "-acp"), o)
	e.Initialize(t.Context())
	return e, e.NewSession(t.Context(), dir).SessionID
}

// teamFiles is a lead who asks jan, who calls bash or asks homer, who calls bash.
func teamFiles(yolo string) map[string]string {
	return map[string]string{
		"mm.yaml":    "provider: scripted\nscript: lead.yaml\nyolo: " + yolo + "\nmmConfigs: {jan: jan.yaml}\n",
		"jan.yaml":   "provider: scripted\nscript: jan.s.yaml\nmmConfigs: {homer: homer.yaml}\n",
		"homer.yaml": "provider: scripted\nscript: homer.s.yaml\n",
		"lead.yaml": `
- when: {user: "^let jan (.*)"}
  reply:
    - text: "asking "
    - call: {name: ask_agent, arguments: {agent: jan, prompt: "$1"}}
- when: {user: "^run (.*)"}
  reply:
    - call: {name: bash, arguments: {command: "$1"}}
- when: {tool: "(?s)(.*)"}
  reply: "lead: $1"
`,
		"jan.s.yaml": `
- when: {user: "^homer (.*)"}
  reply:
    - text: "jan asks. "
    - call: {name: ask_agent, arguments: {agent: homer, prompt: "$1"}}
- when: {user: "(?s)(.*)"}
  reply:
    - text: "jan looks. "
    - call: {name: bash, arguments: {command: "$1"}}
- when: {tool: "(?s)(.*)"}
  reply: "jan: $1"
`,
		"homer.s.yaml": `
- when: {user: "(?s)(.*)"}
  reply:
    - text: "homer works. "
    - call: {name: bash, arguments: {command: "$1"}}
- when: {tool: "(?s)(.*)"}
  reply: "homer: $1"
`,
	}
}

func TestACPDelegationWithSubagents(t *testing.T) {
	dir := folder(t, teamFiles("false"))
	e, id := edit(t, dir, acptest.Options{Capabilities: acp.ClientCapabilities{Subagents: &acp.Capability{}}})
	turn, err := e.Prompt(t.Context(), id, "let jan homer echo hi")
	if err != nil {
		t.Fatal(err)
	}
	if turn.StopReason != acp.StopEndTurn || turn.Text != "asking lead: jan: homer: hi\n" {
		t.Errorf("%s: %q", turn.StopReason, turn.Text)
	}
	var keys []string
	for _, r := range e.Asked() {
		var m acp.PermissionMeta
		r.Meta.Get(acp.MetaKey, &m)
		keys = append(keys, m.Key)
		if len(r.Options) != 4 {
			t.Errorf("%d options for %s, want four", len(r.Options), m.Key)
		}
	}
	if got := strings.Join(keys, " "); got != "ask_agent jan/ask_agent jan/homer/bash" {
		t.Errorf("asked about %q", got)
	}
	// jan and homer have sessions of their own, and their texts stay in them.
	subs := map[string]string{}
	for _, u := range turn.Updates {
		if u.Kind == acp.UpdateSubagent {
			var s acp.SubagentUpdate
			if err := u.Decode(&s); err != nil {
				t.Fatal(err)
			}
			if s.Title.Value != nil {
				subs[*s.Title.Value] = s.SessionID
			}
		}
	}
	if len(subs) != 2 || subs["jan"] == "" || subs["homer"] == "" {
		t.Errorf("sub-agent sessions: %v", subs)
	}
}

func TestACPDelegationWithoutSubagents(t *testing.T) {
	dir := folder(t, teamFiles("false"))
	e, id := edit(t, dir, acptest.Options{})
	turn, err := e.Prompt(t.Context(), id, "let jan echo hi")
	if err != nil {
		t.Fatal(err)
	}
	if turn.Text != "asking lead: jan: hi\n" {
		t.Errorf("jan's words must not stand among the lead's: %q", turn.Text)
	}
	var titles []string
	for _, u := range turn.Updates {
		if u.SessionID != id {
			t.Errorf("an update for the session %s, which the editor doesn't know", u.SessionID)
		}
		if u.Kind == acp.UpdateToolCall {
			var c acp.ToolCall
			if err := u.Decode(&c); err != nil {
				t.Fatal(err)
			}
			titles = append(titles, c.Title)
		}
	}
	if got := strings.Join(titles, "; "); got != "ask_agent: jan — echo hi; jan · echo hi" {
		t.Errorf("titles %q", got)
	}
}

func TestACPRejectAndRemember(t *testing.T) {
	dir := folder(t, teamFiles("false"))
	kind := acp.RejectOnce
	e, id := edit(t, dir, acptest.Options{Permission: func(_ context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		return acptest.Choose(r, kind)
	}})
	turn, err := e.Prompt(t.Context(), id, "run echo hi >made")
	if err != nil || turn.Text != "lead: [command rejected by the user]" {
		t.Errorf("%q %v", turn.Text, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "made")); err == nil {
		t.Error("a refused command ran")
	}
	kind = acp.AllowAlways
	for range 2 {
		if turn, err = e.Prompt(t.Context(), id, "run echo hi"); err != nil || turn.Text != "lead: hi\n" {
			t.Errorf("%q %v", turn.Text, err)
		}
	}
	if n := len(e.Asked()); n != 2 {
		t.Errorf("asked %d times, want 2: allowed for the session is remembered", n)
	}
	// Another session of the same connection remembers nothing.
	other := e.NewSession(t.Context(), dir).SessionID
	if _, err := e.Prompt(t.Context(), other, "run echo hi"); err != nil {
		t.Error(err)
	}
	if n := len(e.Asked()); n != 3 {
		t.Errorf("asked %d times, want 3", n)
	}
}

func TestACPCancelReachesTheGrandchild(t *testing.T) {
	dir := folder(t, teamFiles("true"))
	e, id := edit(t, dir, acptest.Options{})
	type result struct {
		turn acptest.Turn
		err  error
	}
	done := make(chan result, 1)
	fifo := filepath.Join(dir, "fifo")
	mkfifo(t, fifo)
	go func() {
		turn, err := e.Prompt(t.Context(), id, "let jan homer echo $$ >fifo; exec sleep 300")
		done <- result{turn, err}
	}()
	pid := readPid(t, fifo)
	e.Cancel(t.Context(), id)
	r := <-done
	if r.err != nil || r.turn.StopReason != acp.StopCancelled {
		t.Errorf("%s %v", r.turn.StopReason, r.err)
	}
	waitGone(t, pid)
	// The warm children are reused.
	turn, err := e.Prompt(t.Context(), id, "let jan homer echo again")
	if err != nil || turn.Text != "asking lead: jan: homer: again\n" {
		t.Errorf("%q %v", turn.Text, err)
	}
}

func TestACPCancelRightBehindThePrompt(t *testing.T) {
	dir := folder(t, map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\n",
		"s.yaml":  "- reply: [{delay: 300s}, {text: never}]\n",
	})
	e, id := edit(t, dir, acptest.Options{})
	for i := range 20 {
		done := make(chan acp.StopReason, 1)
		go func() {
			turn, err := e.Prompt(t.Context(), id, "go")
			if err != nil {
				t.Error(err)
			}
			done <- turn.StopReason
		}()
		sent := 0
		e.Checker.Wait(t.Context(), func(f acptest.Frame) bool {
			if !f.FromAgent && strings.Contains(f.Data, acp.MethodPrompt) {
				sent++
			}
			return sent > i
		})
		e.Cancel(t.Context(), id)
		if got := <-done; got != acp.StopCancelled {
			t.Fatalf("stop reason %q", got)
		}
	}
}

// TestACPNewPromptCancelsTheOld: the second prompt ends the first as cancelled, then runs.
func TestACPNewPromptCancelsTheOld(t *testing.T) {
	dir := folder(t, map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\n",
		"s.yaml":  "- when: {user: first}\n  reply: [{text: begun}, {delay: 300s}]\n- reply: second answer\n",
	})
	e, id := edit(t, dir, acptest.Options{})
	first := make(chan acp.StopReason, 1)
	go func() {
		turn, err := e.Prompt(t.Context(), id, "first")
		if err != nil {
			t.Error(err)
		}
		first <- turn.StopReason
	}()
	e.WaitUpdate(t.Context(), func(u acp.SessionUpdate) bool { return u.Kind == acp.UpdateAgentMessage })
	turn, err := e.Prompt(t.Context(), id, "second")
	if err != nil || turn.StopReason != acp.StopEndTurn || !strings.HasSuffix(turn.Text, "second answer") {
		t.Errorf("%+v %v", turn.Text, err)
	}
	if got := <-first; got != acp.StopCancelled {
		t.Errorf("the first ended with %q", got)
	}
}

// TestACPFailuresCanBeTold: what ends a child's turn crosses ACP with a code (supplement 16).
func TestACPFailuresCanBeTold(t *testing.T) {
	for name, c := range map[string]struct {
		file, script string
		code         int64
		where        string
	}{
		"watchdog": {"watchdogTimeout: 1s\n", "- reply: [{delay: 300s}]\n", acp.CodeWatchdog, "watchdog"},
		"loop":     {"", "- reply: [{call: {name: bash, arguments: {command: echo same}}}]\n", acp.CodeLoop, "generation"},
		"model":    {"", "- reply: [{error: {status: 400, message: no}}]\n", acp.CodeModel, "generation"},
		"empty":    {"", "- reply: [{thought: hm}]\n", acp.CodeEmptyTurn, "generation"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{"mm.yaml": "provider: scripted\nscript: s.yaml\n" + c.file, "s.yaml": c.script})
			e, id := edit(t, dir, acptest.Options{})
			_, err := e.Prompt(t.Context(), id, "go")
			got := e.ErrorOf(err)
			if got == nil || got.Code != c.code || got.Data == nil || !strings.Contains(string(*got.Data), `"where":"`+c.where+`"`) {
				t.Errorf("got %+v (%v), want code %d where %s", got, err, c.code, c.where)
			}
		})
	}
}

func TestACPBeforeInitializeAndUnknown(t *testing.T) {
	dir := folder(t, teamFiles("true"))
	e := acptest.Start(t, mm(t, dir, "-acp"), acptest.Options{})
	var got acp.NewSessionResponse
	if err := e.Conn.Call(t.Context(), acp.MethodNewSession, acp.NewSessionRequest{Cwd: dir}, &got); acp.ErrorCode(err) != acp.CodeInvalidRequest {
		t.Errorf("session/new before initialize: %v", err)
	}
	info := e.Initialize(t.Context())
	if info.ProtocolVersion != 1 || len(info.AuthMethods) != 1 || info.AgentInfo == nil || info.AgentInfo.Name != "mm" {
		t.Errorf("%+v", info)
	}
	if err := e.Conn.Call(t.Context(), "_test/unknown", nil, nil); acp.ErrorCode(err) != acp.CodeMethodNotFound {
		t.Errorf("unknown method: %v", err)
	}
	if _, err := e.Prompt(t.Context(), "nope", "x"); acp.ErrorCode(err) != acp.CodeNotFound {
		t.Errorf("unknown session: %v", err)
	}
	id := e.NewSession(t.Context(), dir).SessionID
	e.CloseSession(t.Context(), id)
	if _, err := e.Prompt(t.Context(), id, "x"); acp.ErrorCode(err) != acp.CodeNotFound {
		t.Errorf("closed session: %v", err)
	}
}

// TestACPCloseRightBehindNew: what greets a session comes before the answer to its end, or not at all.
func TestACPCloseRightBehindNew(t *testing.T) {
	dir := folder(t, teamFiles("true"))
	e, _ := edit(t, dir, acptest.Options{})
	for range 200 {
		e.CloseSession(t.Context(), e.NewSession(t.Context(), dir).SessionID)
	}
}

// TestACPBadFile: the file is read before initialize; its faults go to stderr, exit 2.
func TestACPBadFile(t *testing.T) {
	dir := folder(t, map[string]string{"mm.yaml": "provder: scripted\n"})
	cmd := mm(t, dir, "-acp")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), `mm.yaml:1:1: unknown key "provder" — did you mean "provider"?`) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestACPQuestions: a form of this agent and of one two levels down, as an elicitation, as dialogs,
// and where neither can be.
func TestACPQuestions(t *testing.T) {
	files := teamFiles("true")
	files["homer.s.yaml"] = `
- when: {user: "^choice"}
  reply: [{call: {name: ask_user, arguments: {questions: [{question: "Which?", options: [a, b]}, {question: "Sure?", type: confirm}]}}}]
- when: {user: "^text"}
  reply: [{call: {name: ask_user, arguments: {questions: [{question: "Why?"}]}}}]
- when: {tool: "(?s)(.*)"}
  reply: "homer: $1"
`
	files["lead.yaml"] = files["homer.s.yaml"] + files["lead.yaml"]
	files["lead.yaml"] = strings.Replace(files["lead.yaml"], "- when: {tool: \"(?s)(.*)\"}\n  reply: \"homer: $1\"\n", "", 1)
	dir := folder(t, files)
	forms := acp.ClientCapabilities{Elicitation: &acp.ElicitationCapabilities{Form: &acp.Capability{}}, Subagents: &acp.Capability{}}
	var asked []string
	elicit := func(_ context.Context, r acp.ElicitRequest) acp.ElicitResponse {
		content := map[string]json.RawMessage{}
		for _, p := range r.RequestedSchema.Properties {
			asked = append(asked, p.Title)
			switch p.Type {
			case "boolean":
				content[p.Key] = json.RawMessage("false")
			default:
				content[p.Key] = json.RawMessage(`"b"`)
			}
		}
		return acp.ElicitResponse{Action: acp.ElicitAccept, Content: content}
	}
	e, id := edit(t, dir, acptest.Options{Capabilities: forms, Elicit: elicit})
	turn, err := e.Prompt(t.Context(), id, "choice")
	if err != nil || turn.Text != "lead: The user answered:\n- Which? → b\n- Sure? → no" {
		t.Errorf("%q %v", turn.Text, err)
	}
	asked = nil
	turn, err = e.Prompt(t.Context(), id, "let jan homer choice")
	if err != nil || turn.Text != "asking lead: jan: homer: The user answered:\n- Which? → b\n- Sure? → no" {
		t.Errorf("%q %v", turn.Text, err)
	}
	if got := strings.Join(asked, "; "); got != "jan asks: homer asks: Which?; jan asks: homer asks: Sure?" {
		t.Errorf("asked %q", got)
	}

	// Without forms: dialogs whose buttons are the options.
	var buttons []string
	e, id = edit(t, dir, acptest.Options{Permission: func(_ context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		for _, o := range r.Options {
			buttons = append(buttons, o.Name)
		}
		return acp.Selected(r.Options[1].OptionID)
	}})
	turn, err = e.Prompt(t.Context(), id, "choice")
	if err != nil || turn.Text != "lead: The user answered:\n- Which? → b\n- Sure? → no" {
		t.Errorf("%q %v", turn.Text, err)
	}
	if got := strings.Join(buttons, " "); got != "a b Decline Yes No Decline" {
		t.Errorf("buttons %q", got)
	}
	turn, err = e.Prompt(t.Context(), id, "text")
	if err != nil || !strings.HasPrefix(turn.Text, "lead: [the user cannot be asked in this mode") {
		t.Errorf("%q %v", turn.Text, err)
	}
}

// TestACPAnswersAreChecked: a client's answers that the form didn't offer don't reach the model.
func TestACPAnswersAreChecked(t *testing.T) {
	files := teamFiles("true")
	files["lead.yaml"] = `
- when: {user: go}
  reply: [{call: {name: ask_user, arguments: {questions: [{question: "Which?", options: [a, b]}, {question: "Sure?", type: confirm}, {question: "Many?", type: multi, options: [a, b, c]}]}}}]
- when: {tool: "(?s)(.*)"}
  reply: "$1"
`
	const declined = "[the user declined to answer: do not ask the same thing again; go on without it or stop]"
	var content map[string]json.RawMessage
	dir := folder(t, files)
	e, _ := edit(t, dir, acptest.Options{
		Capabilities: acp.ClientCapabilities{Elicitation: &acp.ElicitationCapabilities{Form: &acp.Capability{}}},
		Elicit: func(context.Context, acp.ElicitRequest) acp.ElicitResponse {
			return acp.ElicitResponse{Action: acp.ElicitAccept, Content: content}
		},
	})
	for _, c := range []struct{ which, sure, many, want string }{
		{`"b"`, `true`, `["a","c"]`, "The user answered:\n- Which? → b\n- Sure? → yes\n- Many? → a, c"},
		{`"my own"`, `"oui"`, `["b"]`, "The user answered:\n- Which? → my own\n- Sure? → yes\n- Many? → b"},
		{`"b"`, `true`, `["zz"]`, declined},
		{`"b"`, `true`, `["a","zz"]`, declined},
		{`"b"`, `true`, `[]`, declined},
		{`"b"`, `true`, `true`, declined},
		{`"b"`, `"perhaps"`, `["a"]`, declined},
		{`true`, `true`, `["a"]`, declined},
		{`["a"]`, `true`, `["a"]`, declined},
		{`" "`, `true`, `["a"]`, declined},
	} {
		content = map[string]json.RawMessage{"q1": json.RawMessage(c.which), "q2": json.RawMessage(c.sure), "q3": json.RawMessage(c.many)}
		id := e.NewSession(t.Context(), dir).SessionID
		if turn, err := e.Prompt(t.Context(), id, "go"); err != nil || turn.Text != c.want {
			t.Errorf("%s %s %s: %q %v", c.which, c.sure, c.many, turn.Text, err)
		}
	}
}

// TestACPSessionsGoOn: a session is listed, loaded with all that was said, resumed without, deleted.
func TestACPSessionsGoOn(t *testing.T) {
	files := teamFiles("true")
	files["lead.yaml"] = "- when: {user: second}\n  reply: second answer\n" + files["lead.yaml"]
	dir := folder(t, files)
	e, id := edit(t, dir, acptest.Options{})
	if _, err := e.Prompt(t.Context(), id, "run echo hi"); err != nil {
		t.Fatal(err)
	}
	var list acp.ListSessionsResponse
	must(t, e.Conn.Call(t.Context(), acp.MethodListSessions, acp.ListSessionsRequest{Cwd: dir}, &list))
	if len(list.Sessions) != 1 || list.Sessions[0].SessionID != id || list.Sessions[0].Title != "run echo hi" {
		t.Errorf("%+v", list)
	}
	must(t, e.Conn.Call(t.Context(), acp.MethodListSessions, acp.ListSessionsRequest{Cwd: "/elsewhere"}, &list))
	if len(list.Sessions) != 0 {
		t.Errorf("%+v", list)
	}
	if err := e.Conn.Call(t.Context(), acp.MethodListSessions, acp.ListSessionsRequest{Cursor: "x"}, nil); acp.ErrorCode(err) != acp.CodeInvalidParams {
		t.Errorf("a bad cursor: %v", err)
	}
	e.CloseSession(t.Context(), id)

	// Another process loads it.
	e, _ = edit(t, dir, acptest.Options{})
	e.LoadSession(t.Context(), id, dir, true)
	var kinds []string
	for _, u := range e.Updates(id) {
		if u.Kind != acp.UpdateAvailableCommands {
			kinds = append(kinds, u.Kind)
		}
	}
	if got := strings.Join(kinds, " "); got != "user_message_chunk tool_call agent_message_chunk" {
		t.Errorf("replayed %q", got)
	}
	turn, err := e.Prompt(t.Context(), id, "second")
	if err != nil || turn.Text != "second answer" {
		t.Errorf("%q %v", turn.Text, err)
	}
	e.CloseSession(t.Context(), id)
	e.LoadSession(t.Context(), id, dir, false)
	must(t, e.Conn.Call(t.Context(), acp.MethodDeleteSession, acp.SessionRequest{SessionID: id}, nil))
	must(t, e.Conn.Call(t.Context(), acp.MethodDeleteSession, acp.SessionRequest{SessionID: id}, nil))
	if err := e.Conn.Call(t.Context(), acp.MethodLoadSession, acp.LoadSessionRequest{SessionID: id, Cwd: dir}, nil); acp.ErrorCode(err) != acp.CodeNotFound {
		t.Errorf("a deleted session: %v", err)
	}
}

// TestACPDeleteWithAsked: what agents asked in a session kept goes with it, two levels down; that of
// another session stays.
func TestACPDeleteWithAsked(t *testing.T) {
	dir := folder(t, teamFiles("true"))
	for range 2 {
		if out, err := mm(t, dir, "-p", "let jan homer echo hi").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	files := func() int {
		list, err := filepath.Glob(filepath.Join(dir, ".local", "state", "mm", "sessions", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if n := files(); n != 6 {
		t.Fatalf("%d sessions are kept, want 6", n)
	}
	e, _ := edit(t, dir, acptest.Options{})
	var list acp.ListSessionsResponse
	must(t, e.Conn.Call(t.Context(), acp.MethodListSessions, acp.ListSessionsRequest{Cwd: dir}, &list))
	if len(list.Sessions) != 2 {
		t.Fatalf("%+v", list)
	}
	must(t, e.Conn.Call(t.Context(), acp.MethodDeleteSession, acp.SessionRequest{SessionID: list.Sessions[0].SessionID}, nil))
	if n := files(); n != 3 {
		t.Errorf("%d sessions are left, want the other one's 3", n)
	}
	out, err := mm(t, dir, "sessions", "delete", list.Sessions[1].SessionID).CombinedOutput()
	if err != nil || !strings.Contains(string(out), " and 2 session(s) of asked agents") || files() != 0 {
		t.Errorf("%v: %s, %d sessions are left", err, out, files())
	}
}

func TestACPModes(t *testing.T) {
	dir := folder(t, teamFiles("false"))
	e, _ := edit(t, dir, acptest.Options{})
	s := e.NewSession(t.Context(), dir)
	if s.Modes == nil || s.Modes.CurrentModeID != "ask" || len(s.Modes.AvailableModes) != 2 || len(s.ConfigOptions) == 0 || s.ConfigOptions[0].Value != "ask" {
		t.Errorf("%+v", s)
	}
	must(t, e.Conn.Call(t.Context(), acp.MethodSetMode, acp.SetModeRequest{SessionID: s.SessionID, ModeID: "yolo"}, nil))
	if turn, err := e.Prompt(t.Context(), s.SessionID, "run echo hi"); err != nil || turn.Text != "lead: hi\n" || len(e.Asked()) != 0 {
		t.Errorf("%q %v, asked %d times", turn.Text, err, len(e.Asked()))
	}
	var resp acp.SetConfigOptionResponse
	must(t, e.Conn.Call(t.Context(), acp.MethodSetConfigOption, acp.SetConfigOptionRequest{SessionID: s.SessionID, ConfigID: "mode", Value: "ask"}, &resp))
	if len(resp.ConfigOptions) == 0 || resp.ConfigOptions[0].Value != "ask" {
		t.Errorf("%+v", resp)
	}
	if _, err := e.Prompt(t.Context(), s.SessionID, "run echo hi"); err != nil || len(e.Asked()) != 1 {
		t.Errorf("%v, asked %d times", err, len(e.Asked()))
	}
	for _, err := range []error{
		e.Conn.Call(t.Context(), acp.MethodSetMode, acp.SetModeRequest{SessionID: s.SessionID, ModeID: "no"}, nil),
		e.Conn.Call(t.Context(), acp.MethodSetConfigOption, acp.SetConfigOptionRequest{SessionID: s.SessionID, ConfigID: "no", Value: "ask"}, nil),
		e.Conn.Call(t.Context(), acp.MethodSetConfigOption, acp.SetConfigOptionRequest{SessionID: s.SessionID, ConfigID: "mode", Value: "no"}, nil),
	} {
		if acp.ErrorCode(err) != acp.CodeInvalidParams {
			t.Errorf("%v", err)
		}
	}
}

// teamSays is what comes of a prompt for a lead who does it, lets jan do it, or lets jan let homer do it.
var teamSays = map[string]string{"": "lead: ", "let jan ": "lead: jan: ", "let jan homer ": "lead: jan: homer: "}

// fileTeam is a team with the file tools, all of whom can do the same.
func fileTeam(yolo, script string) map[string]string {
	files := teamFiles(yolo)
	for who, file := range map[string]string{"lead": "lead.yaml", "jan": "jan.s.yaml", "homer": "homer.s.yaml"} {
		files[file] = `
- when: {user: "^let jan (.*)"}
  reply: [{call: {name: ask_agent, arguments: {agent: jan, prompt: "$1"}}}]
- when: {user: "^homer (.*)"}
  reply: [{call: {name: ask_agent, arguments: {agent: homer, prompt: "$1"}}}]
` + script + `
- when: {tool: "(?s)(.*)"}
  reply: "` + who + `: $1"
`
	}
	for _, file := range []string{"mm.yaml", "jan.yaml", "homer.yaml"} {
		files[file] += "editTools: true\n"
	}
	files["a.txt"] = "saved\n"
	return files
}

// TestACPEditorsFiles: unsaved buffers are read, and what is written goes through the editor, also
// what asked agents read and write.
func TestACPEditorsFiles(t *testing.T) {
	dir := folder(t, fileTeam("true", `
- when: {user: edit}
  reply: [{call: {name: edit_file, arguments: {path: a.txt, edits: [{old: unsaved, new: changed}]}}}]`))
	buffer := &mmtest.Buffer{}
	var path string
	e, id := edit(t, dir, acptest.Options{
		Capabilities: acp.ClientCapabilities{FS: acp.FSCapabilities{ReadTextFile: true, WriteTextFile: true}},
		Serve: func(_ context.Context, method string, params json.RawMessage) (any, error) {
			switch method {
			case acp.MethodReadTextFile:
				return acp.ReadTextFileResponse{Content: buffer.String()}, nil
			case acp.MethodWriteTextFile:
				var w acp.WriteTextFileRequest
				err := acp.DecodeParams(params, &w)
				buffer.Set(w.Content)
				path = w.Path
				return acp.Empty{}, err
			}
			return nil, acp.MethodNotFound(method)
		},
	})
	for to, says := range teamSays {
		buffer.Set("unsaved\n")
		turn, err := e.Prompt(t.Context(), id, to+"edit")
		if err != nil || !strings.Contains(turn.Text, says) || !strings.Contains(turn.Text, "1 edit") {
			t.Errorf("%sedit: %q %v", to, turn.Text, err)
		}
		if buffer.String() != "changed\n" || path != filepath.Join(dir, "a.txt") {
			t.Errorf("%sedit: wrote %q to %s", to, buffer, path)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "a.txt")); string(b) != "saved\n" {
		t.Errorf("the file on disk was changed behind the editor's back: %q", b)
	}
}

// TestACPEditorRefusesFiles: what the editor doesn't give isn't read from the disk behind its back,
// nor by an asked agent; only its "not found" means that a file isn't there.
func TestACPEditorRefusesFiles(t *testing.T) {
	dir := folder(t, fileTeam("true", `
- when: {user: read}
  reply: [{call: {name: read_file, arguments: {path: a.txt}}}]
- when: {user: edit}
  reply: [{call: {name: edit_file, arguments: {path: a.txt, edits: [{old: saved, new: word}]}}}]
- when: {user: write}
  reply: [{call: {name: write_file, arguments: {path: a.txt, content: new}}}]`))
	var refusal error
	var answer any
	wrote := false
	e, id := edit(t, dir, acptest.Options{
		Capabilities: acp.ClientCapabilities{FS: acp.FSCapabilities{ReadTextFile: true, WriteTextFile: true}},
		Serve: func(_ context.Context, method string, _ json.RawMessage) (any, error) {
			if method == acp.MethodReadTextFile {
				return answer, refusal
			}
			wrote = true
			return acp.Empty{}, nil
		},
	})
	for to, says := range teamSays {
		wrote = false
		for _, c := range []struct {
			prompt, want string
			refusal      error
		}{
			{"read", "cannot read a.txt: the editor did not read it: Permission denied", acp.NewError(acp.CodeAuthRequired, "Permission denied", nil)},
			{"read", "cannot read a.txt: the editor did not read it: Internal error: not yours", acp.NewError(acp.CodeInternal, "Internal error", map[string]string{"details": "not yours"})},
			{"edit", "cannot edit a.txt: the editor did not read it: No", acp.NewError(acp.CodeInvalidParams, "No", nil)},
			{"write", "cannot write a.txt: the editor did not read it: No", acp.NewError(acp.CodeInvalidParams, "No", nil)},
			{"read", "a.txt does not exist. Create it with write_file", acp.FileNotFound("a.txt")},
		} {
			refusal = c.refusal
			if turn, err := e.Prompt(t.Context(), id, to+c.prompt); err != nil || !strings.HasSuffix(turn.Text, says+c.want) || wrote {
				t.Errorf("%s%s: %q %v, written: %v", to, c.prompt, turn.Text, err, wrote)
			}
		}
		refusal = acp.FileNotFound("a.txt")
		if turn, err := e.Prompt(t.Context(), id, to+"write"); err != nil || !wrote {
			t.Errorf("a new file wasn't made: %q %v", turn.Text, err)
		}
	}
	refusal, answer = nil, acp.ReadTextFileResponse{Content: strings.Repeat("text\n", 11<<20/5)}
	if turn, err := e.Prompt(t.Context(), id, "read"); err != nil || !strings.Contains(turn.Text, "take up to 10 MiB") {
		t.Errorf("a file of 11 MiB: %q %v", turn.Text[:min(len(turn.Text), 300)], err)
	}
}

// TestACPFurtherFolders: the further folders of a session belong to the work of its agents, too.
func TestACPFurtherFolders(t *testing.T) {
	dir, further := folder(t, fileTeam("true", `
- when: {user: "^where", system: "Further folders of this work: (.*)"}
  reply: "in $1"`)), t.TempDir()
	e := acptest.Start(t, mm(t, dir, "-acp"), acptest.Options{})
	e.Initialize(t.Context())
	var s acp.NewSessionResponse
	must(t, e.Conn.Call(t.Context(), acp.MethodNewSession, acp.NewSessionRequest{Cwd: dir, AdditionalDirectories: []string{further}}, &s))
	for to := range teamSays {
		if turn, err := e.Prompt(t.Context(), s.SessionID, to+"where"); err != nil || !strings.HasSuffix(turn.Text, "in "+further) {
			t.Errorf("%swhere: %q %v", to, turn.Text, err)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestACPLoadsAnEmptySession: a session in which nothing was said yet was gone after session/load.
func TestACPLoadsAnEmptySession(t *testing.T) {
	dir := folder(t, teamFiles("true"))
	e, id := edit(t, dir, acptest.Options{})
	for _, replay := range []bool{true, false} {
		e.LoadSession(t.Context(), id, dir, replay)
	}
	if turn, err := e.Prompt(t.Context(), id, "run echo here"); err != nil || turn.Text != "lead: here\n" {
		t.Errorf("%q, %v", turn.Text, err)
	}
}
