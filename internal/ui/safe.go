package ui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks may stand on one character before the rest is dropped.
// Living scripts need no more; floods of them paint over other lines.
const maxMarks = 8

// Clean makes text safe to show in a terminal: control characters, escape sequences, bidirectional
// overrides and invisible characters are made visible, so that no text can hide what is being
// allowed (supplement 5). Line ends and tabs stay. It is the one place that does this.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	var c Cleaner
	return c.Clean(s)
}

// CleanLine is Clean for text that must stay on one line: line ends show as ⏎.
func CleanLine(s string) string {
	return strings.ReplaceAll(strings.TrimRight(Clean(s), "\n"), "\n", " ⏎ ")
}

// Continued marks the further lines of a title in a terminal.
const Continued = "  │ "

// CleanTitle is Clean for a title or command that may have several lines: all but the first are
// marked and indented, so that a command can't draw a question of its own below mm's.
func CleanTitle(s string) string {
	return strings.ReplaceAll(strings.TrimRight(Clean(s), "\n"), "\n", "\n"+Continued)
}

// Cleaner cleans a text that arrives in pieces.
type Cleaner struct {
	marks int // combining marks in a row so far
	cr    bool
}

// Clean cleans the next piece. Pieces must be cut between characters.
func (c *Cleaner) Clean(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		c.rune(&b, r)
	}
	return b.String()
}

func (c *Cleaner) rune(b *strings.Builder, r rune) {
	cr := c.cr
	c.cr = r == '\r'
	if cr && r != '\n' {
		b.WriteRune('␍') // a bare one could overwrite the line
	}
	if unicode.Is(unicode.M, r) && r != '\ufe0f' {
		if c.marks++; c.marks <= maxMarks {
			b.WriteRune(r)
		}
		return
	}
	c.marks = 0
	switch {
	case r == '\r':
	case r == '\n', r == '\t':
		b.WriteRune(r)
	case r < 0x20:
		b.WriteRune(0x2400 + r) // ␛ for escape
	case r == 0x7f:
		b.WriteRune('␡')
	case hidden(r):
		fmt.Fprintf(b, "⟨U+%04X⟩", r)
	default:
		b.WriteRune(r)
	}
}

// hidden reports whether r steers the terminal or the direction of text, or can't be seen at all.
// The joiners U+200C and U+200D are needed by scripts and emoji.
func hidden(r rune) bool {
	switch {
	case r >= 0x80 && r < 0xa0, // C1 controls
		r == 0x200b, r == 0x2060, r == 0xfeff, // zero width
		r == 0x200e, r == 0x200f, r == 0x061c, // direction marks
		r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // overrides and isolates
		r == 0x2028, r == 0x2029, // line and paragraph separator
		r >= 0xe0000 && r <= 0xe007f: // tags
		return true
	}
	return false
}

// plain reports whether s needs no cleaning.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; b >= utf8.RuneSelf || b == 0x7f || b < 0x20 && b != '\n' && b != '\t' {
			return false
		}
	}
	return true
}
