package llm

import "strings"

// reply makes what goes into the history of what the stream brought, after l has taken calls and
// reasoning out of the text.
func (r *received) reply(l *lifter, history []Message) Reply {
	m := Message{Role: RoleAssistant, Content: string(l.text), Thought: string(r.thought)}
	calls := l.found
	if len(r.calls) > 0 {
		// The server knows calls when it sees them: what looked like others is text.
		calls = r.calls
		if len(l.found) > 0 {
			m.Content = string(r.text[l.body:])
		}
	}
	switch {
	case m.Thought != "":
		m.ThoughtField = r.field
		m.Thought = strings.TrimSuffix(m.Thought+"\n"+string(l.thought), "\n")
	case len(l.thought) > 0:
		m.Thought, m.ThoughtField = string(l.thought), ThinkTag
	}
	if r.complete() && len(calls) > 0 {
		given := newIDs(history)
		for _, c := range calls {
			m.Calls = append(m.Calls, c.call(given, r.finish == "length"))
		}
	}
	reply := Reply{Message: m, Finish: r.finish, Model: r.model, pieces: r.pieces}
	reply.AsText = len(m.Calls) > 0 && len(r.calls) == 0
	if r.usage != nil {
		reply.HasUsage = true
		reply.Usage = Usage{Input: r.usage.prompt, Output: r.usage.completion, Cached: max(0, r.usage.cached)}
	}
	return reply
}

// call makes a call that is fit for the history.
func (c *rawCall) call(given *ids, cut bool) Call {
	call := Call{ID: given.take(c.id), Name: c.name}
	call.Arguments, call.Bad = repairArguments(string(c.args), cut)
	if call.Name == "" {
		call.Name, call.Bad = "unnamed", "the call names no tool"
	}
	return call
}

// quoting returns a function that reports whether a call's text stands in a tool's result or a
// user's message, however it is spaced there.
func quoting(history []Message) func(essence []byte) bool {
	return func(essence []byte) bool {
		needle := unspaced(string(essence))
		for i := range history {
			m := &history[i]
			if (m.Role == RoleTool || m.Role == RoleUser) && strings.Contains(unspaced(m.Content), needle) {
				return true
			}
		}
		return false
	}
}

func unspaced(s string) string {
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		if !isSpace(s[i]) {
			b = append(b, s[i])
		}
	}
	return string(b)
}
