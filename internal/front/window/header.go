package window

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/front/window/talk"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// header says who is at work: "mm [title] · model @ provider", and of an asked agent who asked it
// (tools.fr.md, ask_agent, Affichage).
func (m *model) header() string {
	f := m.engine.File()
	who := name(f.ACPTitle, f.HasTitle())
	text := who + " · " + talk.Model(m.modelName(), m.session.Model().Provider())
	if b := m.team.speaker(m.log.Choice()); b != nil {
		by := f.ACPTitle
		if p := m.team.find(b.parent); p != nil {
			by = cmp.Or(p.title, shortName(p.agent))
		}
		text = b.name()
		if b.model != "" {
			text += " · " + b.model
		}
		text += " · asked by " + by
	}
	text = cells.Cut(" "+ui.CleanLine(text), m.width, m.measure)
	return lipgloss.NewStyle().Reverse(true).Render(cells.Pad(text, m.width, m.measure))
}

// name is how an agent is named: "mm [title]", or only "mm".
func name(title string, has bool) string {
	if !has || title == "" {
		return "mm"
	}
	return "mm [" + title + "]"
}

func (b *member) name() string { return name(cmp.Or(b.title, shortName(b.agent)), true) }

func (m *model) modelName() string {
	if n := m.session.Model().Name(); n != "" {
		return n
	}
	return "(first model of the server)"
}

// status is the last line: what goes on, agents at work, tokens of the context, yolo, and what can be
// done now. Where there isn't room for all, the last ones are left out.
func (m *model) status() string {
	parts, hint := m.parts(), m.hint()
	for {
		left := ui.CleanLine(strings.Join(parts, " · "))
		gap := m.width - cells.Width(left, m.measure) - cells.Width(hint, m.measure)
		if gap >= 2 || gap >= 0 && left == "" {
			return paint.Faint.On(left + strings.Repeat(" ", gap) + hint)
		}
		if len(parts) < 2 {
			return paint.Faint.On(cells.Cut(left, m.width, m.measure))
		}
		parts = parts[:len(parts)-1]
	}
}

// parts are the status line's, the most important first.
func (m *model) parts() []string {
	var parts []string
	if m.note != "" {
		parts = append(parts, m.note)
	}
	if m.turn.running() {
		parts = append(parts, talk.Spinner(m.now)+" "+m.phase()+" "+talk.Duration(m.now.Sub(m.turn.began)))
	}
	if n := len(m.team.working()); n > 0 {
		parts = append(parts, fmt.Sprintf("%d at work", n))
	}
	if u := m.usage; u.Context > 0 {
		text := "context " + thousands(u.Context)
		if u.Window > 0 {
			text += fmt.Sprintf("/%s (%d %%)", thousands(u.Window), u.Context*100/u.Window)
		}
		parts = append(parts, text)
	}
	yolo := "yolo: off"
	if m.engine.File().Yolo {
		yolo = "yolo: on"
	}
	return append(parts, yolo)
}

// phase is what the turn waits for.
func (m *model) phase() string {
	if m.zone != nil || m.form != nil {
		return "waiting for you"
	}
	return cmp.Or(m.turn.phase, "working")
}

// hint is what can be done now.
func (m *model) hint() string {
	switch {
	case m.help:
		return "↑↓ PgDn · Esc closes"
	case m.picker.open():
		return "Tab next · any key takes it"
	case m.finding():
		return "Enter finds · Esc ends"
	case m.form != nil:
		return "Ctrl-C cancels the turn"
	case m.zone != nil && m.focus != onZone:
		return "Tab answers the question"
	case m.focus == onTalk:
		return "? keys · / search · Esc back"
	case !m.log.Following():
		return fmt.Sprintf("%d %% · End of text: Ctrl-End", m.log.Percent())
	case m.turn.running():
		return "Esc cancels"
	}
	return "F1 keys"
}
