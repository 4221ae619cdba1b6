package agents

import (
	"time"

	"gopkg.in/yaml.v3"
)

// EntryName is the pattern of the names of agents that can be asked.
const EntryName = `^[a-z0-9][a-z0-9_-]*$`

func entriesField() field[draft] {
	of := entryObject()
	elem := &spec{key: "agent", kind: kindObject, object: &of.rules,
		short: newSpec("path", kindText, "", []option{expand, path})}
	ns := names{noun: "agent", pattern: newPattern(EntryName),
		says: "small letters, digits, - and _, a letter or digit first"}
	return named("mmConfigs", ns, elem, func(d *draft) *map[string]Entry { return &d.MMConfigs },
		func(w *walker, p pair) (Entry, bool) {
			entry, ok := readEntry(w, p.value, elem, of)
			entry.Name = p.name
			entry.Line, entry.Column = w.src.clamp(p.key.Line, p.key.Column)
			return entry, ok
		},
		"The agents that this one can ask, by name. A path alone is short for `{path: …}`. With `command` it is any agent that speaks ACP over stdio, on this machine or through `ssh` or a container.")
}

func readEntry(w *walker, n *yaml.Node, elem *spec, of object[Entry]) (Entry, bool) {
	var entry Entry
	target := w.resolve(n)
	if target == nil {
		return entry, false
	}
	if target.Kind == yaml.ScalarNode && target.ShortTag() == "!!str" {
		var ok bool
		entry.Path, ok = w.text(n, elem.short)
		return entry, ok
	}
	_, ok := readObject(w, n, elem, of, &entry)
	return entry, ok
}

// notThese keeps an entry from making its agent one that decides by itself.
func notThese(s *spec) {
	s.name = &names{noun: "environment variable", never: []string{"AGENT_YOLO", "MM_ASK_DEPTH"},
		why: "only the file that the user started decides about yolo, and an asked agent must know that it is asked"}
}

func entryObject() object[Entry] {
	return newObject(rules{oneOf: []string{"path", "command"}, needs: [][2]string{{"args", "command"}}},
		text("path", func(e *Entry) *string { return &e.Path }, "The agent's file.", expand, path),
		text("command", func(e *Entry) *string { return &e.Command }, "The program of an ACP agent.", expand, program),
		texts("args", func(e *Entry) *[]string { return &e.Args }, "Its arguments.", expand),
		pairs("env", func(e *Entry) *map[string]string { return &e.Env },
			"Variables to add to its environment. `AGENT_YOLO` and `MM_ASK_DEPTH` can't be among them.", expand, notThese),
		text("description", func(e *Entry) *string { return &e.Description },
			"What the agent is for. The model chooses by it whom to ask.", unset("the `acp.title` of the agent's file")),
		optionalBoolean("yolo", func(e *Entry) **bool { return &e.Yolo },
			"Do this agent's tools run without asking, whatever `yolo` says? `AGENT_YOLO=false` beats `true`.", unset("as `yolo` says")),
		duration("timeout", func(e *Entry) *time.Duration { return &e.Timeout },
			"The longest that an ask may take, without the time that a human takes. `0` is none.", def(time.Duration(0)), between(0, day)),
		boolean("prewarm", func(e *Entry) *bool { return &e.Prewarm },
			"Start the agent in the background once the first answer streams, so that its first ask doesn't wait for that? Only while the machine has memory to spare.", def(false)),
	)
}
