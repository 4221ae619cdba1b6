package window

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/ui"
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
		none("Tab", "complete a command, an agent, a path; go to a question that waits"),
		none("Ctrl-W -U -K -Y", "delete a word, up to the beginning, up to the end; put it back"),
		none("Ctrl-D", "on an empty line: end mm"),
	}
}

// key routes a key: what means the same everywhere, then the part that has the focus.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	m.note = ""
	if m.searching(k) || m.completing(k) {
		return nil
	}
	if m.help && m.scrollHelp(k.String()) {
		return nil
	}
	if m.form != nil && !m.aroundForm(k.String()) {
		m.formKey(k)
		return nil
	}
	for _, b := range everywhere() {
		if key.Matches(k, b.Binding) {
			return b.do(m)
		}
	}
	switch m.focus {
	case onTalk:
		return m.talkKey(k)
	case onZone:
		m.zoneKey(k)
		return nil
	}
	return m.inputKey(k)
}

// aroundForm reports whether a key keeps its meaning while a form is shown.
func (m *model) aroundForm(name string) bool {
	switch name {
	case "ctrl+c", "ctrl+z", "ctrl+l", "pgup", "pgdown", "f1", "ctrl+t", "ctrl+g":
		return true
	}
	return m.help && name == "esc"
}

func (m *model) inputKey(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "enter":
		if line, ok := m.input.enter(); ok && m.submit(line) {
			return m.quit()
		}
		m.last = m.now
	case "ctrl+d":
		if m.input.buf.Empty() {
			return m.quit()
		}
		m.input.key(k)
	case "tab":
		if m.zone != nil {
			m.focus = onZone
			return nil
		}
		m.complete()
	default:
		if m.input.key(k) && k.Text != "" {
			m.last = m.now
		}
	}
	return nil
}

// zoneKey answers the permission question, once nobody has just been typing.
func (m *model) zoneKey(k tea.KeyPressMsg) {
	name := k.String()
	switch name {
	case "up", "k":
		m.zone.scroll(-1)
		return
	case "down", "j":
		m.zone.scroll(1)
		return
	case "tab":
		m.focus = onInput
		return
	}
	if !m.armed() {
		if k.Text != "" {
			m.focus = onInput
			m.inputKey(k)
		}
		return
	}
	if a, ok := answerKey(name); ok {
		m.allow(a)
		return
	}
	m.flash("a s r n answer · Tab goes to the input · Esc cancels the turn")
}

// formKey answers the form. What is still meant for the input goes there.
func (m *model) formKey(k tea.KeyPressMsg) {
	if !m.armed() {
		if k.Text != "" {
			m.inputKey(k)
		}
		return
	}
	m.form.key(k)
	m.formDone()
}

func (m *model) formDone() {
	if r, ok := m.form.Reply(); ok {
		m.reply(answer{form: r})
	}
}

func (m *model) talkKey(k tea.KeyPressMsg) tea.Cmd {
	name := k.String()
	if len(name) == 1 && name[0] >= '0' && name[0] <= '9' {
		m.log.Choose(m.team.nth(int(name[0] - '0')))
		return nil
	}
	for _, b := range inTalk() {
		if key.Matches(k, b.Binding) && b.do != nil {
			return b.do(m)
		}
	}
	return nil
}

// escape leaves what is open, and cancels the turn when nothing is.
func (m *model) escape() {
	switch {
	case m.help:
		m.help = false
	case m.log.Query() != "":
		m.log.Search("")
	case m.focus == onTalk:
		m.leaveTalk()
	case m.turn.running():
		m.stop()
	default:
		m.log.Deselect()
		m.log.End()
	}
}

func (m *model) toggleHelp() { m.help, m.helpTop = !m.help, 0 }

func (m *model) enterTalk() {
	if m.focus == onTalk {
		m.leaveTalk()
		return
	}
	m.focus = onTalk
}

func (m *model) leaveTalk() {
	m.focus = onInput
	m.log.Unmark()
	m.log.Search("")
	m.log.End()
	if m.zone != nil && m.input.buf.Blank() {
		m.focus = onZone
	}
}

// scrollHelp takes the keys that scroll the list of keys.
func (m *model) scrollHelp(name string) bool {
	switch name {
	case "up":
		m.helpTop--
	case "down":
		m.helpTop++
	case "pgup":
		m.helpTop -= m.places.talk.height
	case "pgdown", "space":
		m.helpTop += m.places.talk.height
	default:
		return false
	}
	return true
}

// page scrolls the question's body when it is longer than its room, else the conversation.
func (m *model) page(n int) {
	if m.focus == onZone && m.zone != nil && len(m.zone.body) > m.zone.room {
		m.zone.scroll(n * max(1, m.zone.room-1))
		return
	}
	m.log.Page(n)
}

func (m *model) paste(text string) {
	switch {
	case m.search != nil:
		m.search.Insert(ui.CleanLine(text))
	case m.form != nil:
		if b := m.form.Box(); b != nil && m.armed() {
			b.Insert(ui.Clean(text))
		}
	default:
		if m.focus != onInput {
			m.focus = onInput
		}
		m.input.paste(text)
		m.last = m.now
	}
}
