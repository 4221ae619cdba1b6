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
			model, _ := cur.str()
			d.c.model = string(model)
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

// delta reads what is new. Of reasoning_content, reasoning and reasoning_details the first that
// isn't empty counts: gateways send the same text under two names.
func (d *decoder) delta(cur *cursor) {
	cur.object(func(key []byte) {
		switch string(key) {
		case "content":
			d.content(cur)
		case fieldReasoningContent:
			d.reasoning(cur, fieldReasoningContent)
		case fieldReasoning:
			d.reasoning(cur, fieldReasoning)
		case "reasoning_details":
			cur.array(func() { d.part(cur, &d.details, &d.details) })
		case "tool_calls":
			cur.array(func() { d.call(cur) })
		case "function_call":
			d.functionCall(cur)
		default:
			cur.skip()
		}
	})
}

func (d *decoder) reasoning(cur *cursor, name string) {
	if d.c.thoughtField == name || len(d.c.thought) > 0 && name != fieldReasoningContent {
		cur.skip()
		return
	}
	start := len(d.c.thought)
	thought := cur.appendTo(d.c.thought)
	if len(thought) == start {
		return
	}
	if start > 0 { // reasoning_content goes before the other name
		thought = append(thought[:0], thought[start:]...)
	}
	d.c.thought, d.c.thoughtField = thought, name
}

// content reads a text or a list of parts, as Mistral's reasoning models send it.
func (d *decoder) content(cur *cursor) {
	if cur.peek() != '[' {
		d.c.text = cur.appendTo(d.c.text)
		return
	}
	before := len(d.c.thought)
	cur.array(func() { d.part(cur, &d.c.text, &d.c.thought) })
	if len(d.c.thought) > before && d.c.thoughtField == "" {
		d.c.thoughtField = fieldReasoningContent
	}
}

// part reads {"type":"text","text":"…"} or {"type":"thinking","thinking":"…" or parts}.
func (d *decoder) part(cur *cursor, text, thought *[]byte) {
	if cur.peek() == '"' {
		*text = cur.appendTo(*text)
		return
	}
	cur.object(func(key []byte) {
		switch string(key) {
		case "text", "summary":
			*text = cur.appendTo(*text)
		case "thinking":
			if cur.peek() != '[' {
				*thought = cur.appendTo(*thought)
				return
			}
			cur.array(func() { d.part(cur, thought, thought) })
		default:
			cur.skip()
		}
	})
}

func (d *decoder) call(cur *cursor) {
	var c callDelta
	cur.object(func(key []byte) {
		switch string(key) {
		case "index":
			c.index, c.hasIndex = cur.integer()
		case "id":
			c.id = cur.id()
		case "function":
			d.function(cur, &c)
		default:
			cur.skip()
		}
	})
	d.c.calls = append(d.c.calls, c)
}

// functionCall reads the form before tool_calls, still sent by LocalAI and some proxies.
func (d *decoder) functionCall(cur *cursor) {
	if cur.peek() != '{' {
		cur.skip()
		return
	}
	var c callDelta
	d.function(cur, &c)
	d.c.calls = append(d.c.calls, c)
}

// function reads a name and arguments: a string, or an object that is taken as its text.
func (d *decoder) function(cur *cursor, c *callDelta) {
	cur.object(func(key []byte) {
		switch string(key) {
		case "name":
			s, _ := cur.str()
			c.name = string(s)
		case "arguments":
			switch {
			case cur.peek() == '"':
				c.args = cur.appendTo(nil)
			case !cur.null():
				c.args = cur.raw()
			}
		default:
			cur.skip()
		}
	})
}

// id consumes an id, which may be a number.
func (c *cursor) id() string {
	if c.peek() == '"' {
		s, _ := c.str()
		return string(s)
	}
	if c.null() {
		return ""
	}
	return string(c.raw())
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
