package talk

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// point is a cell of the conversation.
type point struct {
	pos
	x int
}

// stretch is what the mouse has selected.
type stretch struct {
	from, to point
	live     bool // something is selected
}

func (s stretch) ordered() (a, b point) {
	if s.to.pos.before(s.from.pos) || s.to.pos == s.from.pos && s.to.x < s.from.x {
		return s.to, s.from
	}
	return s.from, s.to
}

// on returns which cells of a line are selected.
func (s stretch) on(p pos, width int) (from, to int, ok bool) {
	if !s.live {
		return 0, 0, false
	}
	a, b := s.ordered()
	if p.before(a.pos) || b.pos.before(p) {
		return 0, 0, false
	}
	from, to = 0, width
	if p == a.pos {
		from = min(a.x, width)
	}
	if p == b.pos {
		to = min(b.x+1, width)
	}
	return from, to, from < to
}

// Press begins a selection at a cell of the screen.
func (l *Log) Press(x, y int) {
	l.mark = stretch{}
	if p, ok := l.point(x, y); ok {
		l.mark.from, l.mark.to = p, p
	}
}

// Drag goes on with the selection.
func (l *Log) Drag(x, y int) {
	if p, ok := l.point(x, y); ok && l.mark.from != (point{}) {
		l.mark.live = l.mark.live || p != l.mark.from
		l.mark.to = p
	}
}

// Release ends the selection and returns its text. A click, which selects nothing, folds or unfolds
// what stands there.
func (l *Log) Release(x, y int) string {
	if l.mark.live {
		return l.selected()
	}
	if p, ok := l.point(x, y); ok {
		if b := l.at(p.entry).common(); b.foldable && p.part == 0 && p.line >= len(l.lead(p.entry)) {
			l.toggle(l.at(p.entry))
		}
	}
	return ""
}

// point is what stands at a cell of the screen; below the last line it is that line's end.
func (l *Log) point(x, y int) (point, bool) {
	if len(l.screen) == 0 || y < 0 {
		return point{}, false
	}
	if y >= len(l.screen) {
		y, x = len(l.screen)-1, 1<<20
	}
	if l.screen[y].entry >= len(l.shown) {
		return point{}, false
	}
	return point{l.screen[y], max(x, 0)}, true
}

// selected is the text of the selection, as it stands on the screen.
func (l *Log) selected() string {
	a, b := l.mark.ordered()
	var out []string
	for p, ok := a.pos, true; ok && !b.pos.before(p) && p.entry < len(l.shown); p, ok = l.below(p) {
		for i, line := range l.unit(p.entry, p.part) {
			at := pos{p.entry, p.part, i}
			from, to, on := l.mark.on(at, line.Width)
			switch {
			case on:
				text := ansi.Strip(l.slice(line, from, to))
				if from < 2 {
					text = strings.TrimPrefix(strings.TrimPrefix(text, gutter), " ")
				}
				out = append(out, strings.TrimRight(text, " "))
			case !at.before(a.pos) && !b.pos.before(at):
				out = append(out, "")
			}
		}
	}
	return strings.Join(out, "\n")
}

// Deselect ends the selection.
func (l *Log) Deselect() { l.mark = stretch{} }

// Step makes the next entry stand out, or the one before when step is negative, and shows it.
func (l *Log) Step(step int) {
	i := len(l.shown)
	if l.cur == nil && len(l.screen) > 0 {
		i = l.screen[len(l.screen)-1].entry + 1
		if step > 0 {
			i = l.screen[0].entry - 1
		}
	}
	for j := range l.shown {
		if l.cur != nil && l.at(j) == l.cur {
			i = j
		}
	}
	for i += step; i >= 0 && i < len(l.shown); i += step {
		if l.at(i).parts() > 0 {
			l.cur = l.at(i)
			l.reveal(i)
			return
		}
	}
}

// reveal scrolls to an entry whose beginning isn't seen.
func (l *Log) reveal(i int) {
	for _, p := range l.screen {
		if p.entry == i && p.part == 0 {
			return
		}
	}
	l.show(pos{entry: i})
}

// Unmark lets no entry stand out.
func (l *Log) Unmark() { l.cur = nil }

// current is the entry that stands out, or else the last one on the screen that fits.
func (l *Log) current(fits func(*base) bool) entry {
	if l.cur != nil {
		return l.cur
	}
	for y := len(l.screen) - 1; y >= 0; y-- {
		if i := l.screen[y].entry; i < len(l.shown) && fits(l.at(i).common()) {
			return l.at(i)
		}
	}
	return nil
}

// Toggle folds or unfolds the current entry. It reports false when there is nothing to fold.
func (l *Log) Toggle() bool {
	e := l.current(func(b *base) bool { return b.foldable })
	if e == nil || !e.common().foldable {
		return false
	}
	l.toggle(e)
	return true
}

func (l *Log) toggle(e entry) {
	b := e.common()
	fold(e, !b.folded)
	if !b.folded && l.follow {
		l.follow = false // what was unfolded stays where it is, and what is below moves down
	}
}

// ToggleAll unfolds everything, or folds everything when nothing is folded.
func (l *Log) ToggleAll() {
	folded := false
	for i := range l.shown {
		b := l.at(i).common()
		folded = folded || b.foldable && b.folded
	}
	for i := range l.shown {
		if e := l.at(i); e.common().foldable {
			fold(e, !folded)
		}
	}
}

// fold folds or unfolds an entry for the person: a call's end doesn't change that any more.
func fold(e entry, folded bool) {
	e.common().folded = folded
	if t, ok := e.(*call); ok {
		t.touched = true
	}
}

// Copy is the source of the current entry: the Markdown of an answer, a call's output.
func (l *Log) Copy() string {
	e := l.current(func(b *base) bool { return b.kind == answer || b.kind == calling || b.kind == asked })
	if e == nil {
		return ""
	}
	return e.source()
}
