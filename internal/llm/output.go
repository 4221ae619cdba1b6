package llm

// output hands on what a stream brings. Pieces of one kind are joined while more of the stream is
// at hand, so that a reader slower than the server gets fewer and larger events, and a faster one
// gets each piece at once. After an error of the caller's function nothing more is told.
type output struct {
	on    func(Event) error
	lift  *lifter // takes calls and reasoning out of the text; nil leaves it as it is
	shown bool    // something of the answer was told
	err   error

	kind byte // of what is pending: 't' text, 'r' thought, 'c' call, 0 nothing
	buf  []byte
	call CallFragment // its name and index; the arguments are in buf
}

// maxPiece is how much is joined at most.
const maxPiece = 8 << 10

func (o *output) text(piece []byte) {
	if o.lift != nil && len(piece) > 0 {
		o.lift.push(piece)
		return
	}
	o.add('t', piece)
}

func (o *output) thought(piece []byte) {
	if len(piece) > 0 && o.lift != nil {
		// The server knows reasoning when it sees it.
		o.lift.reconsider()
		o.lift.thinkSeen = true
	}
	o.add('r', piece)
}

// nativeCall tells a piece of a call that the server sent as one.
func (o *output) nativeCall(index int, name string, args []byte) {
	if o.lift != nil {
		o.lift.native()
	}
	o.fragment(index, name, args)
}

func (o *output) add(kind byte, piece []byte) {
	if len(piece) == 0 {
		return
	}
	if o.kind != kind || len(o.buf) >= maxPiece {
		o.send()
		o.kind = kind
	}
	o.buf = append(o.buf, piece...)
}

// fragment tells a piece of a call. An empty one is a sign of life and is told too.
func (o *output) fragment(index int, name string, args []byte) {
	if o.kind != 'c' || o.call.Index != index || name != "" || len(o.buf) >= maxPiece {
		o.send()
		o.kind, o.call = 'c', CallFragment{Index: index, Name: name}
	}
	o.buf = append(o.buf, args...)
}

func (o *output) progress(p Progress) { o.now(Event{Progress: &p}) }
func (o *output) notice(text string)  { o.now(Event{Notice: text}) }
func (o *output) textWasThought()     { o.now(Event{TextWasThought: true}) }

// now tells an event behind what is pending.
func (o *output) now(e Event) {
	o.send()
	o.tell(e)
}

func (o *output) tell(e Event) {
	if o.err == nil {
		o.err = o.on(e)
	}
}

// flush tells what is pending and returns the error of the caller's function. It is called before
// each read that may block.
func (o *output) flush() error {
	o.send()
	return o.err
}

func (o *output) send() {
	kind := o.kind
	if kind == 0 {
		return
	}
	piece := string(o.buf)
	o.kind, o.buf, o.shown = 0, o.buf[:0], true
	switch kind {
	case 't':
		o.tell(Event{Text: piece})
	case 'r':
		o.tell(Event{Thought: piece})
	case 'c':
		call := o.call
		call.Arguments = piece
		o.tell(Event{Call: &call})
	}
}
