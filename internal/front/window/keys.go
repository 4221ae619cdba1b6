package window

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// binding is what a key does, and how the list of keys tells it.
type binding struct {
	key.Binding
	do func(m *model) tea.Cmd
}

func bind(keys, shown, what string, do func(m *model) tea.Cmd) binding {
	return binding{key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(shown, what)), do}
}

// quietly is a binding's action that needs nothing of bubbletea.
func quietly(do func(m *model)) func(m *model) tea.Cmd {
	return func(m *model) tea.Cmd { do(m); return nil }
}

// everywhere are the keys that mean the same wherever the focus is.
func everywhere() []binding {
	return []binding{
		bind("f1", "F1", "show or hide this list", quietly((*model).toggleHelp)),
		bind("esc", "Esc", "cancel the turn; leave a list, a search, the conversation; decline a form", quietly((*model).escape)),
		bind("ctrl+c", "Ctrl-C", "cancel the turn, or clear the input; twice: end mm", func(m *model) tea.Cmd {
			if m.interrupt() {
				return m.quit()
			}
			return nil
		}),
		bind("ctrl+z", "Ctrl-Z", "suspend mm; fg goes on", (*model).suspend),
		bind("ctrl+l", "Ctrl-L", "draw the screen again", func(*model) tea.Cmd { return tea.ClearScreen }),
		bind("pgup", "PgUp", "scroll the conversation up", quietly(func(m *model) { m.page(-1) })),
		bind("pgdown", "PgDn", "scroll it down", quietly(func(m *model) { m.page(1) })),
		bind("ctrl+home", "Ctrl-Home", "go to its beginning", quietly(func(m *model) { m.log.Home() })),
		bind("ctrl+end", "Ctrl-End", "go to its end", quietly(func(m *model) { m.log.End() })),
		bind("ctrl+o", "Ctrl-O", "go into the conversation and back: to fold, search, copy", quietly((*model).enterTalk)),
		bind("ctrl+g", "Ctrl-G", "show the work of the next agent only, or everything", quietly(func(m *model) { m.log.Choose(m.team.next(m.log.Choice(), 1)) })),
		bind("ctrl+t", "Ctrl-T", "unfold or fold the team", quietly(func(m *model) { m.team.open = !m.team.open })),
	}
}

// inTalk are the keys in the conversation.
func inTalk() []binding {
	return []binding{
		bind("up k", "↑ k", "a line up", quietly(func(m *model) { m.log.Scroll(-1) })),
		bind("down j", "↓ j", "a line down", quietly(func(m *model) { m.log.Scroll(1) })),
		bind("space", "Space", "a screen down", quietly(func(m *model) { m.log.Page(1) })),
		bind("b", "b", "a screen up", quietly(func(m *model) { m.log.Page(-1) })),
		bind("home g", "g Home", "the beginning", quietly(func(m *model) { m.log.Home() })),
		bind("end G", "G End", "the end", quietly(func(m *model) { m.log.End() })),
		bind("shift+up K [", "K [", "the entry before", quietly(func(m *model) { m.log.Step(-1) })),
		bind("shift+down J ]", "J ]", "the next entry", quietly(func(m *model) { m.log.Step(1) })),
		bind("enter o", "Enter o", "unfold or fold the entry", quietly(func(m *model) { m.log.Toggle() })),
		bind("O", "O", "unfold or fold all", quietly(func(m *model) { m.log.ToggleAll() })),
		bind("y c", "y", "copy the entry", (*model).copyEntry),
		bind("/", "/", "search; capitals count when there are some", quietly((*model).find)),
		bind("n", "n", "the next place found", quietly(func(m *model) { m.log.FindNext(1) })),
		bind("N p", "N", "the one before", quietly(func(m *model) { m.log.FindNext(-1) })),
		bind("0 1 2 3 4 5 6 7 8 9", "1…9 0", "show the work of one agent only, or everything", nil),
		bind("m", "m", "leave the mouse to the terminal, or take it back", quietly(func(m *model) { m.mouse = !m.mouse })),
		bind("?", "?", "show or hide this list", quietly((*model).toggleHelp)),
		bind("tab", "Tab", "to a question that waits", quietly(func(m *model) {
			if m.zone != nil {
				m.focus = onZone
			}
		})),
		bind("i q", "i q", "back to the input", quietly(func(m *model) { m.leaveTalk() })),
	}
}

// inInput are the keys in the input, for the list.
func inInput() []binding {
	none := func(shown, what string) binding { return bind("", shown, what, nil) }
	return []binding{
		none("Enter", "send; a new question cancels the running turn"),
		none("Alt-Enter Ctrl-J", "a new line; so does Enter behind a backslash"),
		none("↑ ↓", "move, and at the ends go through what was typed before"),
		none("Ctrl-R", "search what was typed before; again: an older one"),
		none("Tab", "complete a command, an agent, a path; go to a question that waits"),
		none("Ctrl-W -U -K -Y", "delete a word, up to the beginning, up to the end; put it back"),
		none("Ctrl-D", "on an empty line: end mm"),
	}
}
