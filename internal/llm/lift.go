package llm

import (
	"bytes"
	"slices"
)

// The marks of reasoning in a text.
const (
	markThink = "<think>"
	endThink  = "</think>"
)

// lifter takes reasoning and calls that a server left in the text out of it, while it arrives.
// What can't be one of them goes on at once; what may be is held back until that is decided, so
// that nobody sees raw markup, and tells its pieces as those of a call meanwhile.
//
//   - <think> counts at the very start only, white space before it allowed. </think> without it
//     ends reasoning that began in the prompt.
//   - <tool_call>, [TOOL_REQUEST] and [TOOL_CALLS] count outside of code and quotations.
//   - A code fence counts when it is the only one, ends the text, and holds one call of a tool on
//     offer.
//   - No call counts whose text stands in a tool's result or a user's message: the model repeats
//     it.
//
// It takes linear time: a byte is looked at a bounded number of times.
type lifter struct {
	out    *output
	tools  []Tool
	calls  bool                      // calls are looked for
	quotes func(essence []byte) bool // reports whether a call's text stands in the history

	mode  func(l *lifter, final bool) (again bool)
	total int    // bytes that arrived
	pend  []byte // of them, those that aren't decided
	blank int    // white space at the start
	body  int    // where the text began, behind the reasoning
	md    markdown

	thinkSeen bool // <think> was met, so that </think> means nothing more
	noFence   bool // a fence was met that is no call
	fails     int  // marks that were no calls
	markup    markup
	fenced    fenced
	told      int // bytes of pend that were told as pieces of a call

	text    []byte
	thought []byte
	found   []*rawCall
}

// maxFails is how many marks that are no calls are looked into. Each may cost a look at all that
// follows it.
const maxFails = 16

func newLifter(out *output, tools []Tool, calls bool, quotes func([]byte) bool) *lifter {
	return &lifter{out: out, tools: tools, calls: calls && len(tools) > 0, quotes: quotes, mode: (*lifter).atStart}
}

// push takes a piece of the text.
func (l *lifter) push(piece []byte) {
	l.total += len(piece)
	l.pend = append(l.pend, piece...)
	l.work(false)
}

// finish decides what is left.
func (l *lifter) finish() { l.work(true) }

// native ends the search for calls: the server sent some itself.
func (l *lifter) native() {
	if !l.calls {
		return
	}
	l.calls = false
	if l.markup.mark != "" || l.fenced.fence != 0 {
		l.plain()
	}
	l.work(false)
}

func (l *lifter) work(final bool) {
	for l.mode(l, final) {
	}
}

// take removes the first n pending bytes.
func (l *lifter) take(n int) []byte {
	b := l.pend[:n]
	l.pend = l.pend[n:]
	l.told = max(0, l.told-n)
	return b
}

// say tells text.
func (l *lifter) say(b []byte) {
	l.text = append(l.text, b...)
	l.out.add('t', b)
}

func (l *lifter) think(b []byte) {
	l.thought = append(l.thought, b...)
	l.out.add('r', b)
}

// atStart looks for <think>.
func (l *lifter) atStart(final bool) bool {
	at := skipSpace(l.pend, l.blank)
	l.blank = at
	v := starts(l.pend[at:], markThink)
	if v == more && !final {
		return false
	}
	if v == found {
		l.take(at + len(markThink))
		l.thinkSeen = true
		l.mode = (*lifter).beforeThought
		return true
	}
	l.mode = (*lifter).inText
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
	return false
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

// endUnopened makes reasoning of all that was text: its <think> stood in the prompt.
func (l *lifter) endUnopened(bool) bool {
	l.take(len(endThink))
	l.thinkSeen = true
	l.thought = append(l.thought, bytes.Trim(l.text, "\r\n")...)
	l.text, l.found, l.md, l.noFence = nil, nil, markdown{}, false
	l.out.textWasThought()
	l.mode = (*lifter).afterThought
	return true
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
