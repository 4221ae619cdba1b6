package llm

import "time"

// received is what one stream brought, as the server sent it.
type received struct {
	text     []byte
	thought  []byte
	field    string // the first name under which reasoning came
	calls    []*rawCall
	finish   string
	usage    *wireUsage
	model    string
	fault    *wireError // the first error counts
	done     bool       // [DONE] was seen
	pieces   int        // how many chunks had text or thoughts
	textEnd  joiner
	thinkEnd joiner

	byIndex  map[int]*rawCall
	finished func() *time.Timer // is called when the finish has come
}

// rawCall is a call as it came: the id may be missing or used twice, the arguments anything.
type rawCall struct {
	index int // position in calls
	id    string
	name  string
	args  []byte
	end   joiner
}

// complete reports whether the answer came to its end: "no error, and a finish or [DONE]. What
// isn't complete is a failed turn."
func (r *received) complete() bool { return r.fault == nil && (r.finish != "" || r.done) }

// empty reports whether nothing was said.
func (r *received) empty() bool {
	return len(r.text) == 0 && len(r.thought) == 0 && len(r.calls) == 0
}

// take adds a chunk. What is new of text, thought and calls goes to out.
func (r *received) take(c *chunk, out *output) {
	if c.fault != nil && r.fault == nil {
		r.fault = c.fault
	}
	if c.model != "" {
		r.model = c.model
	}
	if c.usage != nil {
		r.usage = c.usage // running totals: the last one counts
	}
	if len(c.text)+len(c.thought) > 0 {
		r.pieces++
	}
	if c.progress != nil {
		out.progress(*c.progress)
	}
	if len(c.thought) > 0 {
		if r.field == "" {
			r.field = c.thoughtField
		}
		n := len(r.thought)
		r.thought = r.thinkEnd.add(r.thought, c.thought)
		out.thought(r.thought[n:])
	}
	if len(c.text) > 0 {
		n := len(r.text)
		r.text = r.textEnd.add(r.text, c.text)
		out.text(r.text[n:])
	}
	for i := range c.calls {
		r.takeCall(&c.calls[i], out)
	}
	if c.finish != "" {
		r.finish = c.finish // null and "" never undo one
	}
}

func (r *received) takeCall(d *callDelta, out *output) {
	call := r.callFor(d)
	if call == nil {
		return
	}
	if call.id == "" {
		call.id = d.id
	}
	name := ""
	if call.name == "" && d.name != "" { // the first name counts, names are never appended
		call.name, name = d.name, d.name
	}
	n := len(call.args)
	call.args = call.end.add(call.args, d.args)
	out.nativeCall(call.index, name, call.args[n:])
}

// callFor finds the call that a delta belongs to, or begins a new one.
//
// "With an index, that is the key. A known index means a new call only when the delta has a name
// that isn't empty and an id that isn't empty and differs from the current call's id. Without an
// index, a name that isn't empty starts a new call; everything else belongs to the last one."
func (r *received) callFor(d *callDelta) *rawCall {
	if !d.hasIndex {
		if d.name == "" && len(r.calls) > 0 {
			return r.calls[len(r.calls)-1]
		}
		if d.name == "" && d.id == "" && len(d.args) == 0 {
			return nil
		}
		return r.newCall()
	}
	call := r.byIndex[d.index]
	if call == nil || d.name != "" && d.id != "" && d.id != call.id {
		call = r.newCall()
		if r.byIndex == nil {
			r.byIndex = map[int]*rawCall{}
		}
		r.byIndex[d.index] = call
	}
	return call
}

func (r *received) newCall() *rawCall {
	call := &rawCall{index: len(r.calls)}
	r.calls = append(r.calls, call)
	return call
}

// end closes the texts once the stream is over.
func (r *received) end(out *output) error {
	n := len(r.thought)
	r.thought = r.thinkEnd.end(r.thought)
	out.thought(r.thought[n:])
	n = len(r.text)
	r.text = r.textEnd.end(r.text)
	out.text(r.text[n:])
	for _, call := range r.calls {
		n = len(call.args)
		if call.args = call.end.end(call.args); len(call.args) > n {
			out.fragment(call.index, "", call.args[n:])
		}
	}
	if out.lift != nil {
		out.lift.finish()
	}
	return out.flush()
}
