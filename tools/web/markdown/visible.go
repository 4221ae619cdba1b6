package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible returns s without what can't be seen: control characters, zero-width characters, the marks
// that steer the direction of text, and tags. They carry nothing for a reader and may carry orders
// for a model. Line and paragraph separators become line ends.
//
// The joiners U+200C and U+200D stay between two characters of scripts that need them and in emoji,
// one variation selector stays after a character that can have one.
func visible(s string) string {
	i := firstInvisible(s, 0)
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for start := 0; ; {
		b.WriteString(s[start:i])
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\u2028' || r == '\u2029' {
			b.WriteByte('\n')
		}
		start = i + n
		if i = firstInvisible(s, start); i < 0 {
			b.WriteString(s[start:])
			return b.String()
		}
	}
}

// firstInvisible returns the place of the first character at or after from that visible takes out,
// or -1.
func firstInvisible(s string, from int) int {
	for i := from; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c < 0x20 && !isBlank(c) || c == 0x7f {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if mayHide(c) && invisible(s, i, r, n) {
			return i
		}
		i += n
	}
	return -1
}

// mayHide reports whether a character that begins with this byte can be invisible. Most can't, and
// this is asked for each character that isn't ASCII.
func mayHide(lead byte) bool {
	switch lead {
	case 0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf0, 0xf3:
		return true
	}
	return false
}

// invisible reports whether r, the n bytes of s at i, is to be taken out.
func invisible(s string, i int, r rune, n int) bool {
	switch {
	case r >= 0x80 && r < 0xa0, // C1 controls
		r == 0xad, r == 0x034f, r == 0x061c, // soft hyphen, grapheme joiner, Arabic letter mark
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, // Hangul fillers
		r == 0x17b4, r == 0x17b5, r >= 0x180b && r <= 0x180f, // Khmer vowels, Mongolian selectors
		r == 0x200b, r == 0x200e, r == 0x200f, // zero width space, direction marks
		r >= 0x2028 && r <= 0x202e,              // separators, embeddings, overrides
		r >= 0x2060 && r <= 0x206f,              // word joiner, invisible operators, isolates
		r == 0xfeff, r >= 0xfff9 && r <= 0xfffb, // byte order mark, annotations
		r >= 0x1bca0 && r <= 0x1bca3, r >= 0x1d173 && r <= 0x1d17a, // shorthand and music controls
		r >= 0xe0000 && r <= 0xe00ff, r >= 0xe01f0 && r <= 0xe0fff: // tags
		return true
	case r == 0x200c, r == 0x200d:
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		after, _ := utf8.DecodeRuneInString(s[i+n:])
		return !joins(before) || !joins(after)
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0100 && r <= 0xe01ef: // variation selectors
		before, _ := utf8.DecodeLastRuneInString(s[:i])
		return !varies(before)
	}
	return false
}

// joins reports whether a joiner next to r can mean something: scripts from Hebrew on, and emoji
// with what belongs to them.
func joins(r rune) bool {
	return r >= 0x0590 && r != utf8.RuneError && !isJoiner(r) &&
		(unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsSymbol(r))
}

func isJoiner(r rune) bool { return r == 0x200c || r == 0x200d }

// varies reports whether a variation selector after r can mean something: digits of keycaps, signs,
// symbols, Han characters.
func varies(r rune) bool {
	switch {
	case r == utf8.RuneError, unicode.IsMark(r):
		return false
	case r < utf8.RuneSelf:
		return r == '#' || r == '*' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsSymbol(r) || unicode.IsPunct(r)
}

// hasVisible reports whether s has anything to see.
func hasVisible(s string) bool {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c > ' ' && c != 0x7f {
				return true
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsSpace(r) && !(mayHide(c) && invisible(s, i, r, n)) {
			return true
		}
		i += n
	}
	return false
}
