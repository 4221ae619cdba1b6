package child

import (
	"sync"
	"time"
)

// slow notes when the read loop of a connection waits for an ask that takes nothing, because its
// front end is slow. Meanwhile the agent can't be heard, and must not be blamed for it.
type slow struct {
	mu    sync.Mutex
	waits int       // guarded by mu: under way
	last  time.Time // guarded by mu: the end of the last one
}

func (s *slow) begin() (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waits++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.waits--
		s.last = time.Now()
	}
}

// owes returns how much of the given time, up to now, the agent has not had.
func (s *slow) owes(d time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits > 0 {
		return d
	}
	return max(0, d-time.Since(s.last))
}
