package window

import tea "charm.land/bubbletea/v2"

// wheel is how many lines the wheel scrolls.
const wheel = 3

// mouseEvent routes the mouse to the part under it.
func (m *model) mouseEvent(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg := msg.(type) {
	case tea.MouseWheelMsg:
		step := wheel
		if msg.Button == tea.MouseWheelUp {
			step = -wheel
		}
		if m.places.zone.has(at.Y) && m.zone != nil {
			m.zone.scroll(step)
		} else {
			m.log.Scroll(step)
		}
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			m.click(at.X, at.Y)
		}
	case tea.MouseMotionMsg:
		if msg.Button == tea.MouseLeft {
			m.log.Drag(at.X, at.Y-m.places.talk.y)
		}
	case tea.MouseReleaseMsg:
		if m.places.talk.has(at.Y) {
			if text := m.log.Release(at.X, at.Y-m.places.talk.y); text != "" {
				return m.copy(text)
			}
		}
	}
	return nil
}

// click is the left button going down.
func (m *model) click(x, y int) {
	p := m.places
	inPanel := p.shape.width > 0 && x >= m.width-p.shape.width && p.team.has(y)
	switch {
	case inPanel, p.shape.height > 0 && p.team.has(y):
		m.clickTeam(y)
	case p.talk.has(y):
		m.log.Press(x, y-p.talk.y)
	case m.zone != nil && p.zone.has(y):
		if a, ok := m.zone.clicked(x, y-p.zone.y, m.width, p.zone.height, m.measure); ok && m.armed() {
			m.allow(a)
		}
	case m.form != nil && p.options.has(y):
		if m.armed() {
			m.form.Choose(m.form.top + y - p.options.y)
			m.formDone()
		}
	case p.input.has(y) && m.form == nil && m.search == nil:
		m.clickInput(x, y)
	}
}

func (m *model) clickTeam(y int) {
	p := m.places
	i := m.team.clicked(p.shape, y-p.team.y, p.team.height)
	switch {
	case i >= 0 && m.team.members[i].ask == m.log.Choice():
		m.log.Choose("")
	case i >= 0:
		m.log.Choose(m.team.members[i].ask)
	case p.shape.height > 0 && y == p.team.y:
		m.team.open = !m.team.open
	}
}

func (m *model) clickInput(x, y int) {
	m.focus = onInput
	row := y - m.places.input.y
	if m.height >= 10 { // the rule above
		row--
	}
	if row >= 0 {
		m.input.buf.Click(max(0, x-len(sign)), row)
	}
}
