//go:build unix

package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// careless is an agent of another make: the same session and call ids again and again, and messages
// without any.
const careless = `while read -r line; do
	id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
	say() { printf '%s\n' "$1"; }
	update() { say '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{"sessionUpdate":'"$1"'}}}'; }
	case $line in
	*'"initialize"'*) say '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":1,"agentCapabilities":{}}}' ;;
	*'"session/new"'*) say '{"jsonrpc":"2.0","id":'"$id"',"result":{"sessionId":"s1"}}' ;;
	*'"session/prompt"'*)
		update '"agent_thought_chunk","content":{"type":"text","text":"thinks"}'
		update '"agent_message_chunk","content":{"type":"text","text":"before, "}'
		update '"agent_message_chunk","content":{"type":"text","text":"also before"}'
		update '"tool_call","toolCallId":"t1","title":"look","kind":"read","status":"in_progress"'
		update '"tool_call_update","toolCallId":"t1","status":"completed","rawOutput":{"lines":3}'
		update '"agent_message_chunk","content":{"type":"text","text":"after"}'
		say '{"jsonrpc":"2.0","id":'"$id"',"result":{"stopReason":"end_turn"}}' ;;
	esac
done
`

// TestACPIdsOfCarelessAgents: messages and calls of agents that give no ids, or the same ones in each
// session, are told apart; what a call returned comes as its agent told it.
func TestACPIdsOfCarelessAgents(t *testing.T) {
	for name, caps := range map[string]acp.ClientCapabilities{"with sub-agents": {Subagents: &acp.Capability{}}, "without": {}} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, map[string]string{
				"careless.sh": careless,
				"mm.yaml": "provider: scripted\nscript: s.yaml\nyolo: true\nmmConfigs:\n" +
					"  ann: {command: sh, args: [careless.sh], description: looks}\n" +
					"  bob: {command: sh, args: [careless.sh], description: looks}\n",
				"s.yaml": "- when: {user: \"^(ann|bob)\"}\n  reply: [{call: {name: ask_agent, arguments: {agent: \"$1\", prompt: look}}}]\n" +
					"- when: {tool: \".*\"}\n  reply: done\n",
			})
			e, id := edit(t, dir, acptest.Options{Capabilities: caps})
			calls, words, sessions := map[string]bool{}, []string{}, map[string]bool{}
			for _, who := range []string{"ann", "ann", "bob"} {
				turn, err := e.Prompt(t.Context(), id, who)
				must(t, err)
				if want := map[bool]string{false: who + " · thinks"}[caps.Subagents != nil]; turn.Thought != want {
					t.Errorf("%s thinks %q, want %q", who, turn.Thought, want)
				}
				asked, raw := "", ""
				for _, u := range turn.Updates {
					var c acp.ToolCallUpdate
					switch u.Kind {
					case acp.UpdateToolCall, acp.UpdateToolCallUpdate:
						must(t, json.Unmarshal(u.Raw, &c))
					}
					switch {
					case u.Kind == acp.UpdateToolCall && c.Name != "ask_agent":
						if asked = c.ToolCallID; calls[asked] {
							t.Errorf("%s was there before", asked)
						}
						calls[asked] = true
					case u.Kind == acp.UpdateToolCallUpdate && c.ToolCallID == asked:
						raw = string(c.RawOutput)
					case u.Kind == acp.UpdateSubagent && strings.Contains(string(u.Raw), "running"):
						var s acp.SubagentUpdate
						must(t, u.Decode(&s))
						if sessions[s.SessionID] {
							t.Errorf("session %s was there before", s.SessionID)
						}
						sessions[s.SessionID] = true
					case u.IsChunk():
						p, err := u.Chunk()
						must(t, err)
						if p.Content.Text != "done" {
							words = append(words, p.MessageID)
						}
					}
				}
				if raw != `{"lines":3}` {
					t.Errorf("raw output %s", raw)
				}
			}
			if name == "without" { // what is said stands in the ask_agent call
				if len(words) != 3 || words[0] == words[1] || words[1] == words[2] || words[0] == words[2] {
					t.Errorf("thoughts %q", words)
				}
				return
			}
			// The two pieces before the call are one message, or one piece.
			if words = slices.Compact(words); len(words) != 9 {
				t.Errorf("%q", words)
			}
			slices.Sort(words)
			if len(slices.Compact(words)) != 9 {
				t.Errorf("message ids %q", words)
			}
		})
	}
}

// TestAgentsErrorInItsOwnWords: the error of an agent that won't begin was told with the name of a
// library and a code before it.
func TestAgentsErrorInItsOwnWords(t *testing.T) {
	dir := folder(t, map[string]string{
		"no.sh":   `read -r line; id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p'); printf '%s\n' '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32603,"message":"no licence"}}'; read -r line`,
		"mm.yaml": "provider: scripted\nscript: s.yaml\nmmConfigs:\n  ann: {command: sh, args: [no.sh]}\n",
		"s.yaml":  "- reply: hi\n",
	})
	out, _ := mm(t, dir, "--ask", "ann", "look").CombinedOutput()
	if !strings.Contains(string(out), "no licence") || strings.Contains(string(out), "jsonrpc2") {
		t.Errorf("%s", out)
	}
}

// TestACPWarnsWhoKnowsNoNotices: a client without notices read nothing of an agent that acts without
// asking.
func TestACPWarnsWhoKnowsNoNotices(t *testing.T) {
	dir := folder(t, map[string]string{
		"will.sh": strings.Replace(careless, `"title":"look","kind":"read"`, `"title":"rm -r /","kind":"execute"`, 1),
		"mm.yaml": "provider: scripted\nscript: s.yaml\nyolo: false\nmmConfigs: {will: {command: sh, args: [will.sh]}}\n",
		"s.yaml":  "- reply: unused\n",
	})
	e, id := edit(t, dir, acptest.Options{})
	turn, err := e.Prompt(t.Context(), id, "/ask-will look")
	if want := `[warning: will ran "rm -r /" without asking`; err != nil || strings.Count(turn.Text, want) != 1 {
		t.Errorf("%q, %v", turn.Text, err)
	}
	if turn, err := e.Prompt(t.Context(), id, "/agents"); err != nil || !strings.Contains(turn.Text, "acts without asking") {
		t.Errorf("%q, %v", turn.Text, err)
	}
}
