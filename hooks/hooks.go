// Package hooks runs the commands that an agent file sets around tool calls and asks
// (supplement 6): before and after a tool call, before and after an ask.
//
// A Runner is made once from the agent file; a fault in it stops the start. Callers ask Matches
// before they build an Event, run it, and turn the Outcome into words: this package doesn't know
// tools, gates or agents. A hook that guards and can't do its work stops the call; only
// "onError: continue" lets it go on.
package hooks

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Kind is the moment at which hooks run: a key of "hooks" in an agent file.
type Kind string

// The moments.
const (
	PreToolCall  Kind = "preToolCall"
	PostToolCall Kind = "postToolCall"
	PreAsk       Kind = "preAsk"
	PostAsk      Kind = "postAsk"
)

// Kinds returns all moments, in the order in which they come.
func Kinds() []Kind { return []Kind{PreToolCall, PreAsk, PostAsk, PostToolCall} }

// DefaultTimeout is how long a hook may run that sets no timeout.
const DefaultTimeout = 30 * time.Second

// Hook is one entry of an agent file.
type Hook struct {
	// Match is an RE2 expression for the whole name; "" matches all.
	Match string
	// Command runs as "bash -c".
	Command string
	// Timeout is DefaultTimeout when 0.
	Timeout time.Duration
	// OnError is "deny" or "continue"; "" is "continue" after a tool call and "deny" otherwise.
	OnError string
}

// Options say where hooks run.
type Options struct {
	// Dir is the folder of the agent file: a cloned repository can't supply the guard.
	Dir string
	// Env is the environment of hooks, MM_CWD is added; mm's own when nil.
	Env []string
	// Guard is the executable that ends hooks with mm (proc.Spec.Guard); "" for none.
	Guard string
}

// Runner runs the hooks of one agent file. Its methods may be called by several goroutines.
type Runner struct {
	opts  Options
	hooks map[Kind][]hook
}

type hook struct {
	Hook
	match     *regexp.Regexp
	continues bool
}

// Fault is something wrong with a hook of an agent file.
type Fault struct {
	Event string // as written
	Index int    // in the event's list, from 0
	Key   string // the key at fault: "match", "command", "timeout", "onError"; "" for the event
	Text  string
}

// Error names the hook as a path into the agent file.
func (f *Fault) Error() string {
	if f.Key == "" {
		return fmt.Sprintf("hooks.%s: %s", f.Event, f.Text)
	}
	return fmt.Sprintf("hooks.%s[%d].%s: %s", f.Event, f.Index, f.Key, f.Text)
}

// New checks the hooks and returns what runs them. Its error joins a *Fault for each fault.
func New(hooks map[string][]Hook, o Options) (*Runner, error) {
	if o.Env == nil {
		o.Env = os.Environ()
	}
	r := &Runner{opts: o, hooks: map[Kind][]hook{}}
	var faults []error
	for event, list := range hooks {
		if !slices.Contains(Kinds(), Kind(event)) {
			faults = append(faults, &Fault{Event: event, Text: "unknown event — the events are " + kindList()})
			continue
		}
		for i, h := range list {
			ready, wrong := prepare(Kind(event), h, o.Dir)
			for key, text := range wrong {
				faults = append(faults, &Fault{Event: event, Index: i, Key: key, Text: text})
			}
			r.hooks[Kind(event)] = append(r.hooks[Kind(event)], ready)
		}
	}
	if len(faults) > 0 {
		slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return nil, errors.Join(faults...)
	}
	return r, nil
}

func kindList() string {
	names := make([]string, 0, 4)
	for _, k := range Kinds() {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// Matches reports whether a hook of the moment runs for the name: for tool calls the tool, or the
// key of an asked agent's call such as "jan/bash"; for asks the agent.
func (r *Runner) Matches(k Kind, name string) bool {
	return slices.ContainsFunc(r.hooks[k], func(h hook) bool { return h.match.MatchString(name) })
}
