package orchestrator

import "github.com/mini-me/mm/child"

// Prewarm starts, in the background and one after the other, the agents that are to be ready before they
// are asked, and has each make the session of its first ask: from the session session, in the folder
// cwd and the further folders dirs. Only the first call counts. What can't be started is tried again when it is asked, and its
// reason is told then.
func (s *Supervisor) Prewarm(cwd, session string, dirs []string) {
	s.warm.Do(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.ctx.Err() == nil && s.o.Depth < MaxDepth {
			s.ending.Go(func() { s.prewarm(child.Task{Cwd: cwd, Dirs: dirs, Parent: session, StopAfter: s.o.StopAfter}) })
		}
	})
}

func (s *Supervisor) prewarm(t child.Task) {
	for _, name := range s.names {
		ag := s.agents[name]
		if !ag.Prewarm || ag.Broken != "" {
			continue
		}
		if s.o.Spare != nil && !s.o.Spare() {
			return
		}
		if c, err := ag.start(s.ctx); err == nil {
			c.Prepare(t)
		}
		if s.ctx.Err() != nil {
			return
		}
	}
}
