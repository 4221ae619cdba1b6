package llm

import (
	"strconv"
	"unicode/utf8"
)

// cursor walks over JSON text without building values: a stream has tens of thousands of small
// documents of which a few members count. It takes what encoding/json takes, and a fault anywhere
// makes the whole document bad.
type cursor struct {
	b     []byte
	i     int
	depth int
	bad   bool
}

// maxDepth is encoding/json's.
const maxDepth = 10000

func (c *cursor) fail() { c.bad, c.i = true, len(c.b) }

func (c *cursor) space() {
	for c.i < len(c.b) {
		switch c.b[c.i] {
		case ' ', '\t', '\n', '\r':
			c.i++
		default:
			return
		}
	}
}

// peek returns the first byte of the next value, 0 at the end.
func (c *cursor) peek() byte {
	c.space()
	if c.i >= len(c.b) {
		return 0
	}
	return c.b[c.i]
}

func (c *cursor) take(want byte) bool {
	if c.peek() != want {
		return false
	}
	c.i++
	return true
}

// end reports whether nothing but white space is left and all was well.
func (c *cursor) end() bool { return c.peek() == 0 && c.i >= len(c.b) && !c.bad }

// object calls member for each key; member must consume the value. Another value is skipped.
func (c *cursor) object(member func(key []byte)) {
	if c.peek() != '{' {
		c.skip()
		return
	}
	c.list('}', func() {
		key, ok := c.str()
		if !ok || !c.take(':') {
			c.fail()
			return
		}
		member(key)
	})
}

// array calls element for each element, which must consume it. Another value is skipped.
func (c *cursor) array(element func()) {
	if c.peek() != '[' {
		c.skip()
		return
	}
	c.list(']', element)
}

func (c *cursor) list(closing byte, item func()) {
	c.i++
	if c.depth++; c.depth > maxDepth {
		c.fail()
		return
	}
	defer func() { c.depth-- }()
	if c.take(closing) {
		return
	}
	for !c.bad {
		item()
		if c.take(',') {
			continue
		}
		if !c.take(closing) {
			c.fail()
		}
		return
	}
}

// skip consumes a value of any kind.
func (c *cursor) skip() {
	switch b := c.peek(); {
	case b == '{':
		c.object(func([]byte) { c.skip() })
	case b == '[':
		c.array(c.skip)
	case b == '"':
		c.scan()
	case b == '-' || b >= '0' && b <= '9':
		c.numberText()
	default:
		if !c.literal("null") && !c.literal("true") && !c.literal("false") {
			c.fail()
		}
	}
}

// raw consumes a value and returns its text.
func (c *cursor) raw() []byte {
	c.space()
	start := c.i
	c.skip()
	return c.b[start:c.i]
}

func (c *cursor) literal(word string) bool {
	if len(c.b)-c.i < len(word) || string(c.b[c.i:c.i+len(word)]) != word {
		return false
	}
	c.i += len(word)
	return true
}

// null consumes a null.
func (c *cursor) null() bool { return c.peek() == 'n' && c.literal("null") }

// numberText consumes a number.
func (c *cursor) numberText() []byte {
	start := c.i
	c.byteIf('-')
	switch {
	case c.byteIf('0'):
	case !c.digits():
		c.fail()
		return nil
	}
	if c.byteIf('.') && !c.digits() {
		c.fail()
		return nil
	}
	if c.byteIf('e') || c.byteIf('E') {
		_ = c.byteIf('+') || c.byteIf('-')
		if !c.digits() {
			c.fail()
			return nil
		}
	}
	return c.b[start:c.i]
}

func (c *cursor) byteIf(b byte) bool {
	if c.i < len(c.b) && c.b[c.i] == b {
		c.i++
		return true
	}
	return false
}

func (c *cursor) digits() bool {
	start := c.i
	for c.i < len(c.b) && c.b[c.i] >= '0' && c.b[c.i] <= '9' {
		c.i++
	}
	return c.i > start
}

// integer consumes a value; ok reports whether it was a number, also as a string.
func (c *cursor) integer() (n int, ok bool) {
	var text string
	switch b := c.peek(); {
	case b == '"':
		s, _ := c.str()
		text = string(s)
	case b == '-' || b >= '0' && b <= '9':
		text = string(c.numberText())
	default:
		c.skip()
		return 0, false
	}
	if n, err := strconv.Atoi(text); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != f || f > 1<<53 || f < -(1<<53) {
		return 0, false
	}
	return int(f), true
}

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
	for start := c.i; c.i < len(c.b); c.i++ {
		switch b := c.b[c.i]; {
		case b == '"':
			c.i++
			return c.b[start : c.i-1], escaped
		case b < ' ':
			c.fail()
			return nil, false
		case b == '\\':
			escaped = true
			if !c.escape() {
				c.fail()
				return nil, false
			}
		}
	}
	c.fail()
	return nil, false
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
