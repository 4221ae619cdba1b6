package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lineAt is how far a line of Markdown is, as far as characters at its beginning need a backslash.
type lineAt uint8

const (
	atStart     lineAt = iota
	afterDigits        // "1"
	afterDot           // "1."
	inside
)

// needsBackslash reports whether a line that begins with c would be read as something else than
// text (tools.fr.md, Échappement).
func needsBackslash(c byte) bool {
	switch c {
	case '#', '>', '-', '+', '=', '|':
		return true
	}
	return false
}

// escaped writes text so that it is read back as text. What needs a backslash is listed in
// tools.fr.md, Échappement, and nothing else gets one.
func (e *emitter) escaped(s string) {
	if e.at != inside {
		s = e.lineStart(s)
	}
	for {
		i := 0
		for i < len(s) && !special(s[i]) {
			i++
		}
		if i == len(s) {
			e.out = append(e.out, s...)
			return
		}
		e.out = append(e.out, s[:i]...)
		switch c := s[i]; {
		case c == '_':
			n := 1
			for i+n < len(s) && s[i+n] == '_' {
				n++
			}
			e.underscores(s[i:i+n], s[i+n:])
			s = s[i+n:]
			continue
		case c == '|' && !e.w.cell:
			e.out = append(e.out, c)
		default:
			e.out = append(e.out, '\\', c)
		}
		s = s[i+1:]
	}
}

// special reports whether a character needs a backslash, or may need one.
func special(c byte) bool {
	switch c {
	case '\\', '*', '`', '[', ']', '<', '_', '|':
		return true
	}
	return false
}

// underscores writes a run of underscores. Inside a word it is no markup.
func (e *emitter) underscores(run, rest string) {
	before, _ := utf8.DecodeLastRune(e.out[e.start:])
	after, _ := utf8.DecodeRuneInString(rest)
	if isWord(before) && isWord(after) {
		e.out = append(e.out, run...)
		return
	}
	for range run {
		e.out = append(e.out, '\\', '_')
	}
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r))
}

// lineStart writes what needs care at the beginning of a line, and returns the rest.
func (e *emitter) lineStart(s string) string {
	if e.at == atStart && needsBackslash(s[0]) {
		e.at = inside
		e.out = append(e.out, '\\', s[0])
		return s[1:]
	}
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	digits := e.at == afterDigits || n > 0
	e.out = append(e.out, s[:n]...)
	s = s[n:]
	switch {
	case !digits || s != "" && s[0] != '.':
		e.at = inside
	case s == "":
		e.at = afterDigits
	case len(s) == 1:
		e.at, e.dot = afterDot, len(e.out)
		e.out = append(e.out, '.')
		return ""
	default:
		e.at = inside
		if s[1] == ' ' {
			e.out = append(e.out, '\\', '.')
			return s[1:]
		}
	}
	return s
}

// endDot is called where a blank or the end of the line follows: "1." there would begin a list.
func (e *emitter) endDot() {
	if e.at == afterDot {
		e.insert(e.dot, "\\")
		e.at = inside
	}
}

// plain writes text inside brackets, where lines don't begin.
func (e *emitter) plain(s string) {
	for i, word := range strings.Fields(s) {
		if i > 0 {
			e.out = append(e.out, ' ')
		}
		e.escaped(word)
	}
}

// addCode adds text to the inline code that waits; white space in it is collapsed as anywhere.
func (e *emitter) addCode(p *piece) {
	if len(e.code) > 0 && e.coded != p.style {
		e.endCode()
	}
	e.coded = p.style
	for i := 0; i < len(p.text); i++ {
		switch c := p.text[i]; {
		case !isBlank(c):
			if e.blanks {
				e.code = append(e.code, ' ')
				e.blanks = false
			}
			e.code = append(e.code, c)
		case len(e.code) == 0:
			e.blank(p.style)
		default:
			e.blanks = true
		}
	}
}

// endCode writes the inline code that waits, in more backticks than it has in a row.
func (e *emitter) endCode() {
	if len(e.code) == 0 {
		return
	}
	code, blanks, st := string(e.code), e.blanks, e.coded
	e.code, e.blanks = e.code[:0], false
	if !hasVisible(code) {
		e.blank(st)
		return
	}
	e.content('`', st)
	e.at = inside
	if e.afterCode() {
		e.out = append(e.out, separator...)
	}
	fence := strings.Repeat("`", longestRun(code, '`')+1)
	pad := code[0] == '`' || code[len(code)-1] == '`'
	e.out = append(e.out, fence...)
	if pad {
		e.out = append(e.out, ' ')
	}
	if e.w.cell {
		code = strings.ReplaceAll(code, "|", `\|`)
	}
	e.out = append(e.out, code...)
	if pad {
		e.out = append(e.out, ' ')
	}
	e.out = append(e.out, fence...)
	e.codeEnd = len(e.out)
	if blanks {
		e.blank(st)
	}
}

// afterCode reports whether the line so far ends in code.
func (e *emitter) afterCode() bool { return e.codeEnd == len(e.out) && e.codeEnd > e.from }
