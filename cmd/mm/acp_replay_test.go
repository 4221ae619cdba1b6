//go:build unix

package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/mmtest"
)

// replayed loads a session in another process and returns its calls as they stand at the end, in
// their order, and the words of each kind of message.
func replayed(t *testing.T, dir, id string, caps acp.ClientCapabilities) (calls []acp.ToolCallUpdate, words map[string]string) {
	t.Helper()
	e := acptest.Start(t, mm(t, dir, "-acp"), acptest.Options{Capabilities: caps})
	e.Initialize(t.Context())
	e.LoadSession(t.Context(), id, dir, true)
	return shown(t, e.Updates(""))
}

// shown is what a client shows after some updates.
func shown(t *testing.T, list []acp.SessionUpdate) (calls []acp.ToolCallUpdate, words map[string]string) {
	t.Helper()
	at := map[string]int{}
	words = map[string]string{}
	for _, u := range list {
		switch {
		case u.Kind == acp.UpdateToolCall || u.Kind == acp.UpdateToolCallUpdate:
			var c acp.ToolCallUpdate
			must(t, json.Unmarshal(u.Raw, &c))
			i, known := at[c.ToolCallID]
			if !known {
				i = len(calls)
				at[c.ToolCallID] = i
				calls = append(calls, acp.ToolCallUpdate{})
			}
			must(t, json.Unmarshal(u.Raw, &calls[i])) // an update patches
		case u.IsChunk():
			c, err := u.Chunk()
			must(t, err)
			words[u.Kind] += c.Content.Text
		}
	}
	return calls, words
}

// contents is the content of calls as JSON, to compare.
func contents(t *testing.T, calls []acp.ToolCallUpdate) string {
	t.Helper()
	var b strings.Builder
	for _, c := range calls {
		content, err := json.Marshal(c.Content)
		must(t, err)
		b.WriteString(string(c.Status) + " " + c.Title + " " + string(c.Kind) + " " + string(content) + "\n")
	}
	return b.String()
}

// TestACPReplayHasTheChanges: the diffs of calls that wrote stood in no replay.
func TestACPReplayHasTheChanges(t *testing.T) {
	dir := folder(t, map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\nyolo: true\neditTools: true\n",
		"s.yaml": "- when: {user: write}\n  reply:\n    - call: {name: write_file, arguments: {path: new.txt, content: \"one\\ntwo\\n\"}}\n" +
			"    - call: {name: edit_file, arguments: {path: old.txt, old_text: a, new_text: b}}\n- when: {tool: \".*\"}\n  reply: done\n",
		"old.txt": "a\n",
	})
	e, id := edit(t, dir, acptest.Options{})
	turn, err := e.Prompt(t.Context(), id, "write")
	must(t, err)
	live, _ := shown(t, turn.Updates)
	e.CloseSession(t.Context(), id)
	again, _ := replayed(t, dir, id, acp.ClientCapabilities{})
	if want, got := contents(t, live), contents(t, again); got != want || strings.Count(want, `"diff"`) != 2 {
		t.Errorf("replayed\n%s\nwant\n%s", got, want)
	}
}

// TestACPReplayOfACutAnswer: what a model had thought when its answer was cut off stood in no replay.
func TestACPReplayOfACutAnswer(t *testing.T) {
	for name, reply := range map[string]string{
		"with text":    "[{thought: ponders}, {text: half}, {break: true}]",
		"thought only": "[{thought: ponders}, {break: true}]",
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{
				"mm.yaml": "provider: scripted\nscript: s.yaml\n",
				"s.yaml":  "- reply: " + reply + "\n",
			})
			e, id := edit(t, dir, acptest.Options{})
			turn, err := e.Prompt(t.Context(), id, "well?")
			if err == nil || turn.Thought != "ponders" {
				t.Fatalf("%v: %q", err, turn.Thought)
			}
			e.CloseSession(t.Context(), id)
			_, words := replayed(t, dir, id, acp.ClientCapabilities{})
			if words[acp.UpdateAgentThought] != "ponders" || !strings.HasPrefix(words[acp.UpdateAgentMessage], turn.Text) {
				t.Errorf("replayed %q", words)
			}
		})
	}
}

