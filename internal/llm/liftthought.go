package llm

import "bytes"

// atStart looks for <think>.
func (l *lifter) atStart(final bool) bool {
	at := skipSpace(l.pend, l.blank)
	l.blank = at
	v := starts(l.pend[at:], markThink)
	if v == more && !final {
		return false
	}
	switch {
	case v == found:
		l.take(at + len(markThink))
		l.thinkSeen, l.assumed = true, false
		l.mode = (*lifter).beforeThought
	case l.assumed:
		l.mode = (*lifter).inThought
	default:
		l.mode = (*lifter).inText
	}
	return true
}

// assume makes the lifter read the text as reasoning until </think>: earlier answers of this
// server began so.
func (l *lifter) assume() { l.assumed = true }

// reconsider ends the assumption when it proves wrong: what was thought is text.
func (l *lifter) reconsider() bool {
	if !l.assumed {
		return false
	}
	l.assumed, l.thinkSeen = false, false
	l.pend = append(l.thought, l.pend...)
	l.thought, l.blank = nil, 0
	l.mode = (*lifter).atStart
	return true
}

// beforeThought drops the line ends behind <think>.
func (l *lifter) beforeThought(bool) bool { return l.lineEnds((*lifter).inThought) }

// afterThought drops the line ends behind </think>.
func (l *lifter) afterThought(bool) bool {
	again := l.lineEnds((*lifter).inText)
	l.body = l.total - len(l.pend)
	return again
}

func (l *lifter) lineEnds(next func(*lifter, bool) bool) bool {
	n := 0
	for n < len(l.pend) && (l.pend[n] == '\n' || l.pend[n] == '\r') {
		n++
	}
	l.take(n)
	if len(l.pend) == 0 {
		return false
	}
	l.mode = next
	return true
}

// inThought looks for </think>; line ends before it are held back, since they go with it.
func (l *lifter) inThought(final bool) bool {
	if i := bytes.Index(l.pend, []byte(endThink)); i >= 0 {
		l.think(bytes.TrimRight(l.take(i), "\r\n"))
		l.take(len(endThink))
		l.unopened = l.unopened || l.assumed
		l.assumed, l.thinkSeen = false, true
		l.mode = (*lifter).afterThought
		return true
	}
	keep := 0
	if !final {
		keep = suffixOf(l.pend, endThink)
		rest := l.pend[:len(l.pend)-keep]
		keep += min(len(rest)-len(bytes.TrimRight(rest, "\r\n")), 64)
	}
	l.think(l.take(len(l.pend) - keep))
	return final && l.reconsider()
}

// suffixOf is how many bytes at the end of b are the beginning of a word.
func suffixOf(b []byte, word string) int {
	for n := min(len(b), len(word)-1); n > 0; n-- {
		if string(b[len(b)-n:]) == word[:n] {
			return n
		}
	}
	return 0
}

// endUnopened makes reasoning of all that was text: its <think> stood in the prompt.
func (l *lifter) endUnopened(bool) bool {
	l.take(len(endThink))
	l.thinkSeen, l.unopened = true, true
	l.thought = append(l.thought, bytes.Trim(l.text, "\r\n")...)
	l.text, l.found, l.md, l.noFence = nil, nil, markdown{}, false
	l.out.textWasThought()
	l.mode = (*lifter).afterThought
	return true
}
