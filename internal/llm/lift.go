package llm

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
	assumed   bool // the text is taken for reasoning until </think>
	unopened  bool // </think> came without <think>
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
