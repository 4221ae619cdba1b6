package window

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui/cells"
	"github.com/mini-me/mm/internal/ui/edit"
)

// area is where a part of the screen stands: its first line and how many.
type area struct{ y, height int }

func (a area) has(y int) bool { return y >= a.y && y < a.y+a.height }

// places are the parts as they were drawn last, for the mouse.
type places struct {
	team, talk, options, zone, input area
	shape                            shape
}

// The least that the window is drawn in.
const (
	leastWidth  = 16
	leastHeight = 4
)

// View draws the screen.
func (m *model) View() tea.View {
	v := tea.View{AltScreen: true}
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.over {
		return v
	}
	if m.width < leastWidth || m.height < leastHeight {
		v.SetContent(cells.Cut("mm needs 16×4", m.width, m.measure))
		return v
	}
	lines, x, y := m.screen()
	v.SetContent(strings.Join(lines, "\n"))
	if y >= 0 {
		v.Cursor = tea.NewCursor(x, y)
	}
	return v
}

// screen is all lines, and where the cursor is; y is -1 for nowhere.
func (m *model) screen() (lines []string, x, y int) {
	lines = make([]string, 0, m.height)
	var bottom []paint.Line
	y = -1
	if !m.cramped() {
		lines = append(lines, m.header())
		bottom, x, y = m.bottom()
	}
	lines = append(lines, m.body(len(lines), m.height-1-len(lines)-len(bottom))...)
	m.places.input = area{len(lines), len(bottom)}
	if y >= 0 {
		y += len(lines)
	}
	for _, l := range bottom {
		lines = append(lines, l.Text)
	}
	return append(lines, m.status()), x, y
}

// cramped reports whether a question needs the whole of a small screen: what may run has to be seen,
// and how to answer.
func (m *model) cramped() bool { return m.height < 10 && m.zone != nil && m.focus == onZone && !m.help }

// bottom is what stands where a person types: the input, a form's question, a search.
func (m *model) bottom() (lines []paint.Line, x, y int) {
	limit := max(1, min(10, m.height/3))
	rule := m.height >= 10
	switch {
	case m.search != nil:
		lines, x, y = box(m.search, "/", m.width, 1, m.measure)
	case m.recall != nil:
		found := edit.NewLine(m.recall.found)
		lines, x, y = box(found, cells.Cut(m.recall.sign(), m.width*2/3, m.measure), m.width, 1, m.measure)
	case m.form != nil:
		lines, x, y = m.form.view(m.width, max(limit, 2), m.measure)
	default:
		lines, x, y = m.input.view(m.width, limit, m.measure)
		if m.focus != onInput {
			y = -1
		}
	}
	if rule {
		lines = append([]paint.Line{m.rule()}, lines...)
		if y >= 0 {
			y++
		}
	}
	return lines, x, y
}

// rule is the line above the input: it names the part that has the focus.
func (m *model) rule() paint.Line {
	word := ""
	switch {
	case m.search != nil:
		word = " search "
	case m.form != nil:
		word = " " + m.form.help() + " "
	case m.focus == onTalk:
		word = " in the conversation "
	}
	word = cells.Cut(word, m.width, m.measure)
	n := max(0, m.width-cells.Width(word, m.measure))
	return paint.Text(strings.Repeat("─", min(n, 2))+word+strings.Repeat("─", max(0, n-2)), paint.Faint, m.measure)
}

// body is the conversation, with the team, and above the input a question, from the line top on.
func (m *model) body(top, room int) []string {
	m.places = places{}
	var below []paint.Line
	switch {
	case m.zone != nil:
		below = m.zoneLines(room)
	case m.form != nil:
		below = m.form.options(m.width, min(room-1, max(1, m.height/2)), m.measure)
	case m.picker.open():
		below = m.picker.view(m.width, max(1, min(room-1, 8)), m.measure)
	}
	room -= len(below)
	s := m.team.shape(m.width, m.height, m.log.Choice())
	if s.height >= room {
		s.height = 0
	}
	m.places.shape = s
	out := make([]string, 0, room+len(below))
	if s.height > 0 {
		m.places.team = area{top, s.height}
		for _, l := range m.team.fold(s, m.width, m.log.Choice(), m.now, m.look, m.measure) {
			out = append(out, l.Text)
		}
	}
	m.places.talk = area{top + s.height, room - s.height}
	out = append(out, m.middle(top, room-s.height, s)...)
	at := area{top + len(out), len(below)}
	if m.zone != nil {
		m.places.zone = at
	} else {
		m.places.options = at
	}
	for _, l := range below {
		out = append(out, l.Text)
	}
	return out
}

// middle is the conversation, with the team's panel beside it, or the list of keys.
func (m *model) middle(top, height int, s shape) []string {
	width := m.width - s.width
	m.log.Layout(width, m.measure)
	lines := m.log.View(height)
	if m.help {
		lines = m.helpLines(width, height)
	}
	var panel []paint.Line
	if s.width > 0 {
		m.places.team = area{top, height}
		panel = m.team.panel(height, m.log.Choice(), m.now, m.look, m.measure)
	}
	out := make([]string, height)
	for i := range out {
		var l paint.Line
		if i < len(lines) {
			l = lines[i]
		}
		out[i] = l.Text
		if panel != nil {
			out[i] = l.Pad(width) + panel[i].Text
		}
	}
	return out
}

// look is an agent's colour.
func (m *model) look(ask string) paint.Style { return m.log.Ask(ask).Colour }

func (m *model) zoneLines(room int) []paint.Line {
	limit := max(min(4, room-1), room-max(3, m.height/4))
	if m.cramped() {
		limit = room
	}
	height := m.zone.height(m.width, limit, m.measure)
	return m.zone.view(m.width, height, m.focus == onZone && m.armed(), m.measure)
}

// helpLines is the list of keys.
func (m *model) helpLines(width, height int) []paint.Line {
	groups := []struct {
		title string
		list  []binding
	}{{"Input", inInput()}, {"Everywhere", everywhere()}, {"In the conversation (Ctrl-O)", inTalk()}}
	if m.focus == onTalk {
		groups[0], groups[2] = groups[2], groups[0]
	}
	var out []paint.Line
	for _, g := range groups {
		out = append(out, paint.Text(cells.Cut(g.title, width, m.measure), paint.Bold, m.measure))
		for _, b := range g.list {
			out = append(out, m.helpLine(b, width)...)
		}
	}
	m.helpTop = max(0, min(m.helpTop, len(out)-height))
	return out[m.helpTop:min(len(out), m.helpTop+height)]
}

func (m *model) helpLine(b binding, width int) []paint.Line {
	const column = 22
	h := b.Help()
	if width < 2*column {
		return []paint.Line{paint.Text(cells.Cut("  "+h.Key+": "+h.Desc, width, m.measure), paint.Plain, m.measure)}
	}
	var out []paint.Line
	for i, row := range cells.Break(h.Desc, width-column, m.measure, true) {
		key := ""
		if i == 0 {
			key = "  " + h.Key
		}
		out = append(out, paint.Text(cells.Pad(key, column, m.measure), paint.Bold, m.measure).Add(row, paint.Plain, m.measure))
	}
	return out
}
