package llm

import "bytes"

// The marks with which models write calls as text.
const (
	markHermes   = "<tool_call>"
	endHermes    = "</tool_call>"
	markRequest  = "[TOOL_REQUEST]"
	endRequest   = "[END_TOOL_REQUEST]"
	markMistral  = "[TOOL_CALLS]"
	argsMistral  = "[ARGS]"
	openFunction = "<function="
	endFunction  = "</function>"
)

// verdict is what a scanner makes of what it has seen so far.
type verdict int

const (
	more   verdict = iota // can't be told yet
	failed                // no call
	found                 // whole
)

// starts compares b with a word: found when b begins with it, more when b is the beginning of it.
func starts(b []byte, word string) verdict {
	if len(b) >= len(word) {
		if string(b[:len(word)]) == word {
			return found
		}
		return failed
	}
	if word[:len(b)] == string(b) {
		return more
	}
	return failed
}

// markup finds the end of a call that begins with a mark. It is given what has arrived since the
// mark again and again, and looks at each byte once.
type markup struct {
	mark string
	form byte // 'j' a JSON object or list, 'x' tags, 0 not known yet
	off  int  // looked at up to here
	head int  // where the JSON begins
	tail int  // where it ends
	obj  brackets
	// space is looked at behind a </function>.
	space int
}

// scan reports found with the length of the whole markup, closing mark included. final says that
// nothing more will come.
func (m *markup) scan(b []byte, final bool) (verdict, int) {
	if m.off == 0 {
		m.off = len(m.mark)
	}
	if m.form == 0 {
		if v := m.begin(b, final); v != found {
			return v, 0
		}
	}
	if m.form == 'x' {
		return m.tags(b, final)
	}
	if m.tail == 0 {
		end, ok := m.obj.scan(b, m.closing())
		switch {
		case ok:
			m.tail = end
		case !final:
			return more, 0
		default:
			m.tail = m.giveUp(b)
		}
		m.off = m.tail
	}
	return m.end(b, final)
}

func (m *markup) closing() string {
	switch m.mark {
	case markHermes:
		return endHermes
	case markRequest:
		return endRequest
	}
	return ""
}

// giveUp ends JSON that never ended: at its closing mark, which may stand in a string that was
// never closed, else where the text ends.
func (m *markup) giveUp(b []byte) int {
	if closing := m.closing(); closing != "" {
		if i := bytes.Index(b[m.head:], []byte(closing)); i >= 0 {
			return m.head + i
		}
	}
	return len(b)
}

// begin looks at what follows the mark.
func (m *markup) begin(b []byte, final bool) verdict {
	m.off = skipSpace(b, m.off)
	rest := b[m.off:]
	if len(rest) == 0 {
		return undecided(final)
	}
	switch {
	case rest[0] == '{' || rest[0] == '[' && m.mark == markMistral:
		m.json(m.off)
		return found
	case m.mark == markHermes:
		v := starts(rest, openFunction)
		if v == found {
			m.form = 'x'
		}
		if v == more {
			return undecided(final)
		}
		return v
	case m.mark == markMistral:
		return m.named(rest, final)
	}
	return failed
}

// maxName is how long the name of a tool may be in a call written as text.
const maxName = 200

// named is NAME[ARGS]{…}; an id may stand between.
func (m *markup) named(rest []byte, final bool) verdict {
	i := bytes.Index(rest[:min(len(rest), maxName)], []byte(argsMistral))
	head := rest
	if i >= 0 {
		head = rest[:i]
	}
	if len(head) >= maxName || bytes.ContainsAny(head, " \n{\"") {
		return failed
	}
	if i < 0 {
		return undecided(final)
	}
	at := skipSpace(rest, i+len(argsMistral))
	if at == len(rest) {
		return undecided(final)
	}
	if rest[at] != '{' {
		return failed
	}
	m.json(m.off + at)
	return found
}

func (m *markup) json(at int) {
	m.form, m.head, m.off = 'j', at, at
	m.obj = brackets{off: at}
}

// end takes the closing mark, if there is one.
func (m *markup) end(b []byte, final bool) (verdict, int) {
	closing := m.closing()
	if closing == "" {
		return found, m.tail
	}
	at := skipSpace(b, m.off)
	switch v := starts(b[at:], closing); {
	case v == found:
		return found, at + len(closing)
	case v == more && !final:
		m.off = at
		return more, 0
	}
	return found, m.tail
}

// tags finds the end of <function=…>…</function></tool_call>. Values are raw text that may hold
// </function>, so only one that the closing mark follows counts, or at the end of the text the last.
func (m *markup) tags(b []byte, final bool) (verdict, int) {
	for {
		i := bytes.Index(b[m.off:], []byte(endFunction))
		if i < 0 {
			break
		}
		after := m.off + i + len(endFunction)
		at := skipSpace(b, max(after, m.space))
		switch starts(b[at:], endHermes) {
		case found:
			m.tail = after
			return found, at + len(endHermes)
		case more:
			if !final {
				m.off, m.space = m.off+i, at
				return more, 0
			}
		}
		m.tail, m.off = after, after
	}
	if !final {
		m.off = max(m.off, len(b)-len(endFunction))
		return more, 0
	}
	if m.tail > 0 {
		return found, m.tail
	}
	return failed, 0
}

func undecided(final bool) verdict {
	if final {
		return failed
	}
	return more
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// brackets finds the end of a JSON object or list, without caring whether it is right inside.
type brackets struct {
	off    int
	depth  int
	quoted bool
	escape bool
}

// scan goes on at off and returns where the JSON ends: after its last bracket, or where the closing
// mark stands outside of a string, which no JSON has there.
func (s *brackets) scan(b []byte, closing string) (end int, ok bool) {
	for ; s.off < len(b); s.off++ {
		c := b[s.off]
		switch {
		case s.escape:
			s.escape = false
		case s.quoted:
			s.quoted, s.escape = c != '"', c == '\\'
		case c == '"':
			s.quoted = true
		case closing != "" && c == closing[0]:
			switch starts(b[s.off:], closing) {
			case found:
				return s.off, true
			case more:
				return 0, false
			}
			s.open(c)
		default:
			if s.open(c) {
				s.off++
				return s.off, true
			}
		}
	}
	return 0, false
}

// open counts brackets and reports whether the last one was closed.
func (s *brackets) open(c byte) bool {
	switch c {
	case '{', '[':
		s.depth++
	case '}', ']':
		s.depth--
		return s.depth <= 0
	}
	return false
}
