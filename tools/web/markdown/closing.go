package markdown

import "slices"

// afterClosing returns the class of what follows the run of which the innermost open mark is a part:
// another mark that is closed, one that is opened, or what comes next.
func (e *emitter) afterClosing(next []mark, after rune, keep int, spaced bool) class {
	top := len(e.open) - 1
	sign := e.open[top].mark.sign()
	for i := top - 1; i >= keep; i-- {
		if e.open[i].mark.sign() != sign {
			return punctuation
		}
	}
	if spaced {
		return classOf(after)
	}
	for _, m := range next {
		if m.sign() != sign {
			return punctuation
		}
	}
	return classOf(after)
}

// close closes the innermost mark. Where CommonMark wouldn't read its sign as closing, because of
// what follows, it is put behind the last letter in it: **Note:**text becomes **Note**:text.
func (e *emitter) close(after class) {
	n := len(e.open) - 1
	o := e.open[n]
	e.open = e.open[:n]
	if o.mark == linkStyle {
		e.out = append(e.out, "]("...)
		e.destination(e.w.links[o.link-1].href)
		e.out = append(e.out, ')')
		return
	}
	last := e.before(0)
	at := len(e.out)
	switch {
	case closes(last, after):
	case o.safe > o.text:
		at = o.safe
	default:
		e.unopen(o)
		return
	}
	moved := at < len(e.out)
	e.insert(at, o.mark.text())
	if n > 0 && (moved || last == letter) {
		e.open[n-1].safe = at + len(o.mark.text())
	}
}

// unopen takes an opening mark back that can't be closed.
func (e *emitter) unopen(o opened) {
	e.out = slices.Delete(e.out, o.start, o.text)
	e.shift(o.start, o.start-o.text)
	if o.start == len(e.out) {
		return
	}
	switch c := e.out[o.start]; {
	case c == '`' && o.code:
		e.insert(o.start, separator)
	case c == '[' && o.bang:
		e.insert(o.start-1, "\\")
	case o.first && needsBackslash(c):
		e.insert(o.start, "\\")
	}
}

// insert puts s into the output.
func (e *emitter) insert(i int, s string) {
	e.out = slices.Insert(e.out, i, []byte(s)...)
	e.shift(i, len(s))
}

// shift notes that what stood at i and behind has moved by n bytes.
func (e *emitter) shift(i, n int) {
	for _, at := range [...]*int{&e.start, &e.codeEnd} {
		if *at > i {
			*at += n
		}
	}
}

// separator keeps two codes apart that no mark stands between: their backticks would be read as one
// run. A comment is the only thing in Markdown that is nothing.
const separator = "<!-- -->"
