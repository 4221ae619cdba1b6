package talk

import (
	"strings"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
)

// remark is text of mm's own.
type remark struct {
	base
	pieces []string
	style  paint.Style
}

func newRemark(ask, text string, st paint.Style) *remark {
	return &remark{base: base{ask: ask, kind: note}, pieces: chunks(ui.Clean(text)), style: st}
}

func (n *remark) parts() int          { return len(n.pieces) }
func (n *remark) rev(canvas, int) int { return 0 }
func (n *remark) plain(i int) string  { return n.pieces[i] }
func (n *remark) source() string      { return strings.Join(n.pieces, "\n") }
func (n *remark) draw(c canvas, i int) []paint.Line {
	return plainLines(n.pieces[i], c.width, c.m, true, "", n.style)
}

// begun says that an agent begins to work.
type begun struct {
	base
	head, model, prompt string
	style               paint.Style
}

func (b *begun) parts() int          { return 1 }
func (b *begun) rev(canvas, int) int { return 0 }
func (b *begun) plain(int) string    { return b.head + " " + b.model }
func (b *begun) source() string      { return b.prompt }

func (b *begun) draw(c canvas, _ int) []paint.Line {
	line := paint.Text(b.head, b.style, c.m)
	if b.model != "" {
		line = line.Add(" · "+b.model, paint.Faint, c.m)
	}
	if line.Width > c.width {
		return plainLines(b.head, c.width, c.m, false, "", b.style)
	}
	return []paint.Line{line}
}

// plan is an agent's plan as it stands.
type plan struct {
	base
	steps []ui.PlanEntry
	count int // of changes
}

func (p *plan) parts() int          { return flag(len(p.steps) > 0) }
func (p *plan) rev(canvas, int) int { return p.count }

func (p *plan) plain(int) string {
	var b strings.Builder
	for _, s := range p.steps {
		b.WriteString(stepMark(s.Status) + " " + ui.CleanLine(s.Text) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (p *plan) source() string { return p.plain(0) }

func (p *plan) draw(c canvas, _ int) []paint.Line {
	out := []paint.Line{paint.Text("plan", paint.Bold, c.m)}
	for _, s := range p.steps {
		st := paint.Plain
		switch s.Status {
		case "completed":
			st = paint.Faint
		case "in_progress":
			st = paint.Bold
		}
		out = append(out, plainLines(stepMark(s.Status)+" "+ui.CleanLine(s.Text), c.width, c.m, true, "  ", st)...)
	}
	return out
}

func stepMark(status string) string {
	switch status {
	case "completed":
		return "☑"
	case "in_progress":
		return "▶"
	}
	return "☐"
}
