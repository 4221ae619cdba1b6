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

// late is how much too late a timer may be. One that is later ran out while this process was stopped
// (Ctrl-Z): what the agent said meanwhile is still to be read.
const late = 2 * time.Second

// more returns for how much longer what an agent has the time limit for is to be waited for: took is how long
// the last wait was, which was to end after wait. 0 means that the agent has had its time.
func (s *slow) more(limit, wait, took time.Duration) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waits > 0 || took > wait+late {
		return limit
	}
	return max(0, limit-time.Since(s.last))
}

// await waits for what an agent is to do until the agent has had the time limit for it, and reports whether
// it came.
func await[T any](s *slow, limit time.Duration, came <-chan T) (v T, ok bool) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for wait := limit; wait > 0; timer.Reset(wait) {
		since := time.Now()
		select {
		case v = <-came:
			return v, true
		case <-timer.C:
			wait = s.more(limit, wait, time.Since(since))
		}
	}
	select {
	case v = <-came: // both at once
		return v, true
	default:
		return v, false
	}
}