// TestACPReplayOfAKilledCall: a call that mm was killed in came back as completed, without its title.
func TestACPReplayOfAKilledCall(t *testing.T) {
	dir := folder(t, teamFiles("true"))
	cmd := mm(t, dir, "-p", "run echo $$ >pid; exec sleep 300")
	must(t, cmd.Start())
	mmtest.Wait(t, "the command runs", func() bool { return exec.Command("test", "-s", dir+"/pid").Run() == nil })
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	_ = exec.Command("sh", "-c", "kill $(cat "+dir+"/pid)").Run() // if its guard hasn't
	list := onlySession(t, dir)
	calls, _ := replayed(t, dir, list, acp.ClientCapabilities{})
	if len(calls) != 1 || calls[0].Status != acp.ToolFailed || calls[0].Kind != acp.ToolExecute || !strings.HasPrefix(calls[0].Title, "echo $$") {
		t.Errorf("%s", contents(t, calls))
	}
}

// onlySession returns the id of the one session of a folder.
func onlySession(t *testing.T, dir string) string {
	t.Helper()
	e := acptest.Start(t, mm(t, dir, "-acp"), acptest.Options{})
	e.Initialize(t.Context())
	var list acp.ListSessionsResponse
	must(t, e.Conn.Call(t.Context(), acp.MethodListSessions, acp.ListSessionsRequest{Cwd: dir}, &list))
	if len(list.Sessions) != 1 {
		t.Fatalf("%+v", list)
	}
	return list.Sessions[0].SessionID
}

// TestACPCallWithoutATitle: a call whose arguments say nothing was announced with an empty title.
func TestACPCallWithoutATitle(t *testing.T) {
	dir := folder(t, map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\nplanTool: true\n",
		"s.yaml":  "- when: {user: plan}\n  reply: [{call: {name: plan, arguments: {title: x}}}]\n- when: {tool: \".*\"}\n  reply: done\n",
	})
	e, id := edit(t, dir, acptest.Options{})
	turn, err := e.Prompt(t.Context(), id, "plan")
	must(t, err)
	if calls, _ := shown(t, turn.Updates); len(calls) != 1 || calls[0].Title == "" || calls[0].Status != acp.ToolFailed {
		t.Errorf("%s", contents(t, calls))
	}
}

// TestACPReplayOfDelegatedWork: what asked agents did stands below the calls that asked them, as it
// did live.
func TestACPReplayOfDelegatedWork(t *testing.T) {
	for name, caps := range map[string]acp.ClientCapabilities{"with sub-agents": {Subagents: &acp.Capability{}}, "without": {}} {
		t.Run(name, func(t *testing.T) {
			files := teamFiles("true")
			files["homer.yaml"] += "editTools: true\n"
			files["homer.s.yaml"] = "- when: {user: \".*\"}\n  reply: [{thought: ponders}, {text: \"homer works. \"}, {call: {name: write_file, arguments: {path: g.txt, content: \"g\\n\"}}}]\n" +
				"- when: {tool: \".*\"}\n  reply: homer is done\n"
			dir := folder(t, files)
			e, id := edit(t, dir, acptest.Options{Capabilities: caps})
			turn, err := e.Prompt(t.Context(), id, "let jan homer write g.txt")
			must(t, err)
			live, said := shown(t, turn.Updates)
			e.CloseSession(t.Context(), id)
			must(t, e.Conn.Close())
			again, words := replayed(t, dir, id, caps)
			if want, got := contents(t, live), contents(t, again); got != want || len(live) != 3 || !strings.Contains(want, `"diff"`) {
				t.Errorf("replayed\n%s\nwant\n%s", got, want)
			}
			delete(words, acp.UpdateUserMessage)
			for kind, want := range said {
				if words[kind] != want {
					t.Errorf("%s: replayed %q, want %q", kind, words[kind], want)
				}
			}
		})
	}
}
