package engine

import (
	"slices"
	"sync"

	"github.com/mini-me/mm/internal/proc"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/orchestrator"
)

// spareMemory is what must be free, in bytes, for an agent to start that nobody has asked: some ten
// times what it takes, since the model needs the rest.
const spareMemory = 256 << 20

// spare reports whether the machine has memory for an agent that may never be asked.
func spare() bool {
	free, known := proc.FreeMemory()
	return !known || free >= spareMemory
}

// prewarmer is called with what a session emits: at the first word of the first answer it starts the
// agents that are to be ready by the time they are asked. The model is at work then, and its server
// is known to answer.
func (s *Session) prewarmer() func(ui.Event) {
	var once sync.Once
	return func(e ui.Event) {
		if answers(e) {
			once.Do(s.prewarm)
		}
	}
}

// answers reports whether an event is a piece of this agent's own answer.
func answers(e ui.Event) bool {
	switch e := e.(type) {
	case ui.Text:
		return e.Ask == ""
	case ui.Thought:
		return e.Ask == ""
	}
	return false
}

func (s *Session) prewarm() {
	if slices.ContainsFunc(s.engine.Agents(), func(a orchestrator.Agent) bool { return a.Prewarm }) {
		s.engine.team().Prewarm(s.o.Cwd, s.ID, s.o.Dirs)
	}
}
