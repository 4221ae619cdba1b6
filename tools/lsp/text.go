package lsp

import (
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"
)

// text is a file's content by lines. A byte that isn't UTF-8 counts as one character, as it does
// for the server, which gets U+FFFD in its place.
type text struct {
	s      string
	starts []int // byte offsets
}

func newText(s string) *text {
	t := &text{s: s, starts: []int{0}}
	for i := range len(s) {
		if s[i] == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// count is the number of lines as a person counts them: what follows the last line end is a line
// only when there is something.
func (t *text) count() int {
	n := len(t.starts)
	if n > 1 && t.starts[n-1] == len(t.s) {
		n--
	}
	return n
}

// line returns a line, counted from 0, without its line end.
func (t *text) line(i int) string {
	if i < 0 || i >= len(t.starts) {
		return ""
	}
	if i+1 == len(t.starts) {
		return t.s[t.starts[i]:]
	}
	return strings.TrimSuffix(t.s[t.starts[i]:t.starts[i+1]-1], "\r")
}

// offset is the byte offset of a position. "If the character value is greater than the line length
// it defaults back to the line length" (LSP 3.17, Position). ok is false past the end of the file.
func (t *text) offset(p position) (at int, ok bool) {
	switch {
	case p.Line < 0 || p.Character < 0 || p.Line > len(t.starts):
		return 0, false
	case p.Line == len(t.starts):
		return len(t.s), p.Character == 0 // the end of everything, as some servers say it
	}
	line, units := t.line(p.Line), 0
	for i, r := range line {
		if units += utf16Units(r); units > p.Character {
			return t.starts[p.Line] + i, true
		}
	}
	return t.starts[p.Line] + len(line), true
}

// column is the place of a position in its line, in characters from 1.
func (t *text) column(p position) int {
	at, ok := t.offset(p)
	if !ok || p.Line >= len(t.starts) {
		return p.Character + 1
	}
	return utf8.RuneCountInString(t.s[t.starts[p.Line]:at]) + 1
}

// at is the position of a byte offset.
func (t *text) at(offset int) position {
	line := sort.Search(len(t.starts), func(i int) bool { return t.starts[i] > offset }) - 1
	p := position{Line: line}
	for _, r := range t.s[t.starts[line]:offset] {
		p.Character += utf16Units(r)
	}
	return p
}

// position is a line and a column of the model's on the wire; refused says why there is none. The
// column right behind the last character is a position too.
func (t *text) position(name string, line, column int) (p position, refused string) {
	if line > t.count() {
		return p, fmt.Sprintf("[lsp: line %d is past the end of %s (%d lines)]", line, name, t.count())
	}
	s := t.line(line - 1)
	n := utf8.RuneCountInString(s)
	if column > n+1 {
		return p, fmt.Sprintf("[lsp: column %d is past the end of line %d (%d characters)]", column, line, n)
	}
	p.Line = line - 1
	for _, r := range s {
		if column--; column < 1 {
			break
		}
		p.Character += utf16Units(r)
	}
	return p, ""
}

// utf16Units is how many UTF-16 units a character takes.
func utf16Units(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}
