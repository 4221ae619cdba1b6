package lsp

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxOccurrences bounds how many places of one name are asked about.
const maxOccurrences = 100

// positions are where to ask the server for what the request names, best first; refused says why
// there are none.
func (q request) positions(t *text) (list []position, refused string) {
	if q.line > 0 && (len(q.names) == 0 || q.line > t.count()) {
		p, refused := t.position(q.name, q.line, max(q.column, 1))
		return []position{p}, refused
	}
	all := occurrences(t, q.names)
	for _, o := range all {
		if q.line == 0 || o.at.Line == q.line-1 {
			list = append(list, o.at)
		}
	}
	if len(list) > 0 {
		q.preferColumn(t, list)
		return list[:min(len(list), maxOccurrences)], ""
	}
	if q.line > 0 && len(all) > 0 {
		return nil, fmt.Sprintf("[lsp: %q not found on line %d of %s — it is on %s]", q.names[0], q.line, q.name, lineList(all))
	}
	return nil, fmt.Sprintf("[lsp: %q not found in %s]", q.names[0], q.name)
}

// preferColumn moves the occurrence nearest to the request's column to the front, of those of one
// line. Models count columns badly, so the column decides nothing else.
func (q request) preferColumn(t *text, list []position) {
	if q.line == 0 || q.column == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b position) int {
		return distance(t.column(a), q.column) - distance(t.column(b), q.column)
	})
}

func distance(a, b int) int { return max(a-b, b-a) }

// lineList names the first lines of some occurrences: "line 4", "lines 4, 9, 12".
func lineList(list []occurrence) string {
	const most = 8
	var lines []int
	for _, o := range list {
		lines = append(lines, o.at.Line+1)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	s := strings.Trim(strings.ReplaceAll(fmt.Sprint(lines[:min(len(lines), most)]), " ", ", "), "[]")
	switch {
	case len(lines) > most:
		return "lines " + s + ", …"
	case len(lines) > 1:
		return "lines " + s
	}
	return "line " + s
}

// occurrence is a place of a name in a file.
type occurrence struct {
	at      position
	comment bool
}

// occurrences finds the places of the names as whole words: those in code before those in comments,
// the first name's before the second's, then in the order of the file.
func occurrences(t *text, names []string) []occurrence {
	var list []occurrence
	seen := map[position]bool{}
	c := commentReader{}
	comments := make([]int, len(t.starts))
	for i := range t.starts {
		comments[i] = c.next(t.line(i))
	}
	for _, name := range names {
		for _, at := range words(t.s, name) {
			o := occurrence{at: t.at(at)}
			o.comment = at-t.starts[o.at.Line] >= comments[o.at.Line]
			if !seen[o.at] {
				seen[o.at] = true
				list = append(list, o)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b occurrence) int {
		switch {
		case a.comment == b.comment:
			return 0
		case b.comment:
			return -1
		}
		return 1
	})
	return list
}

// words returns the byte offsets of name in s where it is a whole word.
func words(s, name string) []int {
	part := inName
	if strings.ContainsRune(name, '-') {
		part = func(r rune) bool { return r == '-' || inName(r) }
	}
	var list []int
	for from := 0; ; {
		i := strings.Index(s[from:], name)
		if i < 0 || name == "" {
			return list
		}
		at := from + i
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(name):])
		if !part(before) && !part(after) {
			list = append(list, at)
		}
		from = at + len(name)
	}
}

// commentReader finds comments line by line, roughly and for all languages at once: they only
// decide which places are tried first.
type commentReader struct{ block bool }

// next returns the byte offset in the line at which a comment begins, a large number without one.
func (c *commentReader) next(line string) int {
	const none = 1 << 30
	if c.block {
		if end := strings.Index(line, "*/"); end >= 0 {
			c.block = false
		}
		return 0
	}
	at := none
	for _, mark := range []string{"//", "# ", "#!", "-- ", "/*"} {
		i := strings.Index(line, mark)
		if i < 0 || i >= at || i > 0 && line[i-1] != ' ' && line[i-1] != '\t' {
			continue // "http://x", "a#b"
		}
		at = i
	}
	if at < none && strings.HasPrefix(line[at:], "/*") {
		if strings.Contains(line[at:], "*/") {
			return c.closed(line, at)
		}
		c.block = true
	}
	return at
}

// closed is for a comment that ends in its line: what follows it is code.
func (c *commentReader) closed(line string, at int) int {
	end := strings.Index(line[at:], "*/") + at + 2
	if strings.TrimSpace(line[end:]) == "" {
		return at
	}
	return 1 << 30
}
