package window

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/edit"
)

// key routes a key: what means the same everywhere, then the part that has the focus.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	m.note = ""
	if m.searching(k) || m.recalling(k) || m.completing(k) {
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
	case "ctrl+r":
		m.recall = &recall{buf: edit.NewLine(""), at: -1}
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
