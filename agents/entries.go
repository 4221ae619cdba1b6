package agents

import "strconv"

// Asked is an agent that can be asked, with what is known of it before it is started.
type Asked struct {
	Entry
	// File is its agent file; nil for an agent of another make, and for a file with problems.
	File *File
	// Err has the problems of its file (an *Error). They are warnings when the asker starts, and
	// the reason why an ask fails.
	Err error
}

// Role says what the agent is for: the entry's description, else the title of its file where that
// isn't the built-in one, else "".
func (a Asked) Role() string {
	switch {
	case a.Description != "":
		return a.Description
	case a.File != nil && a.File.HasTitle():
		return a.File.ACPTitle
	}
	return ""
}

// CheckEntries reads the files of the agents that can be asked, in the order of their names, each
// in the environment that the agent will be started in. It doesn't go on to the agents that those
// can ask, so agents may name each other.
func (f *File) CheckEntries(env Env) []Asked {
	var all []Asked
	for _, name := range f.EntryNames() {
		asked := Asked{Entry: f.MMConfigs[name]}
		if asked.Path != "" {
			asked.File, asked.Err = Load(asked.Path, asked.Entry.environment(env, f.Depth))
		}
		all = append(all, asked)
	}
	return all
}

// environment is what the agent will find when it is started: the asker's, with yolo off, one
// deeper, and with the entry's own variables.
func (e Entry) environment(env Env, depth int) Env {
	child := env
	child.Lookup = func(name string) (string, bool) {
		switch name {
		case "AGENT_YOLO":
			return "false", true
		case "MM_ASK_DEPTH":
			return strconv.Itoa(depth + 1), true
		}
		if value, ok := e.Env[name]; ok {
			return value, true
		}
		return env.lookup(name)
	}
	return child
}
