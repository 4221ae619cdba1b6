package llm

// output hands on what a stream brings. Pieces of one kind are joined while more of the stream is
// at hand, so that a reader slower than the server gets fewer and larger events, and a faster one
// gets each piece at once.
type output struct {
	on    func(Event) error
	shown bool // something of the answer was told

	kind byte // of what is pending: 't' text, 'r' thought, 'c' call, 0 nothing
	buf  []byte
	call CallFragment // its name and index; the arguments are in buf
}

// maxPiece is how much is joined at most.
const maxPiece = 8 << 10

func (o *output) text(piece []byte) error    { return o.add('t', piece) }
func (o *output) thought(piece []byte) error { return o.add('r', piece) }

func (o *output) add(kind byte, piece []byte) error {
	if len(piece) == 0 {
		return nil
	}
	if o.kind != kind || len(o.buf) >= maxPiece {
		if err := o.flush(); err != nil {
			return err
		}
		o.kind = kind
	}
	o.buf = append(o.buf, piece...)
	return nil
}

// fragment tells a piece of a call. An empty one is a sign of life and is told too.
func (o *output) fragment(index int, name string, args []byte) error {
	if o.kind != 'c' || o.call.Index != index || name != "" || len(o.buf) >= maxPiece {
		if err := o.flush(); err != nil {
			return err
		}
		o.kind, o.call = 'c', CallFragment{Index: index, Name: name}
	}
	o.buf = append(o.buf, args...)
	return nil
}

func (o *output) progress(p Progress) error {
	if err := o.flush(); err != nil {
		return err
	}
	return o.on(Event{Progress: &p})
}

// flush tells what is pending. It is called before each read that may block.
func (o *output) flush() error {
	kind, piece := o.kind, string(o.buf)
	o.kind, o.buf = 0, o.buf[:0]
	switch kind {
	case 't':
		o.shown = true
		return o.on(Event{Text: piece})
	case 'r':
		o.shown = true
		return o.on(Event{Thought: piece})
	case 'c':
		o.shown = true
		call := o.call
		call.Arguments = piece
		return o.on(Event{Call: &call})
	}
	return nil
}
