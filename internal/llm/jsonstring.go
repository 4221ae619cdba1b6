package llm

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// str consumes a string and returns what it stands for, see appendTo. Another value is skipped.
func (c *cursor) str() (s []byte, ok bool) {
	if c.peek() != '"' {
		c.skip()
		return nil, false
	}
	plain, escaped := c.scan()
	if escaped {
		return unescape(nil, plain), !c.bad
	}
	return plain, !c.bad
}

// appendTo appends a string to dst without copying it twice. Another value is skipped.
func (c *cursor) appendTo(dst []byte) []byte {
	if c.peek() != '"' {
		c.skip()
		return dst
	}
	text, escaped := c.scan()
	if escaped {
		return unescape(dst, text)
	}
	return append(dst, text...)
}

// scan consumes a string and returns what stands between its quotes.
func (c *cursor) scan() (text []byte, escaped bool) {
	c.i++
	start := c.i
	for {
		c.i += ordinary(c.b[c.i:])
		switch {
		case c.i < len(c.b) && c.b[c.i] == '"':
			c.i++
			return c.b[start : c.i-1], escaped
		case c.i < len(c.b) && c.b[c.i] == '\\' && c.escape():
			c.i++
			escaped = true
		default:
			c.fail()
			return nil, false
		}
	}
}

// ordinary is how many bytes there are before a quote, a backslash or a control character. It looks
// at eight at once: long strings that nobody needs are most of a chunk. A byte minus n borrows from
// its highest bit only when it is smaller, and a byte that equals what it is compared with becomes
// zero; the lowest bit that is set is right.
func ordinary(b []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		quote, backslash := x^each*'"', x^each*'\\'
		if m := ((x-each*' ')&^x | (quote-each)&^quote | (backslash-each)&^backslash) & high; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}

// escape checks the escape at c.i and goes to its last byte.
func (c *cursor) escape() bool {
	c.i++
	if c.i >= len(c.b) {
		return false
	}
	switch c.b[c.i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return true
	case 'u':
		if hex4(c.b[c.i+1:]) < 0 {
			return false
		}
		c.i += 4
		return true
	}
	return false
}

// hex4 reads four hexadecimal digits; -1 means that there aren't four.
func hex4(b []byte) rune {
	if len(b) < 4 {
		return -1
	}
	var r rune
	for _, d := range b[:4] {
		switch {
		case d >= '0' && d <= '9':
			r = r<<4 | rune(d-'0')
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			r = r<<4 | rune(d|0x20-'a'+10)
		default:
			return -1
		}
	}
	return r
}

// unescape appends what a checked JSON string stands for. Half a surrogate pair becomes the three
// bytes that UTF-8 would have for it, so that a joiner can still find its other half in the next
// piece of the stream.
func unescape(dst, s []byte) []byte {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			dst = append(dst, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 't':
			dst = append(dst, '\t')
		case 'u':
			r := hex4(s[i+1:])
			i += 4
			if isHigh(r) && i+6 < len(s) && s[i+1] == '\\' && s[i+2] == 'u' {
				if low := hex4(s[i+3:]); isLow(low) {
					r = pair(r, low)
					i += 6
				}
			}
			dst = appendRune(dst, r)
		default:
			dst = append(dst, s[i])
		}
	}
	return dst
}

func isHigh(r rune) bool { return r >= 0xD800 && r < 0xDC00 }
func isLow(r rune) bool  { return r >= 0xDC00 && r < 0xE000 }

func pair(high, low rune) rune { return 0x10000 + (high-0xD800)<<10 + (low - 0xDC00) }

// appendRune is utf8.AppendRune for surrogates too.
func appendRune(dst []byte, r rune) []byte {
	if isHigh(r) || isLow(r) {
		return append(dst, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}
