package engine

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mini-me/mm/tools"
)

// Completion is a way to complete what a person types.
type Completion struct {
	Text string // takes the place of what it completes
	Help string
	// Open says that more of the same word may follow: a folder.
	Open bool
}

// maxCompletions bounds what is offered.
const maxCompletions = 100

// Complete returns what may follow the text before the cursor, and how many of its last bytes that
// takes the place of: commands and what belongs to them, agents, skills, sessions, paths. first says
// that the text begins the first line. No server is asked.
func (s *Session) Complete(before string, first bool) (list []Completion, n int) {
	if first && strings.HasPrefix(before, "/") {
		name, args, more := strings.Cut(before[1:], " ")
		if !more {
			if list = s.completeCommand(name); len(list) > 0 {
				return list, len(before)
			}
		} else if list, ok := s.completeArgument(name, args); ok {
			return list, len(args)
		}
	}
	word := before[strings.LastIndexAny(before, " \t")+1:]
	list = s.completeWord(word)
	return list[:min(len(list), maxCompletions)], len(word)
}

func (s *Session) completeCommand(prefix string) (list []Completion) {
	for _, c := range s.Commands() {
		if strings.HasPrefix(c.Name, prefix) {
			list = append(list, Completion{Text: "/" + c.Name, Help: c.Help})
		}
	}
	return list
}

// completeArgument completes the first word behind a command. ok is false where that is free text.
func (s *Session) completeArgument(command, args string) (list []Completion, ok bool) {
	if strings.Contains(args, " ") && command != "permissions" {
		return nil, false
	}
	var all []Completion
	switch command {
	case "ask":
		all = s.agentNames()
	case "permissions":
		all = []Completion{{Text: "forget all"}}
		for _, r := range s.gate.Policy().List() {
			all = append(all, Completion{Text: "forget " + r.Key})
		}
	case "plan":
		all = []Completion{{Text: "clear"}}
	case "sessions":
		all = []Completion{{Text: "all"}}
	case "resume":
		sessions, _, err := s.engine.Sessions("")
		if err != nil {
			return nil, true
		}
		for _, i := range sessions {
			if i.ID != s.ID {
				all = append(all, Completion{Text: i.ID, Help: Describe(i, time.Now())})
			}
		}
	default:
		return nil, false
	}
	return startingWith(all, args), true
}

func startingWith(all []Completion, prefix string) (list []Completion) {
	for _, c := range all {
		if strings.HasPrefix(c.Text, prefix) && len(list) < maxCompletions {
			list = append(list, c)
		}
	}
	return list
}

func (s *Session) agentNames() (list []Completion) {
	for _, a := range s.engine.Agents() {
		list = append(list, Completion{Text: a.Name, Help: a.Role})
	}
	return list
}

// completeWord completes a word of a question: an agent, a skill, a path.
func (s *Session) completeWord(word string) []Completion {
	var all []Completion
	if word != "" && !strings.ContainsAny(word, `/\`) {
		all = s.agentNames()
		if dir := s.engine.file.SkillsDir; dir != "" {
			for _, k := range tools.Skills(dir) {
				all = append(all, Completion{Text: k.Name, Help: k.Description})
			}
		}
	}
	return append(startingWith(all, word), s.completePath(word)...)
}

// completePath completes a path; relative ones begin in the session's folder.
func (s *Session) completePath(word string) (list []Completion) {
	dir, base := filepath.Split(word)
	look := dir
	switch {
	case strings.HasPrefix(dir, "~/"):
		home, err := os.UserHomeDir()
		if err != nil {
			return nil
		}
		look = filepath.Join(home, dir[2:])
	case !filepath.IsAbs(dir):
		look = filepath.Join(s.o.Cwd, dir)
	}
	entries, err := os.ReadDir(look)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") || len(list) == maxCompletions {
			continue
		}
		c := Completion{Text: dir + name}
		if st, err := os.Stat(filepath.Join(look, name)); err == nil && st.IsDir() {
			c.Text += "/"
			c.Open = true
		}
		list = append(list, c)
	}
	return list
}
