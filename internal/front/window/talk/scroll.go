package talk

import "github.com/mini-me/mm/internal/front/window/paint"

// pos is a line of the conversation: an entry (by its place among those shown), a part, a line.
type pos struct{ entry, part, line int }

func (p pos) before(q pos) bool {
	if p.entry != q.entry {
		return p.entry < q.entry
	}
	if p.part != q.part {
		return p.part < q.part
	}
	return p.line < q.line
}

func (l *Log) at(i int) entry { return l.entries[l.shown[i]] }

func (l *Log) end() pos { return pos{entry: len(l.shown)} }

// lead are the lines above an entry: a blank, and who speaks.
func (l *Log) lead(i int) []paint.Line {
	e := l.at(i).common()
	var prev *base
	for j := i - 1; j >= 0 && prev == nil; j-- {
		if p := l.at(j); p.parts() > 0 {
			prev = p.common()
		}
	}
	var out []paint.Line
	if prev != nil && spaced(prev, e) {
		out = append(out, paint.Line{})
	}
	if e.ask != "" && (e.kind == answer || e.kind == thinking) && (prev == nil || prev.ask != e.ask) {
		out = append(out, l.speaker(l.asks[e.ask]))
	}
	return out
}

// speaker is the line above what an asked agent says.
func (l *Log) speaker(a Ask) paint.Line {
	return paint.Text("‣ mm ["+a.Name()+"]", a.Colour, l.m)
}

// spaced reports whether an empty line stands between two entries.
func spaced(a, b *base) bool {
	switch {
	case a.ask != b.ask && b.kind != note && b.kind != handover:
		return true
	case b.kind == calling:
		return a.kind != calling && a.kind != thinking && a.kind != handover
	case b.kind == handover:
		return a.ask != "" && a.kind != handover
	case b.kind == note:
		return a.kind != note && a.kind != calling && a.kind != handover
	case a.kind == handover:
		return false
	case b.kind == thinking:
		return a.kind == asked || a.kind == answer
	}
	return true
}

// lines are the lines of a part, drawn if they aren't yet.
func (l *Log) lines(i, part int) []paint.Line {
	e := l.at(i)
	b := e.common()
	for len(b.cache) <= part {
		b.cache = append(b.cache, drawn{})
	}
	c, rev := &b.cache[part], e.rev(l.canvas, part)
	if c.lines != nil && c.width == l.width && c.gen == l.gen && c.rev == rev {
		return c.lines
	}
	if c.lines == nil {
		l.cached.add(b, part)
	}
	*c = drawn{l.drawPart(e, part), l.width, l.gen, rev}
	return c.lines
}

// gutter stands left of what asked agents do.
const gutter = "▎"

func (l *Log) drawPart(e entry, part int) []paint.Line {
	b := e.common()
	if b.ask == "" || b.kind == handover {
		return e.draw(l.canvas, part)
	}
	c := l.canvas
	c.width -= 2
	bar := l.asks[b.ask].Colour.On(gutter) + " "
	lines := e.draw(c, part)
	for i := range lines {
		lines[i] = paint.Line{Text: bar + lines[i].Text, Width: lines[i].Width + 2}
	}
	return lines
}

// unit are all lines of a part with what stands above it.
func (l *Log) unit(i, part int) []paint.Line {
	lines := l.lines(i, part)
	if part > 0 {
		return lines
	}
	if lead := l.lead(i); len(lead) > 0 {
		return append(lead, lines...)
	}
	return lines
}

// above returns the last line before the part that p is in.
func (l *Log) above(p pos) (pos, bool) {
	if p.part > 0 {
		p.part--
		p.line = len(l.unit(p.entry, p.part))
		return p, true
	}
	for p.entry > 0 {
		p.entry--
		if n := l.at(p.entry).parts(); n > 0 {
			p.part = n - 1
			p.line = len(l.unit(p.entry, p.part))
			return p, true
		}
	}
	return pos{}, false
}

// below returns the first line after the part that p is in.
func (l *Log) below(p pos) (pos, bool) {
	if p.entry < len(l.shown) && p.part+1 < l.at(p.entry).parts() {
		return pos{p.entry, p.part + 1, 0}, true
	}
	for p.entry++; p.entry < len(l.shown); p.entry++ {
		if l.at(p.entry).parts() > 0 {
			return pos{entry: p.entry}, true
		}
	}
	return l.end(), false
}

// up goes n lines up, or to the top.
func (l *Log) up(p pos, n int) pos {
	for n > p.line {
		n -= p.line
		q, ok := l.above(p)
		if !ok {
			return pos{}
		}
		p = q
	}
	p.line -= n
	return p
}

// down goes n lines down, or to the end.
func (l *Log) down(p pos, n int) pos {
	for p.entry < len(l.shown) {
		rest := 0
		if p.part < l.at(p.entry).parts() {
			rest = len(l.unit(p.entry, p.part)) - p.line
		}
		if n < rest {
			p.line += n
			return p
		}
		n -= max(rest, 0)
		q, ok := l.below(p)
		p = q
		if !ok {
			break
		}
	}
	return l.end()
}

// View draws the lines that a screen of the given height shows.
func (l *Log) View(height int) []paint.Line {
	l.height = height
	last := l.up(l.end(), height)
	if l.follow || !l.top.before(last) {
		l.top, l.follow = last, true
	}
	l.clamp()
	lines := make([]paint.Line, 0, height)
	l.screen = l.screen[:0]
	for p, ok := l.top, len(l.shown) > 0; ok && len(lines) < height; {
		if p.part < l.at(p.entry).parts() {
			for i, line := range l.unit(p.entry, p.part) {
				if i >= p.line && len(lines) < height {
					at := pos{p.entry, p.part, i}
					lines = append(lines, l.decorate(at, line))
					l.screen = append(l.screen, at)
				}
			}
		}
		p, ok = l.below(p)
	}
	return lines
}

// clamp puts the top on a line that there is: a part may have become shorter.
func (l *Log) clamp() {
	if l.top.entry >= len(l.shown) {
		return
	}
	n := l.at(l.top.entry).parts()
	if n > 0 && l.top.part >= n {
		l.top.part, l.top.line = n-1, 0
	}
	if l.top.part < n {
		l.top.line = min(l.top.line, max(0, len(l.unit(l.top.entry, l.top.part))-1))
	}
}

// Scroll moves by lines: down when n is positive. At the end the view follows what comes.
func (l *Log) Scroll(n int) {
	if n < 0 {
		l.top = l.up(l.top, -n)
		l.follow = false
		return
	}
	l.top = l.down(l.top, n)
}

// Page moves by screens.
func (l *Log) Page(n int) { l.Scroll(n * max(1, l.height-2)) }

// Home goes to the beginning.
func (l *Log) Home() { l.top, l.follow = pos{}, false }

// End goes to the end and stays there.
func (l *Log) End() { l.follow = true }

// Following reports whether the view stays at the end.
func (l *Log) Following() bool { return l.follow }

// Percent says about how far down the view is.
func (l *Log) Percent() int {
	if l.follow || len(l.shown) == 0 {
		return 100
	}
	at := float64(l.top.entry)
	if l.top.entry < len(l.shown) {
		at += float64(l.top.part) / float64(max(1, l.at(l.top.entry).parts()))
	}
	return int(100 * at / float64(len(l.shown)))
}
