package llm

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
