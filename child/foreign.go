package child

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
)

// askingModes are the modes of known agents in which they ask before they act, best first: those of
// mm, Claude Code and Gemini CLI, Codex, and what others call it.
func askingModes() []string {
	return []string{"ask", "default", "read-only", "readonly", "manual", "normal", "confirm", "on-request"}
}

// skipping reports whether a mode is known to skip permissions, by its id or name.
func skipping(m acp.Mode) bool {
	text := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(m.ID + "|" + m.Name))
	for _, word := range []string{"yolo", "bypass", "fullaccess", "autoedit", "acceptedits", "autoapprove", "dontask", "dangerous", "unrestricted", "auto", "neverask"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// answersOnly reports whether a mode changes nothing at all, by its description: Cursor has such an "ask".
func answersOnly(m acp.Mode) bool {
	return strings.Contains(strings.ToLower(m.Description), "no edits")
}

// askingMode returns the mode that a session of another agent is put in, "" to leave it: the one
// that asks, where it is offered and isn't the current one. One that is known to skip permissions is
// never chosen.
func askingMode(m *acp.Modes) string {
	if m == nil {
		return ""
	}
	for _, want := range askingModes() {
		for _, offered := range m.AvailableModes {
			if strings.EqualFold(offered.ID, want) && !skipping(offered) && !answersOnly(offered) {
				if offered.ID == m.CurrentModeID {
					return ""
				}
				return offered.ID
			}
		}
	}
	for _, current := range m.AvailableModes {
		if current.ID == m.CurrentModeID && skipping(current) {
			return firstAsking(m)
		}
	}
	return ""
}

// firstAsking is the first mode that isn't known to skip permissions.
func firstAsking(m *acp.Modes) string {
	for _, o := range m.AvailableModes {
		if !skipping(o) {
			return o.ID
		}
	}
	return ""
}

// modeWait bounds the change of an agent's mode.
const modeWait = 5 * time.Second

// settle puts a session of an agent of another make into the mode in which it asks: by session/set_mode,
// or by the config option of that category where it has no modes (ACP v1 replaces these by those).
func (a *ask) settle(ctx context.Context, s acp.NewSessionResponse) error {
	m, option := s.Modes, ""
	if m == nil {
		m, option = modeOption(s.ConfigOptions)
	}
	mode := askingMode(m)
	if mode == "" {
		a.atWill(m)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, modeWait)
	defer cancel()
	var err error
	if option == "" {
		err = a.c.conn.Call(ctx, acp.MethodSetMode, acp.SetModeRequest{SessionID: a.id, ModeID: mode}, nil)
	} else {
		err = a.c.conn.Call(ctx, acp.MethodSetConfigOption, acp.SetConfigOptionRequest{SessionID: a.id, ConfigID: option, Value: mode}, nil)
	}
	if err != nil {
		return fmt.Errorf("can't be put into its asking mode %q: %w", mode, turnError(err))
	}
	return nil
}

// atWill says so when the session stays in a mode that is known to skip permissions.
func (a *ask) atWill(m *acp.Modes) {
	if m == nil {
		return
	}
	for _, o := range m.AvailableModes {
		if o.ID == m.CurrentModeID && skipping(o) {
			a.skips(a.c.cmd.Name, fmt.Sprintf("%s is in mode %q and offers none in which it asks", a.c.cmd.Name, o.Name))
		}
	}
}

// modeOption returns the modes among the config options, and the option's id.
func modeOption(options []acp.ConfigOption) (*acp.Modes, string) {
	for _, o := range options {
		if o.Category != acp.CategoryMode || o.Type != acp.OptionSelect {
			continue
		}
		m := &acp.Modes{CurrentModeID: o.Value}
		for _, v := range o.Options {
			m.AvailableModes = append(m.AvailableModes, acp.Mode{ID: v.Value, Name: v.Name})
		}
		return m, o.ID
	}
	return nil, ""
}

// changes reports whether a call of this kind changes something.
func changes(k consent.Kind) bool {
	switch k {
	case consent.KindEdit, consent.KindDelete, consent.KindMove, consent.KindExecute:
		return true
	}
	return false
}

// unasked notes a call of another agent that changed something and was never submitted to the gate,
// and says so once: such an agent does as it likes.
func (a *ask) unasked(t ui.ToolCall) {
	if a.c.cmd.MM || t.Status != ui.Completed || !changes(t.Kind) {
		return
	}
	a.skips(t.Agent, fmt.Sprintf("%s ran %q without asking", a.c.cmd.Name, t.Title))
}

// skips notes that the agent acts without asking, and warns once.
func (a *ask) skips(agent, why string) {
	if a.c.skips.Swap(true) {
		return
	}
	a.host.Emit(ui.Notice{Agent: agent, Level: ui.Warning, Text: "[warning: " + why +
		": it doesn't submit its calls to mm — set it to ask in its own settings, or don't let it near what matters]"})
	if a.c.cmd.Skips != nil {
		a.c.cmd.Skips()
	}
}

// submitted notes that another agent has asked before it changes something, as it was perhaps set to
// since it was found not to.
func (a *ask) submitted(t ui.ToolCall) {
	if a.c.cmd.MM || !changes(t.Kind) || a.c.skips.Load() || a.c.asked.Swap(true) {
		return
	}
	if a.c.cmd.Asks != nil {
		a.c.cmd.Asks()
	}
}
