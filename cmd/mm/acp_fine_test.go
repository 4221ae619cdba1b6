//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/llm/llmtest"
)

// TestACPAskedModes: an asked agent offers only the mode that asks; its asker decides.
func TestACPAskedModes(t *testing.T) {
	dir := folder(t, requiredFiles())
	cmd := mm(t, dir, "-acp")
	cmd.Env = append(cmd.Env, "MM_ASK_DEPTH=1", "AGENT_YOLO=false")
	e := acptest.Start(t, cmd, acptest.Options{})
	e.Initialize(t.Context())
	s := e.NewSession(t.Context(), dir)
	if m := s.Modes; m == nil || m.CurrentModeID != "ask" || len(m.AvailableModes) != 1 {
		t.Errorf("%+v", m)
	}
	if err := e.Conn.Call(t.Context(), acp.MethodSetMode, acp.SetModeRequest{SessionID: s.SessionID, ModeID: "yolo"}, nil); acp.ErrorCode(err) != acp.CodeInvalidParams {
		t.Errorf("set to yolo: %v", err)
	}
}

// TestACPCallWhole: a call that has ended tells its input and output as they are, beside what is shown.
func TestACPCallWhole(t *testing.T) {
	e, id := edit(t, folder(t, requiredFiles()), acptest.Options{})
	turn, err := e.Prompt(t.Context(), id, "run echo hi; exit 3")
	must(t, err)
	var call acp.ToolCallUpdate
	for _, u := range turn.Updates {
		if u.Kind == acp.UpdateToolCall || u.Kind == acp.UpdateToolCallUpdate {
			must(t, json.Unmarshal(u.Raw, &call)) // later ones patch
		}
	}
	if got, want := string(call.RawOutput), `{"text":"hi\n[exit code: exit status 3]","exitCode":3}`; got != want {
		t.Errorf("raw output %s, want %s", got, want)
	}
	if call.Name != "bash" || call.Kind != acp.ToolExecute || string(call.RawInput) == "" || call.Status == acp.ToolPending || len(call.Content) == 0 {
		t.Errorf("%+v", call)
	}
}

// TestACPUsage: how full the context is comes after each answer, counted or estimated.
func TestACPUsage(t *testing.T) {
	counted := true
	server := llmtest.New(t, func(a *llmtest.Answer, _ *llmtest.Request) {
		a.Text("yes")
		if counted {
			a.Usage(100, 10, 50)
		}
	})
	e, id := edit(t, folder(t, serverFiles(server, "contextWindow: 5000\n")), acptest.Options{})
	for _, counted = range []bool{true, false} {
		turn, err := e.Prompt(t.Context(), id, "well?")
		must(t, err)
		var use acp.Usage
		n := 0
		for _, u := range turn.Updates {
			if u.Kind == acp.UpdateUsage && u.Decode(&use) == nil {
				n++
			}
		}
		if n != 1 || use.Size != 5000 || counted && use.Used != 110 || !counted && (use.Used < 111 || use.Used > 140) {
			t.Errorf("counted: %t: told %d times: %+v", counted, n, use)
		}
	}
}

// TestACPCancelRequest: a prompt can also be given up by its request's id.
func TestACPCancelRequest(t *testing.T) {
	r := newRequired(t)
	w, session := r.open()
	id := w.Begin(acp.MethodPrompt, r.prompt(session, "wait"))
	begun(r.Context(), w, session)
	w.Send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":`+id+`}}`, `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"nobody's"}}`)
	var p acp.PromptResponse
	if r.decode(w.Answer(r.Context(), id), &p); p.StopReason != acp.StopCancelled {
		t.Errorf("stop reason %q", p.StopReason)
	}
	if got := r.ends(w, r.prompt(session, "say hi")); got != acp.StopEndTurn {
		t.Errorf("the next one ends with %q", got)
	}
}

// TestACPFolders: folders are absolute, there, and the same however they are written.
func TestACPFolders(t *testing.T) {
	r := newRequired(t)
	w, _ := r.open()
	for _, params := range []string{
		`{"cwd":"DIR","additionalDirectories":["relative"]}`, `{"cwd":"DIR/nowhere"}`, `{"cwd":"DIR/mm.yaml"}`, `{"cwd":"."}`,
	} {
		r.code(w.Call(r.Context(), acp.MethodNewSession, strings.ReplaceAll(params, "DIR", r.dir)), acp.CodeInvalidParams)
	}
	var s acp.NewSessionResponse
	r.decode(w.Call(r.Context(), acp.MethodNewSession, fmt.Sprintf(`{"cwd":"%s/./"}`, r.dir)), &s)
	r.ends(w, r.prompt(s.SessionID, "say hi"))
	for _, cwd := range []string{r.dir, r.dir + "/"} {
		if list := r.list(w, fmt.Sprintf(`{"cwd":%q}`, cwd)); len(list.Sessions) != 1 || list.Sessions[0].Cwd != r.dir {
			t.Errorf("%s: %+v", cwd, list)
		}
	}
	r.code(r.load(w, acp.MethodLoadSession, s.SessionID, map[string]any{"cwd": r.dir + "/nowhere"}), acp.CodeInvalidParams)
}

// TestACPCommands: the commands that are offered work, and say nothing of those that aren't there.
func TestACPCommands(t *testing.T) {
	files := teamFiles("true")
	dir := folder(t, files)
	e, id := edit(t, dir, acptest.Options{})
	var list acp.AvailableCommands
	must(t, e.WaitUpdate(t.Context(), func(u acp.SessionUpdate) bool { return u.Kind == acp.UpdateAvailableCommands }).Decode(&list))
	var names []string
	for _, c := range list.Commands {
		names = append(names, c.Name)
	}
	if got, want := strings.Join(names, " "), "help ask ask-jan agents tools skills model permissions compact context plan new sessions"; got != want {
		t.Errorf("offered %s\nwant    %s", got, want)
	}
	must(t, drop(e.Prompt(t.Context(), id, "run echo hi")))
	for _, name := range names {
		line := "/" + name
		switch name {
		case "ask":
			line += " jan echo hi"
		case "ask-jan":
			line += " echo hi"
		}
		turn, err := e.Prompt(t.Context(), id, line)
		if err != nil || turn.StopReason != acp.StopEndTurn || strings.TrimSpace(turn.Text) == "" || strings.Contains(turn.Text, "/resume") || strings.Contains(turn.Text, "/quit") {
			t.Errorf("%s: %q %v", line, turn.Text, err)
		}
	}
}

func drop(_ acptest.Turn, err error) error { return err }
