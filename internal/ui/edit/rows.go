package edit

import (
	"strings"

	"github.com/mini-me/mm/internal/ui/cells"
)

// Layout tells how wide the rows are; it is to be called before Up, Down and Rows.
func (b *Buffer) Layout(width int, m cells.Measure) {
	width = max(width, 2)
	if b.width == width && b.m == m {
		return
	}
	b.width, b.m = width, m
	for i := range b.lines {
		b.lines[i].breaks = nil
	}
}

// breaks are where the rows of a line begin, after the first.
func (b *Buffer) breaks(i int) []int {
	l := &b.lines[i]
	if l.breaks == nil {
		l.breaks = breakLine(l.text, max(b.width, 2), b.m)
	}
	return l.breaks
}

// breakLine breaks a line into rows, behind a blank where there is one.
func breakLine(s string, width int, m cells.Measure) []int {
	out := []int{}
	at, begin, blank := 0, 0, 0
	for i := 0; i < len(s); {
		c, n := cluster(s[i:], m)
		if at+n > width && i > begin {
			cut := i
			if blank > begin {
				cut = blank
			}
			out = append(out, cut)
			begin, i, at = cut, cut, 0
			continue
		}
		at += n
		i += len(c)
		if c == " " {
			blank = i
		}
	}
	// The cursor needs a cell behind the text.
	if at == width {
		out = append(out, len(s))
	}
	return out
}

// tab is how a tab is shown.
const tab = "    "

func cluster(s string, m cells.Measure) (string, int) {
	if s[0] == '\t' {
		return s[:1], len(tab)
	}
	return cells.Cluster(s, m)
}

func width(s string, m cells.Measure) int {
	return cells.Width(strings.ReplaceAll(s, "\t", tab), m)
}

// rowOf returns which row of its line the cursor is in.
func (b *Buffer) rowOf(col int, breaks []int) int {
	for i, at := range breaks {
		if col < at {
			return i
		}
	}
	return len(breaks)
}

// span returns where a row begins and ends in its line.
func (b *Buffer) span(p place) (begin, end int) {
	br := b.breaks(p.line)
	end = len(b.lines[p.line].text)
	if p.sub > 0 {
		begin = br[p.sub-1]
	}
	if p.sub < len(br) {
		end = br[p.sub]
	}
	return begin, end
}

func (b *Buffer) cursorPlace() place {
	b.ensure()
	return place{b.row, b.rowOf(b.col, b.breaks(b.row))}
}

// before returns the row above; ok is false at the top.
func (b *Buffer) before(p place) (place, bool) {
	switch {
	case p.sub > 0:
		return place{p.line, p.sub - 1}, true
	case p.line > 0:
		return place{p.line - 1, len(b.breaks(p.line - 1))}, true
	}
	return p, false
}

// after returns the row below; ok is false at the bottom.
func (b *Buffer) after(p place) (place, bool) {
	switch {
	case p.sub < len(b.breaks(p.line)):
		return place{p.line, p.sub + 1}, true
	case p.line < len(b.lines)-1:
		return place{p.line + 1, 0}, true
	}
	return p, false
}

// Up moves the cursor a row up; it reports false at the top, where history begins.
func (b *Buffer) Up() bool { return b.vertical(b.before) }

// Down moves the cursor a row down; it reports false at the bottom.
func (b *Buffer) Down() bool { return b.vertical(b.after) }

func (b *Buffer) vertical(next func(place) (place, bool)) bool {
	from := b.cursorPlace()
	to, ok := next(from)
	if !ok {
		return false
	}
	if b.goal < 0 {
		begin, _ := b.span(from)
		b.goal = width(b.lines[b.row].text[begin:b.col], b.m)
	}
	begin, end := b.span(to)
	b.row, b.col = to.line, begin
	s, at := b.lines[to.line].text, 0
	for b.col < end {
		c, n := cluster(s[b.col:], b.m)
		if at+n > b.goal || b.col+len(c) == end && to.sub < len(b.breaks(to.line)) {
			break
		}
		at += n
		b.col += len(c)
	}
	return true
}

// Height is the number of rows, or limit when there are more.
func (b *Buffer) Height(limit int) int {
	b.ensure()
	n := 0
	for i := range b.lines {
		if n >= limit {
			return limit
		}
		n += 1 + len(b.breaks(i))
	}
	return min(n, limit)
}

// Rows are the rows around the cursor, at most height, and where the cursor stands among them.
func (b *Buffer) Rows(height int) (rows []string, x, y int) {
	cur := b.cursorPlace()
	b.scroll(cur, height)
	p, ok := b.top, true
	for i := 0; ok && i < height; i++ {
		begin, end := b.span(p)
		s := b.lines[p.line].text
		if p == cur {
			x, y = width(s[begin:b.col], b.m), i
		}
		rows = append(rows, strings.ReplaceAll(strings.TrimRight(s[begin:end], " "), "\t", tab))
		p, ok = b.after(p)
	}
	return rows, x, y
}

// scroll moves the first row that is shown as little as needed for the cursor to be seen.
func (b *Buffer) scroll(cur place, height int) {
	if b.top.line >= len(b.lines) || b.top.sub > len(b.breaks(b.top.line)) {
		b.top = cur
	}
	first := cur // the earliest top row from which the cursor is still seen
	for range height - 1 {
		p, ok := b.before(first)
		if !ok {
			break
		}
		first = p
	}
	switch {
	case less(cur, b.top):
		b.top = cur
	case less(b.top, first):
		b.top = first
	}
	// Don't leave rows empty below when there are some above.
	for b.rowsFrom(b.top, height) < height {
		p, ok := b.before(b.top)
		if !ok {
			break
		}
		b.top = p
	}
}

func (b *Buffer) rowsFrom(p place, limit int) int {
	n, ok := 1, true
	for n < limit {
		if p, ok = b.after(p); !ok {
			return n
		}
		n++
	}
	return n
}

func less(a, b place) bool { return a.line < b.line || a.line == b.line && a.sub < b.sub }

// Click puts the cursor at a cell of the rows that were shown last.
func (b *Buffer) Click(x, y int) {
	b.ensure()
	b.goal = -1
	p := b.top
	for range y {
		next, ok := b.after(p)
		if !ok {
			break
		}
		p = next
	}
	begin, end := b.span(p)
	b.row, b.col = p.line, begin
	for at := 0; b.col < end; {
		c, n := cluster(b.lines[p.line].text[b.col:], b.m)
		if at+n > x {
			return
		}
		at += n
		b.col += len(c)
	}
}
