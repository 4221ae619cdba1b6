package llm

import "slices"

// inText tells text up to the next mark.
func (l *lifter) inText(final bool) bool {
	for i := 0; i < len(l.pend); {
		next, v := l.lookAt(l.pend[i:], final)
		switch v {
		case found:
			l.say(l.take(i))
			l.mode = next
			return true
		case more:
			l.say(l.take(i))
			return false
		}
		l.md.advance(l.pend[i])
		i++
	}
	l.say(l.take(len(l.pend)))
	return false
}

// lookAt reports whether something begins at b that is no text, and what takes it.
func (l *lifter) lookAt(b []byte, final bool) (next func(*lifter, bool) bool, v verdict) {
	switch c := b[0]; {
	case c == '<' || c == '[':
		return l.lookAtMark(b, final)
	case (c == '`' || c == '~') && l.calls && !l.noFence && len(l.found) == 0 && l.md.atLine():
		n := runLength(b, c)
		if n == len(b) && !final {
			return nil, more
		}
		if n >= 3 {
			l.fenced = fenced{}
			return (*lifter).inFence, found
		}
	}
	return nil, failed
}

func (l *lifter) lookAtMark(b []byte, final bool) (next func(*lifter, bool) bool, v verdict) {
	if !l.md.plain() {
		return nil, failed
	}
	for _, mark := range []string{endThink, markThink, markHermes, markRequest, markMistral} {
		call := mark != endThink && mark != markThink
		if call && !l.calls || !call && l.thinkSeen {
			continue
		}
		switch starts(b, mark) {
		case more:
			if !final {
				return nil, more
			}
		case found:
			switch mark {
			case markThink:
				l.thinkSeen = true // a word in the answer
			case endThink:
				return (*lifter).endUnopened, found
			default:
				l.markup = markup{mark: mark}
				return (*lifter).inMarkup, found
			}
		}
	}
	return nil, failed
}

// inMarkup reads a call behind its mark.
func (l *lifter) inMarkup(final bool) bool {
	l.tellPiece()
	v, n := l.markup.scan(l.pend, final)
	if v == more {
		return false
	}
	var calls []*rawCall
	if v == found {
		calls = l.markup.calls(l.pend, l.tools)
	}
	if len(calls) == 0 {
		if l.fails++; l.fails >= maxFails {
			l.calls = false
		}
		l.plain()
		l.skip(1) // the mark is a word
		return true
	}
	if l.quotes(l.markup.essence(l.pend)) {
		l.plain()
		l.skip(n)
		l.out.notice(repeated)
		return true
	}
	l.lift(calls, n)
	l.mode = (*lifter).afterCall
	return true
}

const repeated = "the model repeated a tool call that stands in something it read: it wasn't run"

// inFence reads a fenced block that may be a call.
func (l *lifter) inFence(final bool) bool {
	l.tellPiece()
	v := l.fenced.scan(l.pend, final, l.offers)
	if v == more {
		return false
	}
	if v == found {
		doc := l.pend[l.fenced.head:l.fenced.tail]
		c, ok := readCall(doc)
		if ok && c.args != nil && !l.quotes(doc) {
			l.lift([]*rawCall{c}, len(l.pend))
			l.mode = (*lifter).afterCall
			return false
		}
		if ok && c.args != nil {
			l.out.notice(repeated)
		}
	}
	l.noFence = true
	l.plain()
	return true
}

func (l *lifter) offers(name string) bool {
	return slices.ContainsFunc(l.tools, func(t Tool) bool { return t.Name == name })
}

// tellPiece tells what is held back as a piece of a call: a sign of life.
func (l *lifter) tellPiece() {
	if l.told < len(l.pend) {
		l.out.fragment(len(l.found), "", l.pend[l.told:])
		l.told = len(l.pend)
	}
}

// lift takes the calls of the first n bytes.
func (l *lifter) lift(calls []*rawCall, n int) {
	for _, c := range calls {
		l.out.fragment(len(l.found), c.name, nil)
		c.index = len(l.found)
		l.found = append(l.found, c)
	}
	l.take(n)
	l.plain()
	l.md = markdown{}
}

// plain goes back to text.
func (l *lifter) plain() {
	l.markup, l.fenced, l.told = markup{}, fenced{}, 0
	l.mode = (*lifter).inText
}

// skip tells n bytes as text, whatever they are.
func (l *lifter) skip(n int) {
	b := l.take(n)
	for _, c := range b {
		l.md.advance(c)
	}
	l.say(b)
}

// afterCall drops white space behind a call.
func (l *lifter) afterCall(bool) bool {
	l.take(skipSpace(l.pend, 0))
	if len(l.pend) == 0 {
		return false
	}
	l.mode = (*lifter).inText
	return true
}
