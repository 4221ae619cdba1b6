package edit

import (
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// replace makes the change for a match with one place.
func (d *document) replace(m match, e Edit) Change {
	s := m.spans[0]
	if m.pass == exact {
		return Change{Start: s.start, End: s.end, New: d.asWritten(e.New, s.start)}
	}
	p := newPadded(e)
	first, last := d.linesOf(s)
	if !blank(d.text[d.split()[first].start:s.start]) {
		return Change{Start: s.start, End: s.end, New: withNewlines(p.inLine(), d.newline(first, last))}
	}
	if e.New == "" {
		return d.remove(s, strings.Contains(p.tail, "\n"))
	}
	return d.rewrite(m.pass, s, p)
}

// asWritten is new after an exact match at offset: only in a text whose line ends are all CRLF do
// its line ends follow the text.
func (d *document) asWritten(new string, offset int) string {
	if !crlfOnly(d.text) {
		return new
	}
	if offset > 0 && d.text[offset-1] == '\r' && strings.HasPrefix(new, "\n") {
		return "\n" + withNewlines(new[1:], "\r\n")
	}
	return withNewlines(new, "\r\n")
}

// withNewlines gives all line ends of s the form nl.
func withNewlines(s, nl string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\n", nl)
}

// remove takes out the text at s, which begins its line. With nothing after it on the line either,
// no line of blanks stays behind; the line end goes too when old had one there.
func (d *document) remove(s span, withLineEnd bool) Change {
	first, last := d.linesOf(s)
	l := d.split()[last]
	switch {
	case !blank(d.text[s.end:max(s.end, l.end)]):
		return Change{Start: s.start, End: s.end}
	case withLineEnd:
		return Change{Start: d.split()[first].start, End: l.next}
	}
	return Change{Start: d.split()[first].start, End: l.end}
}

// padded is an edit taken apart for a tolerant match: old without its edges, and new. Line ends
// are "\n".
type padded struct {
	lead, tail string   // white space around old
	old        []string // lines of old without lead and tail, but with the indentation of the first
	new        string
}

func newPadded(e Edit) padded {
	old := withNewlines(strings.TrimPrefix(e.Old, bom), "\n")
	core := trimEdges(old)
	i := strings.Index(old, core)
	p := padded{lead: old[:i], tail: old[i+len(core):], new: withNewlines(strings.TrimPrefix(e.New, bom), "\n")}
	indent := p.lead[strings.LastIndex(p.lead, "\n")+1:]
	p.old = strings.Split(strings.TrimPrefix(indent, bom)+core, "\n")
	return p
}

// inLine is new for a match inside of a line: without the padding of old, where new carries it.
func (p padded) inLine() string {
	return cutTail(cutLead(p.new, p.lead, leadOf(p.new)), p.tail)
}

// newLines are the lines of new without the empty lines and the tail that old has around it, where
// new carries them. More than that was added on purpose and stays.
func (p padded) newLines() []string {
	empty := func(lead string) string { return lead[:strings.LastIndex(lead, "\n")+1] }
	return strings.Split(cutTail(cutLead(p.new, empty(p.lead), empty(leadOf(p.new))), p.tail), "\n")
}

func leadOf(s string) string { return s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsSpace))] }

// cutLead takes off s the padding that it shares with old; own is the padding of s itself.
func cutLead(s, padding, own string) string {
	if rest, ok := strings.CutPrefix(s, padding); ok {
		return rest
	}
	if strings.HasSuffix(padding, own) {
		return s[len(own):]
	}
	return s
}

func cutTail(s, padding string) string {
	if rest, ok := strings.CutSuffix(s, padding); ok {
		return rest
	}
	own := s[len(strings.TrimRightFunc(s, unicode.IsSpace)):]
	if strings.HasSuffix(padding, own) || strings.HasPrefix(padding, own) {
		return s[:len(s)-len(own)]
	}
	return s
}

// rewrite replaces the lines at s, which begins its line, with the indentation of the text. Lines
// that old and new have alike keep the bytes of the text.
func (d *document) rewrite(by pass, s span, p padded) Change {
	first, last := d.linesOf(s)
	start := d.split()[first].start
	pieces := make([]string, 0, last-first+1)
	for i := first; i <= last; i++ {
		l := d.split()[i]
		pieces = append(pieces, d.text[l.start:max(l.start, min(l.end, s.end))])
	}
	news := p.newLines()
	if by == indents && strayTails(p.old, pieces) {
		for i := range news {
			news[i] = strings.TrimRightFunc(news[i], unicode.IsSpace)
		}
	}
	in := newIndenter(d, p.old, pieces, news)
	kept := alike(p.old, news)
	nl := d.newline(first, last)
	var b strings.Builder
	for j := range news {
		end := nl
		if i, ok := kept[j]; ok && in.restShift == 0 {
			b.WriteString(pieces[i])
			if i < len(pieces)-1 {
				l := d.split()[first+i]
				end = d.text[l.end:l.next]
			}
		} else {
			b.WriteString(in.line(j))
		}
		if j < len(news)-1 {
			b.WriteString(end)
		}
	}
	return narrowed(d.text, Change{Start: start, End: s.end, New: b.String()}, s.start)
}

// narrowed leaves the indentation before the match out of a change that doesn't touch it.
func narrowed(text string, c Change, match int) Change {
	if rest, ok := strings.CutPrefix(c.New, text[c.Start:match]); ok {
		c.Start, c.New = match, rest
	}
	return c
}

// strayTails reports whether old has white space at the end of a line where the text has none.
func strayTails(old, pieces []string) bool {
	for i, o := range old {
		if !blank(o) && strings.TrimRightFunc(o, unicode.IsSpace) != o &&
			strings.TrimRightFunc(pieces[i], unicode.IsSpace) == pieces[i] {
			return true
		}
	}
	return false
}

// alike maps lines of new to the lines of old that they repeat, in order.
func alike(old, new []string) map[int]int {
	kept := map[int]int{}
	i, j := 0, 0
	keep := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			kept[j] = i
		}
	}
	for _, diff := range lcs.DiffLines(old, new) {
		keep(diff.Start)
		i, j = diff.End, diff.ReplEnd
	}
	keep(len(old))
	return kept
}
