package llm

// chunk is what counts of one event of the stream. Its texts may end within a character, see joiner.
type chunk struct {
	model        string
	text         []byte
	thought      []byte
	thoughtField string
	calls        []callDelta
	finish       string
	usage        *wireUsage
	progress     *Progress
	fault        *wireError
}

// callDelta is one entry of delta.tool_calls.
type callDelta struct {
	index    int
	hasIndex bool
	id       string
	name     string
	args     []byte
}

// wireUsage is a usage object; cached is -1 when not told.
type wireUsage struct{ prompt, completion, cached int }

// decoder reads chunks, one after the other, into the same buffers.
type decoder struct {
	c       chunk
	details []byte // reasoning_details, behind the two other names
	model   string // of the chunk before: usually the same
}

// decode reads one event. It reports false for what isn't JSON, which is skipped: most likely an
// event cut by a dying connection. The chunk is valid until the next call.
//
// "choices may be missing, null or empty; delta may be null; any field may be null; message may
// stand in place of delta; content may be a list of parts."
func (d *decoder) decode(data []byte, isErr bool) (*chunk, bool) {
	d.c = chunk{text: d.c.text[:0], thought: d.c.thought[:0], calls: d.c.calls[:0]}
	d.details = d.details[:0]
	cur := cursor{b: data}
	fault := isErr
	cur.object(func(key []byte) {
		switch string(key) {
		case "choices":
			first := true
			cur.array(func() {
				d.choice(&cur, first)
				first = false
			})
		case "model":
			if model, _ := cur.str(); string(model) != d.model {
				d.model = string(model)
			}
			d.c.model = d.model
		case "usage":
			d.usage(&cur)
		case "prompt_progress":
			d.progress(&cur)
		case "error", "error_message":
			switch string(cur.raw()) {
			case "null", `""`, "false", "{}":
			default:
				fault = true
			}
		case "object":
			s, _ := cur.str()
			fault = fault || string(s) == "error"
		case "type":
			s, _ := cur.str()
			fault = fault || string(s) == "error"
		default:
			cur.skip()
		}
	})
	if !cur.end() {
		return nil, false
	}
	if len(d.c.thought) == 0 && len(d.details) > 0 {
		d.c.thought, d.c.thoughtField = append(d.c.thought, d.details...), fieldReasoning
	}
	if fault {
		d.c.fault = parseFault(data)
	}
	return &d.c, true
}

// The names under which servers send reasoning.
const (
	fieldReasoning        = "reasoning"
	fieldReasoningContent = "reasoning_content"
)

func (d *decoder) choice(cur *cursor, first bool) {
	if !first {
		cur.skip() // never asked for more than one
		return
	}
	cur.object(func(key []byte) {
		switch string(key) {
		case "delta", "message":
			d.delta(cur)
		case "finish_reason":
			s, _ := cur.str()
			d.c.finish = string(s)
		case "error":
			if !cur.null() {
				d.c.fault = parseFault(cur.raw())
			}
		default:
			cur.skip()
		}
	})
	if d.c.finish == "error" && d.c.fault == nil {
		d.c.fault = &wireError{message: "the server ended the answer with an error"}
	}
}

func (d *decoder) usage(cur *cursor) {
	u := wireUsage{cached: -1}
	told := false
	cur.object(func(key []byte) {
		switch string(key) {
		case "prompt_tokens":
			u.prompt, told = cur.count(told)
		case "completion_tokens":
			u.completion, told = cur.count(told)
		case "prompt_tokens_details":
			cur.object(func(key []byte) {
				if string(key) != "cached_tokens" {
					cur.skip()
				} else if n, ok := cur.integer(); ok {
					u.cached = n
				}
			})
		default:
			cur.skip()
		}
	})
	if told {
		d.c.usage = &u
	}
}

// count consumes a number of tokens and reports whether one was told so far.
func (c *cursor) count(told bool) (int, bool) {
	n, ok := c.integer()
	return n, told || ok
}

func (d *decoder) progress(cur *cursor) {
	var p Progress
	cur.object(func(key []byte) {
		switch string(key) {
		case "total":
			p.Total, _ = cur.integer()
		case "processed":
			p.Done, _ = cur.integer()
		default:
			cur.skip()
		}
	})
	if p.Total > 0 {
		d.c.progress = &p
	}
}
