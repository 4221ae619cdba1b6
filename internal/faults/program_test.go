//go:build linux

package faults

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"

	"github.com/mini-me/mm/internal/llm/llmtest"
)

// A program is what one agent does in one turn of the property test: a tree of asks and commands,
// made of a seed. It travels as the prompt, so the models need to know nothing: each plays the
// program that it is sent.
type program struct {
	Steps [][]step `json:"s"` // the calls of each model call
}

// step is one call: a command when Ask is nil.
type step struct {
	ID    int      `json:"i"` // among all calls of all seeds
	Agent string   `json:"a,omitempty"`
	Ask   *program `json:"p,omitempty"`
}

// generator makes programs and knows what their calls must be asked about as.
type generator struct {
	r    *rand.Rand
	next int
	keys map[int]string // by call: the key at the root's gate
}

// program makes the program of the agent at a path ("" for the root) that may ask others below.
func (g *generator) program(path string, below []string) *program {
	p := &program{}
	most := 3 // calls of a step; the deeper, the fewer
	if path != "" {
		most = 2
	}
	for range 1 + g.r.IntN(5)/3 {
		var calls []step
		for range 1 + g.r.IntN(most) {
			calls = append(calls, g.step(path, below))
		}
		p.Steps = append(p.Steps, calls)
	}
	return p
}

func (g *generator) step(path string, below []string) step {
	g.next++
	s := step{ID: g.next}
	if len(below) == 0 || path != "" && g.r.IntN(2) == 0 {
		g.keys[s.ID] = join(path, "bash")
		return s
	}
	g.keys[s.ID] = join(path, "ask_agent")
	s.Agent = below[g.r.IntN(len(below))]
	var deeper []string
	if path == "" {
		deeper = []string{"homer"}
	}
	s.Ask = g.program(join(path, s.Agent), deeper)
	return s
}

func join(path, name string) string { return strings.TrimPrefix(path+"/"+name, "/") }

// command is what the call of an id runs; an ask's prompt begins with the same mark.
func mark(id int) string { return fmt.Sprintf("id-%d.", id) }

var marks = regexp.MustCompile(`^(?:echo |[a-z]+ — )?id-(\d+)\.`)

func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// play is the model of every agent: it makes the calls of the next step, or ends the turn.
func play(a *llmtest.Answer, r *llmtest.Request) {
	var p program
	_, text, _ := strings.Cut(r.User(), " ")
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		a.Text("no program: " + r.User())
		return
	}
	n := stepsDone(r)
	a.Text(fmt.Sprintf("step %d. ", n))
	if n >= len(p.Steps) {
		return
	}
	for _, s := range p.Steps[n] {
		if s.Ask == nil {
			bash(a, "echo "+mark(s.ID))
		} else {
			calls(a, s.Agent+": "+mark(s.ID)+" "+encode(s.Ask))
		}
	}
}

// stepsDone counts the model calls since the last user text.
func stepsDone(r *llmtest.Request) int {
	n := 0
	for _, m := range r.Messages {
		switch {
		case m.Role == "user":
			n = 0
		case m.Role == "assistant":
			n++
		}
	}
	return n
}

// results are the results of the commands in a request's history, by id.
func results(r *llmtest.Request) map[int]string {
	ids, found := map[string]int{}, map[int]string{}
	for _, m := range r.Messages {
		for _, c := range m.Calls {
			var args struct{ Command string }
			if json.Unmarshal([]byte(c.Arguments), &args) == nil && args.Command != "" {
				ids[c.ID] = idOf(args.Command)
			}
		}
		if id, ok := ids[m.CallID]; ok && m.Role == "tool" {
			found[id] = m.Content
		}
	}
	return found
}

// idOf is the id of a call by its title, 0 for none.
func idOf(title string) int {
	found := marks.FindStringSubmatch(title)
	if found == nil {
		return 0
	}
	id := 0
	fmt.Sscan(found[1], &id)
	return id
}
