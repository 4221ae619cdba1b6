//go:build linux

package interop

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// line is what testdata/client.mjs prints.
type line struct {
	What, Name, Method, Title, Key, Message, Problem, Schema string

	SessionID     string
	SessionUpdate string
	Content       json.RawMessage
	Result        json.RawMessage
	Properties    json.RawMessage
	Frame         json.RawMessage
	Code          *int
	Signal        string
	Kinds         []string
	Frames        int
}

// String is a line in short, as the tests want it; "" for what they don't look at.
func (l line) String() string {
	switch l.What {
	case "asked":
		return "asked " + l.Key + ": " + l.Title
	case "elicited":
		return "elicited: " + l.Message
	case "answer":
		var r struct{ StopReason string }
		_ = json.Unmarshal(l.Result, &r)
		return strings.TrimSpace(l.Method + " " + r.StopReason)
	case "error":
		return fmt.Sprintf("%s: error %d", l.Method, *l.Code)
	case "exit":
		return fmt.Sprintf("exit %d%s", *l.Code, l.Signal)
	case "update":
		var c struct{ Text string }
		switch l.SessionUpdate {
		case "agent_message_chunk", "user_message_chunk":
			_ = json.Unmarshal(l.Content, &c)
			return l.speaker() + c.Text
		case "current_mode_update", "config_option_update":
			return l.SessionUpdate
		}
	}
	return ""
}

// speaker is whose message a line is a piece of, "" for none.
func (l line) speaker() string {
	who, ok := strings.CutSuffix(l.SessionUpdate, "_message_chunk")
	if !ok {
		return ""
	}
	if below, _, ok := strings.Cut(l.SessionID, "/"); ok {
		who = below // an agent below, in a session of its own
	}
	return who + ": "
}

// steps runs the client and returns what it saw, by step.
func steps(t *testing.T, entry string) (map[string][]line, *stage) {
	t.Helper()
	node, modules := node(t, 20, 0), sdkModules(t)
	s := newStage(t, team())
	script, err := os.ReadFile("testdata/client.mjs")
	if err != nil {
		t.Fatal(err)
	}
	// Node looks for packages beside the script.
	client := filepath.Join(s.dir, "client", "client.mjs")
	if err := os.Mkdir(filepath.Dir(client), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(client, script, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(s.dir, "client", "node_modules")); err != nil {
		t.Fatal(err)
	}
	got := s.run(node, client, entry, s.dir, s.mm, "-acp")
	if got.status != 0 {
		t.Fatalf("the client ended with %d", got.status)
	}
	if got.stderr != "" {
		t.Errorf("the SDK, or mm, complains:\n%s", got.stderr)
	}
	by, step := map[string][]line{}, "start"
	for text := range strings.Lines(got.stdout) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		switch l.What {
		case "bad frame":
			t.Errorf("%s: %s\n%s", l.Schema, l.Problem, l.Frame)
		case "step":
			step = l.Name
		case "end":
			if l.Frames < 40 {
				t.Errorf("%d frames were checked, that can't be all", l.Frames)
			}
		default:
			by[step] = append(by[step], l)
		}
	}
	return by, s
}

// short is what happened in a step; of a message the first line. The pieces of a message, which may be
// cut anywhere, are joined.
func short(lines []line) []string {
	var list []string
	last := ""
	for _, l := range lines {
		s, speaker := l.String(), l.speaker()
		switch {
		case s == "":
		case speaker != "" && speaker == last:
			list[len(list)-1] += strings.TrimPrefix(s, speaker)
		default:
			list = append(list, s)
		}
		if s != "" || l.What == "update" && strings.HasPrefix(l.SessionUpdate, "tool_call") {
			last = speaker
		}
	}
	for i, s := range list {
		list[i], _, _ = strings.Cut(s, "\n")
	}
	return list
}

// TestTypeScriptSDK: a client that checks each frame by the SDK's own schemas does all that mm
// offers, once as one that knows the stable protocol and once as one that knows sub-agent sessions.
func TestTypeScriptSDK(t *testing.T) {
	for _, entry := range []string{"stable", "unstable"} {
		t.Run(entry, func(t *testing.T) {
			t.Parallel()
			got, s := steps(t, entry)
			const edited = "jan: a.txt: 1 edit applied · lines +1 -1 · first changed line 1"
			delegation := []string{"agent: asking ", "asked ask_agent: ask_agent: jan — edit", "asked jan/edit_file: jan · a.txt"}
			again := []string{"user: let jan edit", "agent: asking "}
			if entry == "unstable" {
				again = append(again, "jan: "+edited)
				delegation = append(delegation[:2], "asked jan/edit_file: a.txt", "jan: "+edited)
			}
			for step, want := range map[string][]string{
				"start":      {"initialize", "session/new"},
				"delegation": append(delegation, "agent: lead: "+edited, "session/prompt end_turn"),
				"modes": {
					"session/set_mode", "config_option_update",
					"session/set_config_option", "current_mode_update",
					"session/set_mode: error -32602",
				},
				"question": {
					"elicited: 3 questions",
					"agent: lead: The user answered:",
					"session/prompt end_turn",
				},
				"cancel": {"agent: begun", "session/prompt cancelled"},
				"list":   {"session/list"},
				"close":  {"session/close", "session/prompt: error -32002", "_interop/unknown: error -32601", "exit 0"},
				"load": slices.Concat([]string{"initialize"}, again, []string{
					"agent: lead: " + edited,
					"user: question", "agent: lead: The user answered:",
					"user: hang", "agent: begun",
					"session/load",
					"agent: the lead is here", "session/prompt end_turn", "session/close",
				}),
				"resume": {"session/resume", "agent: the lead is here", "session/prompt end_turn"},
				"delete": {"session/delete", "session/list", "exit 0"},
			} {
				if have := short(got[step]); !slices.Equal(have, want) {
					t.Errorf("%s:\n%s\nwant\n%s", step, strings.Join(have, "\n"), strings.Join(want, "\n"))
				}
			}
			if text := s.read("a.txt"); text != "new\n" {
				t.Errorf("a.txt is %q", text)
			}
			listed(t, "list", got["list"], 1)
			listed(t, "delete", got["delete"], 0)
			if n := subagents(got["delegation"]); (n > 0) != (entry == "unstable") {
				t.Errorf("%d sub-agent updates", n)
			}
		})
	}
}

// listed checks how many sessions a step's session/list told.
func listed(t *testing.T, step string, lines []line, want int) {
	t.Helper()
	for _, l := range lines {
		if l.What == "answer" && l.Method == "session/list" {
			var r struct{ Sessions []json.RawMessage }
			if err := json.Unmarshal(l.Result, &r); err != nil || len(r.Sessions) != want {
				t.Errorf("%s: %d sessions (%v), want %d: %s", step, len(r.Sessions), err, want, l.Result)
			}
		}
	}
}

func subagents(lines []line) int {
	n := 0
	for _, l := range lines {
		if l.SessionUpdate == "subagent_update" {
			n++
		}
	}
	return n
}
