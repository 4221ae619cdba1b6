package markdown

import (
	"strconv"
	"strings"
)

// untab turns tabs at the beginning of a line into columns.
func untab(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	end := len(s) - len(strings.TrimLeft(s, " \t"))
	var b strings.Builder
	for _, c := range []byte(s[:end]) {
		b.WriteByte(' ')
		for c == '\t' && b.Len()%4 != 0 {
			b.WriteByte(' ')
		}
	}
	return b.String() + s[end:]
}

func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// run counts how often the first byte stands at the beginning.
func run(s string) int {
	if s == "" {
		return 0
	}
	return len(s) - len(strings.TrimLeft(s, s[:1]))
}

// item is a list item's marker.
type item struct {
	text   string // as shown: "• ", "12. ", "☐ "
	cells  int    // that the text takes
	width  int    // columns up to the item's content
	number int
	rest   string
}

// dash is the text of a bullet until its level is known.
const dash = "- "

var bullets = [...]string{"• ", "◦ ", "▪ "}

func isMarker(s string) bool { _, ok := marker(s); return ok }

// marker reads "- ", "* ", "+ ", "12. ", "12) " and a task's box.
func marker(s string) (item, bool) {
	n := 0
	for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	m := item{number: 1}
	switch {
	case n > 0 && n < len(s) && (s[n] == '.' || s[n] == ')'):
		m.number, _ = strconv.Atoi(s[:n])
		m.text = s[:n+1] + " "
		n++
	case n == 0 && s != "" && strings.IndexByte("-*+", s[0]) >= 0:
		m.text, n = dash, 1
	default:
		return item{}, false
	}
	rest := s[n:]
	if rest != "" && rest[0] != ' ' {
		return item{}, false
	}
	blanks := indent(rest)
	if blanks > 4 || blanks == len(rest) {
		blanks = min(1, len(rest))
	}
	m.cells, m.width, m.rest = len(m.text), n+blanks, rest[blanks:]
	if m.text == dash {
		m.task()
	}
	return m, true
}

// task reads the box of a task list.
func (m *item) task() {
	for _, box := range [...]struct{ in, out string }{{"[ ] ", "☐ "}, {"[x] ", "☑ "}, {"[X] ", "☑ "}} {
		if strings.HasPrefix(m.rest, box.in) {
			m.text, m.rest = box.out, m.rest[len(box.in):]
		}
	}
}

// isRule reports whether a line is a thematic break: "---", "* * *".
func isRule(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || strings.IndexByte("-*_", s[0]) < 0 {
		return false
	}
	return strings.Count(s, s[:1]) >= 3 && strings.Trim(s, s[:1]+" ") == ""
}

// isSetext reports whether a line under a paragraph makes a heading of it.
func isSetext(s string) bool {
	return s != "" && (s[0] == '=' || s[0] == '-') && run(s) == len(s) && (s[0] == '=' || len(s) > 1)
}

func headingLevel(s string) int {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n < len(s) && s[n] != ' ' {
		return 0
	}
	return n
}

// trimHashes takes off the closing marks of "## Title ##".
func trimHashes(s string) string {
	t := strings.TrimRight(strings.TrimRight(s, " "), "#")
	if t == "" || strings.HasSuffix(t, " ") {
		return t
	}
	return s
}

// startsBlock reports whether a line can't be a paragraph's next one.
func startsBlock(s string) bool {
	ind := indent(s)
	if ind > 3 {
		return false
	}
	s = s[ind:]
	return s == "" || s[0] == '>' || isRule(s) || headingLevel(s) > 0 || isMarker(s) ||
		(s[0] == '`' || s[0] == '~') && run(s) >= 3
}
