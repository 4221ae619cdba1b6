// Package edit is a text that is being typed: lines, a cursor, and what keys do to them. It knows no
// terminal; Rows lays out only what is to be seen, so that a pasted megabyte stays quick.
package edit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mini-me/mm/internal/ui/cells"
)

// Buffer is a text with a cursor. The zero value is empty and ready.
type Buffer struct {
	lines  []line
	row    int // of the cursor
	col    int // byte in its line
	goal   int // cells from the left that Up and Down aim at, -1 for where the cursor is
	kill   string
	width  int // that the breaks were made for
	m      cells.Measure
	top    place // first row that was shown
	single bool
}

// line is a line and where it is broken into rows; nil when that isn't known.
type line struct {
	text   string
	breaks []int
}

// place is a row of the layout: a line and which of its rows.
type place struct{ line, sub int }

// New returns a buffer that holds a text, with the cursor behind it.
func New(text string) *Buffer {
	b := &Buffer{}
	b.Set(text)
	return b
}

// NewLine returns a buffer for one line: line ends become blanks.
func NewLine(text string) *Buffer {
	b := &Buffer{single: true}
	b.Set(text)
	return b
}

// Set replaces the text and puts the cursor behind it.
func (b *Buffer) Set(text string) {
	b.lines, b.row, b.col, b.top = nil, 0, 0, place{}
	b.Insert(text)
}

// Text is the whole text.
func (b *Buffer) Text() string {
	switch len(b.lines) {
	case 0:
		return ""
	case 1:
		return b.lines[0].text
	}
	var s strings.Builder
	for i, l := range b.lines {
		if i > 0 {
			s.WriteByte('\n')
		}
		s.WriteString(l.text)
	}
	return s.String()
}

// Empty reports whether there is no text.
func (b *Buffer) Empty() bool {
	return len(b.lines) == 0 || len(b.lines) == 1 && b.lines[0].text == ""
}

// Blank reports whether there is nothing but blanks.
func (b *Buffer) Blank() bool {
	return !slices.ContainsFunc(b.lines, func(l line) bool { return strings.TrimSpace(l.text) != "" })
}

// Before is the text of the cursor's line before the cursor, and whether that line is the first.
func (b *Buffer) Before() (text string, first bool) {
	b.ensure()
	return b.lines[b.row].text[:b.col], b.row == 0
}

// Lines is the number of lines.
func (b *Buffer) Lines() int { return max(1, len(b.lines)) }

func (b *Buffer) ensure() {
	if len(b.lines) == 0 {
		b.lines = []line{{}}
	}
}

