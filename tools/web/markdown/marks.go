package markdown

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// class is what CommonMark's rules for emphasis tell apart.
type class uint8

const (
	blankClass class = iota
	punctuation
	letter // and everything else
)

func classOf(r rune) class {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return letter
	case r < utf8.RuneSelf:
		if r <= ' ' {
			return blankClass
		}
		return punctuation
	case unicode.IsSpace(r):
		return blankClass
	case unicode.IsPunct(r), unicode.IsSymbol(r):
		return punctuation
	}
	return letter
}

// opens reports whether a run of * or ~ between these can open (CommonMark: left-flanking).
func opens(before, after class) bool {
	return after != blankClass && (after != punctuation || before != letter)
}

// closes reports whether a run of * or ~ between these can close (right-flanking).
func closes(before, after class) bool {
	return before != blankClass && (before != punctuation || after != letter)
}

// sign is the character of a mark. Neighbouring marks of one sign are one run to CommonMark.
func (m mark) sign() byte {
	switch m {
	case strikeStyle:
		return '~'
	case linkStyle:
		return '['
	}
	return '*'
}

func (m mark) text() string {
	switch m {
	case strongStyle:
		return "**"
	case emStyle:
		return "*"
	case strikeStyle:
		return "~~"
	}
	return "["
}

// marks returns the marks of a style, outermost first.
func (s style) marks(buf []mark) []mark {
	for i := 0; i < linkShift && s>>i&15 != 0; i += 4 {
		buf = append(buf, mark(s>>i&15))
	}
	return buf
}

// holds reports whether the open mark o is one of the style's.
func (s style) holds(o opened) bool {
	return s.has(o.mark) && (o.mark != linkStyle || s.link() == o.link)
}

// transition closes and opens marks so that what comes next, which begins with the character first,
// stands in those of st, and writes the white space between. At the end of the line nothing comes.
func (e *emitter) transition(st style, first rune, end bool) {
	spaced := e.space || e.breaks > 0
	keep := 0
	for keep < len(e.open) && st.holds(e.open[keep]) && (!spaced || e.kept(keep)) {
		keep++
	}
	var buf [4]mark
	var closed style
	if keep < len(e.open) {
		for _, o := range e.open[keep:] {
			closed = closed.with(o.mark)
		}
		after := first
		switch {
		case end, e.space && e.breaks == 0:
			after = ' '
		case e.breaks > 0 && !e.w.cell:
			after = '\\'
		case e.breaks > 0:
			after = '<'
		}
		next := e.missing(st, buf[:0], closed, keep)
		for len(e.open) > keep {
			e.close(e.afterClosing(next, after, keep, spaced || end))
		}
	}
	e.cur, e.settled = st, true
	if end {
		return
	}
	if spaced {
		closed = 0
		e.writeSpace()
	}
	if st != 0 {
		e.openMarks(e.missing(st, buf[:0], closed, keep), st, classOf(first))
		e.settled = len(e.open) == len(st.marks(buf[:0]))
	}
}

// missing returns the marks of st that aren't among the keep outermost open ones. One that was just
// closed can't be opened again right behind: the two runs would be read as one.
func (e *emitter) missing(st style, buf []mark, closed style, keep int) []mark {
	for i := 0; i < linkShift && st>>i&15 != 0; i += 4 {
		m := mark(st >> i & 15)
		if m != linkStyle && closed.has(m) || slices.ContainsFunc(e.open[:keep], func(o opened) bool { return o.mark == m }) {
			continue
		}
		buf = append(buf, m)
	}
	return buf
}

// before returns the class of the character that ends the line so far, or the one before a run of
// the given sign at its end.
func (e *emitter) before(sign byte) class {
	i := len(e.out)
	for sign != 0 && i > e.start && e.out[i-1] == sign {
		i--
	}
	if i == e.start {
		return blankClass
	}
	r, _ := utf8.DecodeLastRune(e.out[e.start:i])
	return classOf(r)
}
