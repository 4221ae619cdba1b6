package orchestrator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/child"
)

// Start says how the agents of an agent file are started.
type Start struct {
	// Program is mm: the path of its binary, which is each agent that has an agent file, and the
	// guard of agents of other makes.
	Program string
	// Env is the environment that agents start from, as os.Environ gives it.
	Env []string
	// Version is told to the agents.
	Version string
	// Log gets lines for a log; nil drops them.
	Log func(format string, args ...any)
	// Questions reports whether questions of the agents can be answered (Host.AskUser); nil means no.
	Questions func() bool
	// Files reports whether asks bring files of their own (Workplace.Files); nil means no.
	Files func() bool
}

// Named lists the agents that an agent file names (mmConfigs), ready for Options.Agents. It reads
// their files in env and starts nothing; an agent whose file has faults is listed as Broken.
//
// Each agent is told that it is asked, and to let every call that changes something be decided by
// the Host, whatever its own file says.
func Named(f *agents.File, env agents.Env, s Start) []Agent {
	var list []Agent
	for _, asked := range f.CheckEntries(env) {
		list = append(list, named(f, asked, s))
	}
	return list
}

func named(f *agents.File, asked agents.Asked, s Start) Agent {
	a := Agent{Name: asked.Name, Role: asked.Role(), Yolo: asked.Yolo, Timeout: asked.Timeout, Prewarm: asked.Prewarm}
	a.Command = child.Command{Name: asked.Name, Path: asked.Command, Args: asked.Args, Depth: f.Depth,
		Executable: s.Program, Version: s.Version, Log: s.Log, Env: environment(s.Env, asked.Env, f.Depth), Questions: s.Questions, Files: s.Files}
	if asked.Path != "" {
		a.Command.Path, a.Command.MM = s.Program, true
		a.Command.Args = []string{"-acp", "--config", asked.Path}
	}
	if file := asked.File; file != nil {
		a.Provider, a.Model = file.Provider, file.Model
		if file.Script == "" { // else each agent has a model of its own
			a.Server = "server " + file.Provider + " " + file.BaseURL
		}
		if file.HasTitle() {
			a.Title = file.ACPTitle
		}
	}
	if asked.Err != nil {
		a.Broken = strings.ReplaceAll(strings.TrimSpace(asked.Err.Error()), "\n", "; ")
	}
	if a.Role == "" {
		a.Role = "(no description)"
	}
	return a
}

// environment is that of a named agent: the asker's, the entry's, and last what the entry can't
// change: only the file that the user started decides about yolo.
func environment(base []string, extra map[string]string, depth int) []string {
	env := slices.DeleteFunc(slices.Clone(base), func(kv string) bool {
		k, _, _ := strings.Cut(kv, "=")
		_, replaced := extra[k]
		return replaced || k == "AGENT_YOLO" || k == "MM_ASK_DEPTH" || k == "MM_CONFIG"
	})
	keys := make([]string, 0, len(extra))
	for k := range extra {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		env = append(env, k+"="+extra[k])
	}
	return append(env, "AGENT_YOLO=false", fmt.Sprintf("MM_ASK_DEPTH=%d", depth+1))
}
