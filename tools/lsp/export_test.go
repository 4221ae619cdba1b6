package lsp

import "time"

// Quick shortens the time in which a server may begin to report progress.
func Quick(t *Tool) { t.limits.begin = 50 * time.Millisecond }

// SetLimits shortens the waits of a tool that hasn't been called yet.
func SetLimits(t *Tool, start, index, request, call time.Duration) {
	t.limits.start, t.limits.index, t.limits.request, t.limits.call = start, index, request, call
}

// Pids are the processes of the servers that run.
func (t *Tool) Pids() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	var pids []int
	for _, s := range t.slots {
		s.turn <- struct{}{}
		if s.conn != nil {
			pids = append(pids, s.conn.process.Pid())
		}
		s.release()
	}
	return pids
}
