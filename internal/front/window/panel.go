package window

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/front/window/talk"
	"github.com/mini-me/mm/internal/ui/cells"
)

// shape says how the team is drawn.
type shape struct {
	width  int // of a panel beside the conversation, 0 for none
	height int // of a fold above it, 0 for none
}

// panelWidth is what the panel takes where there is room for it.
const panelWidth = 34

// shape decides how much of the screen the team gets: something while it works, or while one of its
// members is looked at.
func (t *team) shape(width, height int, choice string) shape {
	switch {
	case len(t.members) == 0, len(t.working()) == 0 && choice == "" && !t.open:
		return shape{}
	case width >= 100:
		return shape{width: panelWidth}
	case height < 8:
		return shape{}
	case !t.open:
		return shape{height: 1}
	}
	return shape{height: min(1+len(t.members), max(2, height/3))}
}

// fold draws the team above the conversation: a line, and one for each when it is open.
func (t *team) fold(s shape, width int, choice string, now time.Time, look func(string) paint.Style, m cells.Measure) []paint.Line {
	var names []string
	for _, b := range t.working() {
		names = append(names, shortName(b.agent)+": "+b.doing)
	}
	mark, text := "▸", strings.Join(names, " · ")
	if t.open {
		mark, text = "▾", fmt.Sprintf("%d at work (Ctrl-G shows one, Ctrl-T folds)", len(names))
	}
	if len(names) == 0 {
		text = fmt.Sprintf("asked: %d (Ctrl-G shows one)", len(t.members))
	}
	out := []paint.Line{paint.Text(cells.Cut(mark+" "+text, width, m), paint.Faint, m)}
	for i := t.first(s.height - 1); i < len(t.members) && len(out) < s.height; i++ {
		b := t.members[i]
		out = append(out, memberLine(i, b, width, choice, now, look, m))
	}
	return out
}

// first is the first member that is drawn where not all have room: the last ones are.
func (t *team) first(room int) int { return max(0, len(t.members)-max(room, 0)) }

// memberLine is a member on one line.
func memberLine(i int, b *member, width int, choice string, now time.Time, look func(string) paint.Style, m cells.Measure) paint.Line {
	line := paint.Text(marker(b, choice)+strconv.Itoa(i+1)+" ", paint.Plain, m)
	line = line.Add(cells.Cut(strings.ReplaceAll(b.agent, "/", " · "), width/3, m), look(b.ask), m)
	tail := " " + b.clock(now)
	if b.tokens > 0 {
		tail += " · " + thousands(b.tokens) + " tok"
	}
	room := width - line.Width - cells.Width(tail, m) - 1
	line = line.Add(" "+cells.Pad(cells.Cut(b.doing, max(room, 0), m), max(room, 0), m), paint.Plain, m)
	return line.Add(cells.Cut(tail, max(0, width-line.Width), m), paint.Faint, m)
}

func marker(b *member, choice string) string {
	if b.ask == choice {
		return "❯"
	}
	return " "
}

// clock is how long the member works, or has worked.
func (b *member) clock(now time.Time) string {
	if b.failed {
		return "✗ " + talk.Duration(b.ended.Sub(b.began))
	}
	if !b.working() {
		return "✓ " + talk.Duration(b.ended.Sub(b.began))
	}
	return talk.Duration(now.Sub(b.began))
}

// panel draws the team beside the conversation: two lines for each.
func (t *team) panel(height int, choice string, now time.Time, look func(string) paint.Style, m cells.Measure) []paint.Line {
	inner := panelWidth - 2
	out := []paint.Line{paint.Text(cells.Cut(fmt.Sprintf("%d at work · Ctrl-G", len(t.working())), inner, m), paint.Faint, m)}
	for i := t.first((height - 1) / 2); i < len(t.members); i++ {
		b := t.members[i]
		name := paint.Text(marker(b, choice)+strconv.Itoa(i+1)+" ", paint.Plain, m)
		name = name.Add(cells.Cut(strings.ReplaceAll(b.agent, "/", " · "), inner/2, m), look(b.ask), m)
		if b.model != "" {
			name = name.Add(cells.Cut(" "+b.model, inner-name.Width, m), paint.Faint, m)
		}
		tail := b.clock(now)
		if b.tokens > 0 {
			tail += " · " + thousands(b.tokens)
		}
		room := inner - 4 - cells.Width(tail, m)
		does := "   " + cells.Pad(cells.Cut(b.doing, room, m), room, m) + " " + tail
		out = append(out, name, paint.Text(cells.Cut(does, inner, m), paint.Plain, m))
	}
	bar := paint.Faint.On("│") + " "
	for len(out) < height {
		out = append(out, paint.Line{})
	}
	for i, l := range out {
		out[i] = paint.Line{Text: bar + l.Text, Width: 2 + l.Width}
	}
	return out[:height]
}

// clicked is the member on a line of the panel, or of the fold; -1 for none.
func (t *team) clicked(s shape, y, height int) int {
	i := -1
	switch {
	case y < 1:
	case s.width > 0:
		i = t.first((height-1)/2) + (y-1)/2
	default:
		i = t.first(s.height-1) + y - 1
	}
	if i >= len(t.members) {
		return -1
	}
	return i
}
