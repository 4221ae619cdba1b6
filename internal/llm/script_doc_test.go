package llm

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestScriptedModelPage plays each script of the page and compares with the conversation below it.
func TestScriptedModelPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/reference/scripted-model.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```\n\n```text\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(blocks) != 3 {
		t.Fatalf("%d scripts with conversations, want 3", len(blocks))
	}
	for i, b := range blocks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := converse(t, b[1], b[2]); got != b[2] {
				t.Errorf("got:\n%s\nwant:\n%s", got, b[2])
			}
		})
	}
}

// converse plays the lines of a conversation that begin with "> " (the user) and "< " (a result),
// and returns the conversation as it went.
func converse(t *testing.T, script, lines string) string {
	m, err := New(Options{Provider: Scripted, ScriptBytes: []byte(script), Sleep: func(context.Context, time.Duration) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	var history []Message
	for _, line := range strings.Split(lines, "\n") {
		said := Message{Role: RoleUser, Content: strings.TrimPrefix(line, "> ")}
		switch {
		case strings.HasPrefix(line, "< "):
			calls := history[len(history)-1].Calls
			said = Message{Role: RoleTool, Content: line[2:], CallID: calls[0].ID}
		case !strings.HasPrefix(line, "> "):
			continue
		}
		fmt.Fprintln(&out, line)
		history = append(history, said)
		reply, err := m.Stream(context.Background(), Request{Messages: history, Tools: []Tool{{Name: "bash"}}}, func(e Event) error {
			if e.Waiting != "" {
				fmt.Fprintf(&out, "(%s)\n", e.Waiting)
			}
			return nil
		})
		if reply.Message.Content != "" {
			fmt.Fprintln(&out, reply.Message.Content)
		}
		for _, c := range reply.Message.Calls {
			fmt.Fprintf(&out, "[call %s %s]\n", c.Name, c.Arguments)
		}
		if err != nil {
			fmt.Fprintf(&out, "(%v)\n", err)
		}
		history = append(history, reply.Message)
	}
	return out.String()
}
