package tools

import (
	"fmt"
	"strings"
)

// Set is the tools of one conversation, in the fixed order in which they are declared: a request
// must begin with the same bytes each time.
type Set struct {
	tools  []Tool
	byName map[string]Tool
}

// NewSet returns the set of the given tools. A later tool of the same name is left out.
func NewSet(list ...Tool) *Set {
	s := &Set{byName: map[string]Tool{}}
	for _, t := range list {
		name := t.Spec().Name
		if _, dup := s.byName[name]; dup {
			continue
		}
		s.tools = append(s.tools, t)
		s.byName[name] = t
	}
	return s
}

// All returns the tools in order.
func (s *Set) All() []Tool { return s.tools }

// Lookup returns the tool of that name.
func (s *Set) Lookup(name string) (Tool, bool) {
	t, ok := s.byName[name]
	return t, ok
}

// Names returns the names in order.
func (s *Set) Names() []string {
	names := make([]string, len(s.tools))
	for i, t := range s.tools {
		names[i] = t.Spec().Name
	}
	return names
}

// Unknown is the model's text for a call of a tool that isn't declared (supplement 16).
func (s *Set) Unknown(name string) string {
	return fmt.Sprintf("[unknown tool %q — tools: %s]", name, strings.Join(s.Names(), ", "))
}

// Rejected is the model's text for a call that a person refused. what is Plan.RejectedAs or the
// tool's name (tools.fr.md, Permissions).
func Rejected(what string) string { return "[" + what + " rejected by the user]" }

// DeniedByHook is the model's text for a call that a hook denied (supplement 6).
func DeniedByHook(tool, reason string) string {
	return "[" + tool + " denied by a hook: " + reason + "]"
}
