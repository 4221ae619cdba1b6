package llm

// reply makes what goes into the history of what the stream brought.
func (r *received) reply(history []Message) Reply {
	reply := Reply{
		Message: Message{Role: RoleAssistant, Content: string(r.text), Thought: string(r.thought)},
		Finish:  r.finish, Model: r.model, Complete: r.complete(),
	}
	if reply.Message.Thought != "" {
		reply.Message.ThoughtField = r.field
	}
	if r.usage != nil {
		reply.HasUsage = true
		reply.Usage = Usage{Input: r.usage.prompt, Output: r.usage.completion, Cached: max(0, r.usage.cached)}
	}
	if reply.Complete && len(r.calls) > 0 {
		given := newIDs(history)
		for _, c := range r.calls {
			reply.Message.Calls = append(reply.Message.Calls, c.call(given, r.finish == "length"))
		}
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
