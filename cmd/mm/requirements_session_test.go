//go:build unix

package main

import (
	"strings"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// sessionRequirements are about sessions: how they begin, go on and end.
func sessionRequirements() []requirement {
	return []requirement{
		{"SESSION-001", mandatory, "`session/new` with a folder and no servers gives a session's id", (*required).sessions},
		{"SESSION-002", mandatory, "each session of a connection has an id of its own", (*required).distinct},
		{"LOAD-001", capability, "`session/load` goes on with a saved session, also in another process", (*required).loads},
		{"LOAD-002", capability, "all that was said and done is replayed before the response to `session/load`, nothing of it after", (*required).replays},
		{"LOAD-003", advisory, "the result of `session/load` is an object, never null", (*required).loads},
		{"RESUME-001", capability, "`session/resume` goes on with a saved session, without `mcpServers` too", (*required).resumes},
		{"RESUME-002", capability, "`session/resume` tells nothing of what was said before its response", (*required).resumes},
		{"LIST-001", capability, "`session/list` lists what there is, each with id and folder", (*required).lists},
		{"LIST-002", capability, "a folder without sessions has an empty list", (*required).listsNothing},
		{"DELETE-001", capability, "`session/delete` removes a session, with `{}`", (*required).deletes},
		{"DELETE-002", advisory, "to delete what isn't there succeeds", (*required).deletes},
		{"CLOSE-001", capability, "`session/close` closes an idle session, with `{}`", (*required).closes},
		{"CLOSE-002", capability, "`session/close` in a turn ends the turn with `cancelled`", (*required).closesWork},
		{"ADDDIRS-001", capability, "`additionalDirectories` of `session/new` are taken", (*required).directories},
	}
}

func (r *required) sessions() {
	w, session := r.open()
	if strings.ContainsAny(session, " \n/") {
		r.Errorf("session id %q", session)
	}
	// A list that is left out or null is an empty one.
	for _, params := range []map[string]any{{"cwd": r.dir}, {"cwd": r.dir, "mcpServers": nil}, {"cwd": r.dir, "mcpServers": []any{}, "additionalDirectories": nil, "_meta": nil}} {
		r.good(w.Call(r.Context(), acp.MethodNewSession, r.params(params)))
	}
}

func (r *required) distinct() {
	w, _ := r.open()
	seen := map[string]bool{}
	for range 20 {
		id := r.begin(w)
		if seen[id] {
			r.Fatalf("%s twice", id)
		}
		seen[id] = true
	}
}

// saved makes a session with a turn in it, in an mm of its own.
func (r *required) saved() (session string) {
	e, id := r.edit(acptest.Options{})
	r.stopped(e.Prompt(r.Context(), id, "run echo hi"))
	r.stopped(e.Prompt(r.Context(), id, "say bye"))
	e.CloseSession(r.Context(), id)
	return id
}

func (r *required) load(w *acptest.Wire, method, session string, more map[string]any) acptest.Response {
	params := map[string]any{"sessionId": session, "cwd": r.dir}
	for k, v := range more {
		params[k] = v
	}
	return w.Call(r.Context(), method, r.params(params))
}

func (r *required) loads() {
	session := r.saved()
	w, _ := r.open()
	none := map[string]any{"mcpServers": []any{}}
	if got := string(r.good(r.load(w, acp.MethodLoadSession, session, none)).Result); !strings.HasPrefix(got, "{") {
		r.Errorf("the result is %s", got)
	}
	if got := r.ends(w, r.prompt(session, "say more")); got != acp.StopEndTurn {
		r.Errorf("stop reason %q", got)
	}
	r.code(r.load(w, acp.MethodLoadSession, "nobody's", none), acp.CodeNotFound)
}

// history returns the kinds of a session's updates before and after a response, without those that
// tell no history.
func history(w *acptest.Wire, session, response string) (before, after []string) {
	seen := false
	for _, f := range w.Checker.Frames() {
		seen = seen || f.FromAgent && f.Data == response
		_, kind, ok := strings.Cut(f.Data, `"sessionId":"`+session+`","update":{"sessionUpdate":"`)
		kind, _, _ = strings.Cut(kind, `"`)
		switch {
		case !ok || kind == acp.UpdateAvailableCommands || kind == acp.UpdateConfigOption || kind == acp.UpdateUsage:
		case seen:
			after = append(after, kind)
		default:
			before = append(before, kind)
		}
	}
	return before, after
}

// responseLine is the line of a response.
func responseLine(w *acptest.Wire, a acptest.Response) string {
	for _, line := range w.Sent() {
		if strings.HasPrefix(line, `{"jsonrpc":"2.0","id":`+string(a.ID)+`,`) {
			return line
		}
	}
	return ""
}

func (r *required) replays() {
	session := r.saved()
	w, _ := r.open()
	a := r.good(r.load(w, acp.MethodLoadSession, session, map[string]any{"mcpServers": []any{}}))
	w.Exit(r.Context())
	before, after := history(w, session, responseLine(w, a))
	if got, want := strings.Join(before, " "), "user_message_chunk agent_message_chunk tool_call agent_message_chunk user_message_chunk agent_thought_chunk agent_message_chunk"; got != want {
		r.Errorf("replayed %s\nwant %s", got, want)
	}
	if len(after) > 0 {
		r.Errorf("after the response: %s", after)
	}
}

func (r *required) resumes() {
	session := r.saved()
	w, _ := r.open()
	a := r.good(r.load(w, acp.MethodResumeSession, session, nil))
	if got := r.ends(w, r.prompt(session, "say more")); got != acp.StopEndTurn {
		r.Errorf("stop reason %q", got)
	}
	if before, _ := history(w, session, responseLine(w, a)); len(before) > 0 {
		r.Errorf("before the response: %s", before)
	}
}

func (r *required) list(w *acptest.Wire, params string) acp.ListSessionsResponse {
	a := w.Call(r.Context(), acp.MethodListSessions, params)
	if !strings.Contains(string(a.Result), `"sessions":[`) {
		r.Errorf("no list: %s", a.Result)
	}
	var list acp.ListSessionsResponse
	r.decode(a, &list)
	return list
}

func (r *required) lists() {
	session := r.saved()
	w, _ := r.open()
	for _, params := range []string{`{}`, `{"cwd":null,"cursor":null}`, r.params(map[string]any{"cwd": r.dir})} {
		list := r.list(w, params)
		if len(list.Sessions) != 1 || list.Sessions[0].SessionID != session || list.Sessions[0].Cwd != r.dir || list.Sessions[0].Title != "run echo hi" || list.Sessions[0].UpdatedAt == "" {
			r.Errorf("%s: %+v", params, list)
		}
	}
	r.code(w.Call(r.Context(), acp.MethodListSessions, `{"cursor":"nobody's"}`), acp.CodeInvalidParams)
}

func (r *required) listsNothing() {
	r.saved()
	w, _ := r.open()
	if list := r.list(w, `{"cwd":"/nowhere"}`); len(list.Sessions) > 0 {
		r.Errorf("%+v", list)
	}
}

func (r *required) deletes() {
	session := r.saved()
	w, idle := r.open()
	for _, id := range []string{session, session, idle, "nobody's"} {
		r.empty(w.Call(r.Context(), acp.MethodDeleteSession, r.params(map[string]any{"sessionId": id})))
	}
	if list := r.list(w, `{}`); len(list.Sessions) > 0 {
		r.Errorf("%+v", list)
	}
	r.code(r.load(w, acp.MethodLoadSession, session, map[string]any{"mcpServers": []any{}}), acp.CodeNotFound)
}

func (r *required) closes() {
	w, session := r.open()
	r.ends(w, r.prompt(session, "say hi"))
	closing := r.params(map[string]any{"sessionId": session})
	r.empty(w.Call(r.Context(), acp.MethodCloseSession, closing))
	r.code(w.Call(r.Context(), acp.MethodPrompt, r.prompt(session, "say more")), acp.CodeNotFound)
	r.code(w.Call(r.Context(), acp.MethodCloseSession, closing), acp.CodeNotFound)
}

func (r *required) closesWork() {
	w, session := r.open()
	id := w.Begin(acp.MethodPrompt, r.prompt(session, "wait"))
	begun(r.Context(), w, session)
	r.empty(w.Call(r.Context(), acp.MethodCloseSession, r.params(map[string]any{"sessionId": session})))
	var p acp.PromptResponse
	if r.decode(w.Answer(r.Context(), id), &p); p.StopReason != acp.StopCancelled {
		r.Errorf("stop reason %q", p.StopReason)
	}
}

func (r *required) directories() {
	e := acptest.Start(r.T, mm(r.T, r.dir, "-acp"), acptest.Options{})
	if e.Initialize(r.Context()).AgentCapabilities.SessionCapabilities.AdditionalDirectories == nil {
		r.Error("additionalDirectories aren't announced")
	}
	var s acp.NewSessionResponse
	must(r.T, e.Conn.Call(r.Context(), acp.MethodNewSession, acp.NewSessionRequest{Cwd: r.dir, AdditionalDirectories: []string{r.TempDir()}}, &s))
	r.stopped(e.Prompt(r.Context(), s.SessionID, "say hi"))
}