// Insert puts text at the cursor.
func (b *Buffer) Insert(text string) {
	b.ensure()
	b.goal = -1
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if b.single {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	cur := b.lines[b.row].text
	before, after := cur[:b.col], cur[b.col:]
	parts := strings.Split(text, "\n")
	if len(parts) == 1 {
		b.change(b.row, before+text+after)
		b.col += len(text)
		return
	}
	fresh := make([]line, len(parts))
	for i, p := range parts {
		fresh[i].text = p
	}
	last := len(parts) - 1
	fresh[0].text = before + fresh[0].text
	b.col = len(fresh[last].text)
	fresh[last].text += after
	b.lines = slices.Replace(b.lines, b.row, b.row+1, fresh...)
	b.row += last
}

func (b *Buffer) change(row int, text string) { b.lines[row] = line{text: text} }

// ReplaceBefore replaces the n bytes before the cursor, for completion.
func (b *Buffer) ReplaceBefore(n int, text string) {
	b.ensure()
	n = min(n, b.col)
	cur := b.lines[b.row].text
	b.change(b.row, cur[:b.col-n]+cur[b.col:])
	b.col -= n
	b.Insert(text)
}

// Backspace deletes the character before the cursor.
func (b *Buffer) Backspace() {
	if !b.atStart() {
		b.deleteFrom(b.step())
	}
}

// Delete deletes the character at the cursor.
func (b *Buffer) Delete() {
	b.ensure()
	row, col := b.row, b.col
	b.Right()
	if b.row != row || b.col != col {
		b.deleteFrom(row, col)
	}
}

// DeleteWord deletes back to the beginning of a word.
func (b *Buffer) DeleteWord() {
	end := b.position()
	b.WordLeft()
	b.killed(end)
}

// KillLine deletes up to the line's end, or the line end itself.
func (b *Buffer) KillLine() {
	b.ensure()
	begin := b.position()
	if b.col == len(b.lines[b.row].text) {
		b.Right()
	} else {
		b.End()
	}
	end := b.position()
	b.row, b.col = begin.line, begin.sub
	b.killed(end)
}

// KillBefore deletes back to the line's beginning.
func (b *Buffer) KillBefore() {
	end := b.position()
	b.Home()
	b.killed(end)
}

// Yank puts back what was deleted last by one of the three above.
func (b *Buffer) Yank() { b.Insert(b.kill) }

func (b *Buffer) position() place { b.ensure(); return place{b.row, b.col} }

// killed deletes from the cursor to end and keeps the text.
func (b *Buffer) killed(end place) {
	row, col := b.row, b.col
	if (place{row, col}) == end {
		return
	}
	b.row, b.col = end.line, end.sub
	b.kill = b.deleteFrom(row, col)
}

// deleteFrom deletes from a place before the cursor up to the cursor.
func (b *Buffer) deleteFrom(row, col int) string {
	b.goal = -1
	first, last := b.lines[row].text, b.lines[b.row].text
	var gone string
	if row == b.row {
		gone = first[col:b.col]
	} else {
		parts := []string{first[col:]}
		for _, l := range b.lines[row+1 : b.row] {
			parts = append(parts, l.text)
		}
		gone = strings.Join(append(parts, last[:b.col]), "\n")
	}
	text := first[:col] + last[b.col:]
	b.lines = slices.Delete(b.lines, row+1, b.row+1)
	b.change(row, text)
	b.row, b.col = row, col
	return gone
}

func (b *Buffer) atStart() bool { b.ensure(); return b.row == 0 && b.col == 0 }

// step returns where the character before the cursor begins.
func (b *Buffer) step() (row, col int) {
	if b.col == 0 {
		return b.row - 1, len(b.lines[b.row-1].text)
	}
	return b.row, b.previous(b.lines[b.row].text, b.col)
}

// near is how many bytes before a place are looked at to find where a character begins: characters
// of many code points are shorter, and a line of a megabyte mustn't be read for each key.
const near = 256

func (b *Buffer) previous(s string, col int) int {
	from := max(0, col-near)
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	at := from
	for at < col {
		c, _ := cells.Cluster(s[at:], b.m)
		if at+len(c) >= col {
			return at
		}
		at += len(c)
	}
	return from
}

// Left moves the cursor one character back.
func (b *Buffer) Left() {
	b.goal = -1
	if !b.atStart() {
		b.row, b.col = b.step()
	}
}

// Right moves the cursor one character on.
func (b *Buffer) Right() {
	b.ensure()
	b.goal = -1
	s := b.lines[b.row].text
	switch {
	case b.col < len(s):
		c, _ := cells.Cluster(s[b.col:], b.m)
		b.col += len(c)
	case b.row < len(b.lines)-1:
		b.row, b.col = b.row+1, 0
	}
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// WordLeft moves the cursor to the beginning of the word before it.
func (b *Buffer) WordLeft() {
	b.ensure()
	b.goal = -1
	if b.col == 0 {
		b.Left()
		return
	}
	s := strings.TrimRightFunc(b.lines[b.row].text[:b.col], func(r rune) bool { return !word(r) })
	b.col = len(strings.TrimRightFunc(s, word))
}

// WordRight moves the cursor behind the word after it.
func (b *Buffer) WordRight() {
	b.ensure()
	b.goal = -1
	rest := b.lines[b.row].text[b.col:]
	if rest == "" {
		b.Right()
		return
	}
	s := strings.TrimLeftFunc(rest, func(r rune) bool { return !word(r) })
	b.col += len(rest) - len(strings.TrimLeftFunc(s, word))
}

// Home moves the cursor to the line's beginning.
func (b *Buffer) Home() { b.ensure(); b.goal, b.col = -1, 0 }

// End moves the cursor to the line's end.
func (b *Buffer) End() { b.ensure(); b.goal, b.col = -1, len(b.lines[b.row].text) }

// Top moves the cursor before the text.
func (b *Buffer) Top() { b.goal, b.row, b.col = -1, 0, 0 }

// Bottom moves the cursor behind the text.
func (b *Buffer) Bottom() { b.ensure(); b.row = len(b.lines) - 1; b.End() }
