package agents

import (
	"regexp"
	"regexp/syntax"
	"time"

	"gopkg.in/yaml.v3"
)

func hooksField() field[draft] {
	return group("hooks", hooksObject(), func(d *draft) *map[string][]Hook { return &d.Hooks },
		"Commands that run around tool calls and asks. They run as `bash -c` in the folder of this file; `${NAME}` is left to the shell.")
}

func hooksObject() object[map[string][]Hook] {
	return newObject(rules{noun: "hook event"},
		hookField(PreToolCall, "Before a tool call: may deny it, or allow it without asking.", "deny"),
		hookField(PostToolCall, "After a tool call.", "continue"),
		hookField(PreAsk, "Before an agent is asked: may deny it or change the question.", "deny"),
		hookField(PostAsk, "After an agent has answered: may withhold or change the answer.", "deny"),
	)
}

func hookField(event, doc, onError string) field[map[string][]Hook] {
	of := hookObject(onError)
	item := &spec{key: event, kind: kindObject, object: &of.rules}
	return list(event, of, func(all *map[string][]Hook, hooks []Hook) {
		if *all == nil {
			*all = map[string][]Hook{}
		}
		(*all)[event] = hooks
	}, func(w *walker, n *yaml.Node) (Hook, bool) {
		var hook Hook
		of.preset(&hook)
		_, ok := readObject(w, n, item, of, &hook)
		hook.Line, hook.Column = w.src.clamp(n.Line, n.Column)
		return hook, ok
	}, doc)
}

func hookObject(onError string) object[Hook] {
	of := newObject(rules{required: []string{"command"}},
		text("match", func(h *Hook) *string { return &h.Match },
			"A regular expression (RE2) that the whole name of the tool or agent must match.", unset("all")),
		text("command", func(h *Hook) *string { return &h.Command }, "What runs."),
		duration("timeout", func(h *Hook) *time.Duration { return &h.Timeout },
			"How long it may take.", def(30*time.Second), over0(day)),
		text("onError", func(h *Hook) *string { return &h.OnError },
			"What a failure of the hook itself means: `deny` refuses, `continue` goes on with a warning.",
			def(onError), choices("deny", "continue")),
	)
	of.check = func(w *walker, keys found, h *Hook) {
		w.in("match", func() { w.checkMatch(keys.where("match"), h.Match) })
		w.in("command", func() { w.checkCommand(keys.where("command"), h.Command) })
	}
	return of
}

// checkMatch compiles a pattern by itself first: "a)|(b" would be right inside of a group.
func (w *walker) checkMatch(n *yaml.Node, match string) {
	if match == "" {
		return
	}
	_, err := regexp.Compile(match)
	if err == nil {
		return
	}
	reason := "it can't be compiled"
	if fault, ok := err.(*syntax.Error); ok {
		reason = fault.Code.String() + ": " + quote(fault.Expr)
	}
	w.problem(n, "%s isn't a regular expression (RE2): %s", w.name(), reason)
}
