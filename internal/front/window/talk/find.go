package talk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui/cells"
)

// Search sets what is searched for and goes to the last line that has it, at or above the end of the
// screen. It returns how often the text stands in the conversation; "" ends the search.
func (l *Log) Search(query string) int {
	l.query = query
	if query == "" {
		return 0
	}
	n := l.count()
	if n > 0 {
		from := l.end()
		if len(l.screen) > 0 {
			from = l.screen[len(l.screen)-1]
			from.line++
		}
		l.find(from, -1)
	}
	return n
}

// Query is what is searched for.
func (l *Log) Query() string { return l.query }

// FindNext goes to the next line that has the text, or to the one before when step is negative.
func (l *Log) FindNext(step int) bool {
	if l.query == "" {
		return false
	}
	return l.find(l.top, step)
}

// count counts in what is shown and in what is folded.
func (l *Log) count() int {
	n := 0
	for i := range l.shown {
		e := l.at(i)
		if b := e.common(); b.foldable && b.folded {
			n += occurrences(e.source(), l.query)
			continue
		}
		for p := range e.parts() {
			n += occurrences(e.plain(p), l.query)
		}
	}
	return n
}

// find looks from a place on, or back, and around the ends; the line is put near the top.
func (l *Log) find(from pos, step int) bool {
	i, part := from.entry, from.part
	if i >= len(l.shown) {
		i, part = len(l.shown)-1, 1<<30
	}
	for n := 0; n <= len(l.shown) && i >= 0; n++ {
		e := l.at(i)
		if b := e.common(); b.foldable && b.folded && occurrences(e.source(), l.query) > 0 {
			fold(e, false)
			if step < 0 {
				part = 1 << 30
			}
		}
		part = min(part, e.parts()-1)
		for ; part >= 0 && part < e.parts(); part += step {
			if line, ok := l.findIn(i, part, from, step); ok {
				l.show(pos{i, part, line})
				return true
			}
		}
		i, part = (i+step+len(l.shown))%len(l.shown), 0
		if step < 0 {
			part = 1 << 30
		}
		from = pos{entry: -1}
	}
	return false
}

// findIn looks for a line in a part, beyond from if that is in the same one.
func (l *Log) findIn(i, part int, from pos, step int) (int, bool) {
	if occurrences(l.at(i).plain(part), l.query) == 0 {
		return 0, false
	}
	lines := l.unit(i, part)
	here := from.entry == i && from.part == part
	line := 0
	if step < 0 {
		line = len(lines) - 1
	}
	for ; line >= 0 && line < len(lines); line += step {
		if here && (step > 0 && line <= from.line || step < 0 && line >= from.line) {
			continue
		}
		if begin, _ := index(ansi.Strip(lines[line].Text), l.query); begin >= 0 {
			return line, true
		}
	}
	return 0, false
}

// show puts a line at the top of the view, or leaves the view at the end.
func (l *Log) show(p pos) {
	l.top, l.follow = p, false
}

// decorate draws what is found, selected or standing out on a line.
func (l *Log) decorate(at pos, line paint.Line) paint.Line {
	if l.query != "" {
		line = l.highlight(line)
	}
	if from, to, ok := l.mark.on(at, line.Width); ok {
		line = l.reverse(line, from, to, paint.Reverse)
	}
	if l.cur != nil && l.cur == l.at(at.entry) && at.part == 0 && at.line == len(l.lead(at.entry)) {
		line = paint.Text(ansi.Strip(line.Text), paint.Reverse, l.m)
	}
	return line
}

// highlight marks what is searched for.
func (l *Log) highlight(line paint.Line) paint.Line {
	plain := ansi.Strip(line.Text)
	for from := 0; from < len(plain); {
		begin, end := index(plain[from:], l.query)
		if begin < 0 {
			break
		}
		a := cells.Width(plain[:from+begin], l.m)
		line = l.reverse(line, a, a+cells.Width(plain[from+begin:from+end], l.m), paint.Match)
		from += end
	}
	return line
}

// reverse draws the cells from..to of a line in a style.
func (l *Log) reverse(line paint.Line, from, to int, st paint.Style) paint.Line {
	left, mid, right := l.slice(line, 0, from), l.slice(line, from, to), l.slice(line, to, line.Width)
	return paint.Line{Text: left + st.On(ansi.Strip(mid)) + right, Width: line.Width}
}

// slice is the cells from..to of a line. (Method.Cut of x/ansi v0.11.9 cuts the wrong end with
// WcWidth; TestSelect would tell.)
func (l *Log) slice(line paint.Line, from, to int) string {
	if from >= to {
		return ""
	}
	return l.m.TruncateLeft(l.m.Truncate(line.Text, to, ""), from, "")
}

// occurrences counts how often a text stands in another.
func occurrences(s, query string) int {
	n := 0
	for {
		_, end := index(s, query)
		if end <= 0 {
			return n
		}
		n++
		s = s[end:]
	}
}

// index finds a text; case counts only when the text has capitals.
func index(s, query string) (begin, end int) {
	if query != strings.ToLower(query) {
		if i := strings.Index(s, query); i >= 0 {
			return i, i + len(query)
		}
		return -1, -1
	}
	for i := 0; i < len(s); {
		skip := candidate(s[i:], query[0])
		if skip < 0 {
			break
		}
		i += skip
		if m := prefix(s[i:], query); m > 0 {
			return i, i + m
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		i += n
	}
	return -1, -1
}

// candidate is where a text whose first byte is given may begin, -1 for nowhere.
func candidate(s string, first byte) int {
	if first >= utf8.RuneSelf { // a capital may begin with another byte
		return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
	}
	i := strings.IndexByte(s, first)
	if first < 'a' || first > 'z' {
		return i
	}
	if i >= 0 {
		s = s[:i]
	}
	if j := strings.IndexByte(s, first-'a'+'A'); j >= 0 {
		return j
	}
	return i
}

func lower(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}
	return unicode.ToLower(r)
}

// prefix is how many bytes of s the query takes, without regard to case; 0 when s doesn't begin so.
func prefix(s, query string) int {
	n := 0
	for _, q := range query {
		if n >= len(s) {
			return 0
		}
		r, w := utf8.DecodeRuneInString(s[n:])
		if lower(r) != q {
			return 0
		}
		n += w
	}
	return n
}
