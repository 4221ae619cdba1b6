package edit

import (
	"sort"
	"strings"
	"unicode"
)

// bom is the byte order mark that some editors put in front of UTF-8.
const bom = "\ufeff"

// document is a text with its lines, which are found when they are first needed.
type document struct {
	text  string
	lines []line
}

// line is a line of a document: text[start:end] without its line end, text[end:next] the line end
// ("\n", "\r\n", or nothing at the end of the text). A byte order mark is part of no line.
type line struct{ start, end, next int }

// span is a region of a text, end not included.
type span struct{ start, end int }

func newDocument(text string) *document { return &document{text: text} }

func (d *document) split() []line {
	if d.lines != nil || d.text == "" {
		return d.lines
	}
	d.lines = make([]line, 0, strings.Count(d.text, "\n")+1)
	at := len(d.text) - len(strings.TrimPrefix(d.text, bom))
	for at < len(d.text) {
		l := line{start: at, end: len(d.text), next: len(d.text)}
		if i := strings.IndexByte(d.text[at:], '\n'); i >= 0 {
			l.end, l.next = at+i, at+i+1
			if l.end > at && d.text[l.end-1] == '\r' {
				l.end--
			}
		}
		d.lines = append(d.lines, l)
		at = l.next
	}
	return d.lines
}

// content is the text of line i without its line end.
func (d *document) content(i int) string {
	l := d.split()[i]
	return d.text[l.start:l.end]
}

// trimmed is the text of line i without white space around it.
func (d *document) trimmed(i int) string { return strings.TrimSpace(d.content(i)) }

// lineAt returns the index of the line that has the byte at offset.
func (d *document) lineAt(offset int) int {
	lines := d.split()
	i := sort.Search(len(lines), func(i int) bool { return lines[i].next > offset })
	return min(i, max(len(lines)-1, 0))
}

// linesOf returns the indexes of the first and the last line that s touches.
func (d *document) linesOf(s span) (first, last int) {
	return d.lineAt(s.start), d.lineAt(max(s.end-1, s.start))
}

// newline is the line end to use in the lines from first to last: that of the text if all its line
// ends are alike, else the one more common there.
func (d *document) newline(first, last int) string {
	if crlfOnly(d.text) {
		return "\r\n"
	}
	crlf, lf := 0, 0
	for _, l := range d.split()[first : last+1] {
		switch d.text[l.end:l.next] {
		case "\r\n":
			crlf++
		case "\n":
			lf++
		}
	}
	if crlf > lf {
		return "\r\n"
	}
	return "\n"
}

// crlfOnly reports whether text has line ends and all of them are CRLF.
func crlfOnly(text string) bool {
	n := strings.Count(text, "\r\n")
	return n > 0 && n == strings.Count(text, "\n")
}

// indentOf is the white space in front of a line's text; all of a blank line.
func indentOf(s string) string { return s[:len(s)-len(strings.TrimLeftFunc(s, unicode.IsSpace))] }

func blank(s string) bool { return strings.TrimSpace(s) == "" }
