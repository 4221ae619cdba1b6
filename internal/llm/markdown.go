package llm

// markdown follows a text byte by byte and knows whether it stands in code or in a quotation. It
// errs on the side of code, where no call is taken from.
type markdown struct {
	fence       byte // '`' or '~' inside a fenced block, else 0
	fenceLen    int
	fenceIndent int
	info        bool // on the line that opened the block
	closing     bool // this line closes the block if nothing else stands on it

	inline int  // length of the run of backticks that opened inline code on this line
	quote  bool // this line is quoted
	code   bool // this line is indented code

	inPrefix  bool // nothing but white space and list markers so far
	started   bool // the text has begun (the zero value stands before a line)
	indent    int
	mark      byte // in a list marker: '-', '1' after digits, '.' after their dot
	item      bool // a list marker stood on this line
	prevBlank bool
	prevCode  bool

	run      int // length of the current run of runChar
	runChar  byte
	runFirst bool // nothing stood before the run
	prev     [3]byte
}

// plain reports whether what comes next is neither code nor quoted.
func (m *markdown) plain() bool {
	m.start()
	m.settle()
	return m.fence == 0 && m.inline == 0 && !m.quote && !m.codeLine() && !m.afterQuote()
}

// atLine reports whether only white space stands before what comes next on its line, and it isn't
// code.
func (m *markdown) atLine() bool {
	m.start()
	return m.inPrefix && m.run == 0 && m.mark == 0 && !m.item && m.fence == 0 && !m.quote && !m.codeLine()
}

// codeLine reports whether this line is indented code: also while only its indentation was seen.
func (m *markdown) codeLine() bool {
	return m.code || m.inPrefix && m.indented()
}

func (m *markdown) indented() bool {
	return !m.item && m.indent >= 4 && (m.prevBlank || m.prevCode)
}

func (m *markdown) afterQuote() bool {
	switch m.prev[2] {
	case '"', '\'':
		return true
	case 0xAB: // «
		return m.prev[1] == 0xC2
	case 0x98, 0x9A, 0x9C, 0x9E: // ‘ ‚ “ „
		return m.prev[0] == 0xE2 && m.prev[1] == 0x80
	case 0xB9: // ‹
		return m.prev[0] == 0xE2 && m.prev[1] == 0x80
	}
	return false
}

func (m *markdown) start() {
	if !m.started {
		m.started, m.inPrefix, m.prevBlank = true, true, true
	}
}

// advance takes the next byte.
func (m *markdown) advance(b byte) {
	m.start()
	m.prev = [3]byte{m.prev[1], m.prev[2], b}
	if m.run > 0 && b != m.runChar {
		m.settle()
	}
	switch {
	case b == '\n':
		m.endLine()
		return
	case b == '\r':
		return
	case m.inPrefix && m.prefix(b):
		return
	}
	if b == '`' || b == '~' {
		if m.run == 0 {
			m.runChar, m.runFirst = b, m.inPrefix
		}
		m.run++
		m.inPrefix = false
		return
	}
	m.inPrefix = false
	if b != ' ' && b != '\t' {
		m.closing = false
	}
}

// prefix takes a byte before the line's own text. It reports false for the first of the text.
func (m *markdown) prefix(b byte) bool {
	space := b == ' ' || b == '\t'
	switch {
	case m.mark == '-' || m.mark == '.':
		if !space {
			return m.text(b)
		}
		m.mark, m.item = 0, true
		m.indent += 2
	case m.mark == '1' && (b == '.' || b == ')'):
		m.mark = '.'
	case m.mark == '1' && b >= '0' && b <= '9':
	case m.mark == '1':
		return m.text(b)
	case b == ' ':
		m.indent++
	case b == '\t':
		m.indent += 4 - m.indent%4
	case m.fence == 0 && !m.indented() && (b == '-' || b == '*' || b == '+'):
		m.mark = '-'
	case m.fence == 0 && !m.indented() && b >= '0' && b <= '9':
		m.mark = '1'
	default:
		return m.text(b)
	}
	return true
}

// text begins the line's own text.
func (m *markdown) text(b byte) bool {
	if m.fence == 0 {
		m.code = m.indented()
		m.quote = b == '>' && m.mark == 0 && !m.code
	}
	m.mark = 0
	return false
}

// settle ends a run of backticks or tildes.
func (m *markdown) settle() {
	n := m.run
	m.run = 0
	switch {
	case n == 0:
	case m.info && m.runChar == '`' && m.fence == '`':
		// "```x```" is inline code: the line that opens a block has no more backticks.
		m.fence, m.info = 0, false
	case m.fence != 0:
		m.closing = m.runFirst && m.runChar == m.fence && n >= m.fenceLen && m.indent <= m.fenceIndent+3
	case m.runFirst && n >= 3:
		m.fence, m.fenceLen, m.fenceIndent, m.info = m.runChar, n, m.indent, true
	case m.runChar != '`':
	case m.inline == 0:
		m.inline = n
	case m.inline == n:
		m.inline = 0
	}
}

func (m *markdown) endLine() {
	m.settle()
	if m.closing {
		m.fence = 0
	}
	blank := m.inPrefix
	m.prevCode = m.code || blank && m.prevCode
	m.prevBlank = blank
	m.info, m.closing, m.inline, m.quote, m.code = false, false, 0, false, false
	m.inPrefix, m.indent, m.mark, m.item = true, 0, 0, false
}
