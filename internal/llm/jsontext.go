package llm

import "strconv"

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
	if c.i < len(c.b) && c.b[c.i] > ' ' {
		return c.b[c.i]
	}
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
	if !c.take(closing) {
		item()
		for c.take(',') {
			item()
		}
		if !c.take(closing) {
			c.fail()
		}
	}
	c.depth--
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
