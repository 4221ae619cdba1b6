package markdown

import "unicode/utf8"

// text writes text: words with single blanks between.
func (e *emitter) text(s string, st style) {
	for i := 0; i < len(s); {
		if isBlank(s[i]) {
			e.blank(st)
			i++
			continue
		}
		j := i + 1
		for j < len(s) && (!isBlank(s[j]) || s[j] == ' ' && j+1 < len(s) && !isBlank(s[j+1])) {
			j++
		}
		e.words(s[i:j], st)
		i = j
	}
}

// words writes text that begins and ends with a character that isn't a blank and has only single
// blanks in it.
func (e *emitter) words(s string, st style) {
	first, _ := utf8.DecodeRuneInString(s)
	if e.url && classOf(first) == letter {
		e.blank(st)
	}
	e.content(first, st)
	if !e.settled && classOf(first) != letter {
		// A mark can't be opened before this character: it is tried again behind it.
		if n := toLetter(s); n > 0 {
			e.escaped(s[:n])
			e.words(s[n:], st)
			return
		}
	}
	before := len(e.out)
	e.escaped(s)
	e.noteSafe(before)
}

// toLetter returns how many bytes of s stand before its first letter or digit; 0 when it begins
// with one, has none, or a blank comes first.
func toLetter(s string) int {
	for i, r := range s {
		switch {
		case r == ' ':
			return 0
		case classOf(r) == letter:
			return i
		}
	}
	return 0
}

// noteSafe notes the last letter written since from as a place where the innermost mark can end.
func (e *emitter) noteSafe(from int) {
	if len(e.open) == 0 {
		return
	}
	for i := len(e.out); i > from; {
		r, n := utf8.DecodeLastRune(e.out[from:i])
		if classOf(r) == letter {
			e.open[len(e.open)-1].safe = i
			return
		}
		i -= n
	}
}
