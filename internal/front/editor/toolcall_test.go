package editor

import (
	"testing"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// TestTitles: a person's editor may show no more of a call than its title, which a model has a say in. An asker
// gets it as it is, since it adds what is shown.
func TestTitles(t *testing.T) {
	for _, c := range []struct {
		call            consent.Call
		person, toAsker string
	}{
		{consent.Call{Tool: "bash", Kind: consent.KindExecute, Title: "ls \u202e x"}, "ls ⟨U+202E⟩ x", "ls \u202e x"},
		{consent.Call{Tool: "plan", Kind: consent.KindThink, Title: "set Release plan: look"}, "plan: set Release plan: look", "set Release plan: look"},
		{consent.Call{Tool: "plan", Kind: consent.KindThink, Title: "set a", Agent: "jan/homer"}, "jan · homer · plan: set a", "jan · homer · set a"},
		{consent.Call{Tool: "trk_search", Kind: consent.KindOther, Title: `{"q":"trk_search"}`}, `trk_search: {"q":"trk_search"}`, `{"q":"trk_search"}`},
		{consent.Call{Tool: "trk_list", Kind: consent.KindOther, Title: "trk_list"}, "trk_list", "trk_list"},
		{consent.Call{Tool: "ask_agent", Kind: consent.KindOther, Title: "ask_agent2 — look"}, "ask_agent: ask_agent2 — look", "ask_agent2 — look"},
		{consent.Call{Tool: "ask_agent", Kind: consent.KindOther, Title: "jan — use ask_agent"}, "ask_agent: jan — use ask_agent", "jan — use ask_agent"},
	} {
		for person, want := range map[bool]string{true: c.person, false: c.toAsker} {
			u := &updates{person: person}
			if got := u.toolCall(ui.ToolCall{Call: c.call}).Title; got != want {
				t.Errorf("to a person %v: %q, want %q", person, got, want)
			}
		}
	}
	u := &updates{person: true, client: acp.ClientCapabilities{Subagents: &acp.Capability{}}}
	if got := u.toolCall(ui.ToolCall{Call: consent.Call{Tool: "plan", Kind: consent.KindThink, Title: "clear", Agent: "jan"}}).Title; got != "plan: clear" {
		t.Errorf("in a session of its own: %q", got)
	}
}
