package window

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// completion is what Tab offers above the input.
type completion struct {
	list []engine.Completion
	at   int // the one that stands in the input, -1 for none yet
	n    int // bytes of it there
}

func (c *completion) open() bool { return len(c.list) > 0 }

// complete completes what stands before the cursor, or offers what it may become.
func (m *model) complete() {
	before, first := m.input.buf.Before()
	list, n := m.session.Complete(before, first)
	if len(list) == 0 {
		m.flash("nothing to complete")
		return
	}
	if len(list) == 1 {
		m.input.buf.ReplaceBefore(n, ended(list[0]))
		return
	}
	common := commonPrefix(list)
	if len(common) > n {
		m.input.buf.ReplaceBefore(n, common)
		n = len(common)
	}
	m.picker = completion{list: list, at: -1, n: n}
}

// ended is a completion with the blank that ends its word.
func ended(c engine.Completion) string {
	if c.Open {
		return c.Text
	}
	return c.Text + " "
}

func commonPrefix(list []engine.Completion) string {
	p := list[0].Text
	for _, c := range list[1:] {
		for !strings.HasPrefix(c.Text, p) {
			p = p[:len(p)-1]
		}
	}
	return strings.ToValidUTF8(p, "")
}

// completing goes through what Tab has offered; any other key takes what stands in the input.
func (m *model) completing(k tea.KeyPressMsg) bool {
	p := &m.picker
	if !p.open() {
		return false
	}
	step := 1
	switch k.String() {
	case "tab", "down":
	case "shift+tab", "up":
		step = -1
	case "esc":
		m.picker = completion{}
		return true
	default:
		m.picker = completion{}
		return false
	}
	if p.at < 0 && step < 0 {
		p.at = 0
	}
	p.at = (p.at + step + len(p.list)) % len(p.list)
	m.input.buf.ReplaceBefore(p.n, p.list[p.at].Text)
	p.n = len(p.list[p.at].Text)
	return true
}

// view draws what is offered in at most height lines.
func (c *completion) view(width, height int, m cells.Measure) []paint.Line {
	wide := 0
	for _, x := range c.list {
		wide = max(wide, cells.Width(ui.CleanLine(x.Text), m))
	}
	wide = min(wide, width/2)
	first := max(0, min(c.at, len(c.list)-height))
	var out []paint.Line
	for i := first; i < len(c.list) && len(out) < height; i++ {
		st := paint.Plain
		if i == c.at {
			st = paint.Reverse
		}
		text := cells.Pad(cells.Cut("  "+ui.CleanLine(c.list[i].Text), wide+2, m), wide+2, m)
		line := paint.Text(text, st, m)
		out = append(out, line.Add(cells.Cut("  "+ui.CleanLine(c.list[i].Help), max(0, width-line.Width), m), paint.Faint, m))
	}
	return out
}
