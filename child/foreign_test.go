package child

import (
	"testing"

	"github.com/mini-me/mm/internal/acp"
)

func TestAskingMode(t *testing.T) {
	modes := func(current string, ids ...string) *acp.Modes {
		m := &acp.Modes{CurrentModeID: current}
		for _, id := range ids {
			m.AvailableModes = append(m.AvailableModes, acp.Mode{ID: id, Name: id})
		}
		return m
	}
	for _, c := range []struct {
		name string
		m    *acp.Modes
		want string
	}{
		{"none offered", nil, ""},
		{"gemini in yolo", modes("yolo", "default", "autoEdit", "yolo", "plan"), "default"},
		{"gemini as it starts", modes("default", "default", "autoEdit", "yolo"), ""},
		{"claude accepting edits", modes("acceptEdits", "default", "acceptEdits", "plan", "bypassPermissions"), "default"},
		{"codex", modes("auto", "read-only", "auto", "full-access"), "read-only"},
		{"opencode has no such modes", modes("build", "build", "plan"), ""},
		{"only one that skips", modes("yolo", "yolo"), ""},
		{"never asks", modes("never-ask", "never-ask", "on-request"), "on-request"},
		{"asks only questions", &acp.Modes{CurrentModeID: "agent", AvailableModes: []acp.Mode{{ID: "agent"}, {ID: "ask", Description: "Q&A mode - no edits or command execution"}}}, ""},
		{"skips, and another", modes("bypassPermissions", "bypassPermissions", "plan"), "plan"},
	} {
		if got := askingMode(c.m); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
