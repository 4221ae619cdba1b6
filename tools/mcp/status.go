package mcp

import (
	"fmt"
	"slices"
	"time"
)

// maxWarnings is how many different things are said of one server.
const maxWarnings = 30

// State is what a server is at.
type State string

// The states of a server.
const (
	Idle     State = "not started"
	Starting State = "starting"
	Ready    State = "ready"
	Failed   State = "failed" // it never came up, or the last start failed
	Ended    State = "ended"  // it was up; its tools start it again
)

// Status is a server for the banner.
type Status struct {
	Name   string
	State  State
	Tools  int    // that are declared
	Reason string // of Failed and Ended, in one line
}

// String is the status in a few words: "memory (9 tools)", "web (starting)", "fs (can't be used:
// not found on the PATH)".
func (t Status) String() string {
	switch t.State {
	case Ready:
		if t.Tools == 1 {
			return t.Name + " (1 tool)"
		}
		return fmt.Sprintf("%s (%d tools)", t.Name, t.Tools)
	case Failed:
		return t.Name + " (can't be used: " + t.Reason + ")"
	case Ended:
		return t.Name + " (ended: " + t.Reason + ")"
	}
	return t.Name + " (" + string(t.State) + ")"
}

// Status lists the servers in order.
func (s *Servers) Status() []Status {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]Status, len(s.list))
	for i, one := range s.list {
		list[i] = Status{Name: one.Name, State: one.stateLocked(), Tools: len(one.tools), Reason: one.failure}
	}
	return slices.Clip(list)
}

func (s *server) stateLocked() State {
	switch {
	case s.conn != nil:
		return Ready
	case s.starting != nil:
		return Starting
	case s.failures > 0:
		return Failed
	case s.failure != "":
		return Ended
	}
	return Idle
}

// failedLocked notes a failed start.
func (s *server) failedLocked(err error) {
	s.failure = s.mask(oneLine(err.Error()))
	if s.all.closed {
		return
	}
	s.again = time.Now().Add(min(s.all.limits.again<<min(s.failures, 20), s.all.limits.most))
	s.failures++
	s.all.o.Log("MCP server %s can't be %s: %s", s.Name, s.had(), s.failure)
	s.warnLocked("can't be %s: %s", s.had(), s.failure)
}

// settleLocked notes that the first start is over.
func (s *server) settleLocked() {
	if !s.settled {
		s.settled = true
		if s.all.open--; s.all.open == 0 {
			close(s.all.settled)
		}
	}
}

// warn leaves a line for the person, once.
func (s *server) warn(format string, args ...any) {
	s.all.mu.Lock()
	defer s.all.mu.Unlock()
	s.warnLocked(format, args...)
}

func (s *server) warnLocked(format string, args ...any) {
	line := "MCP server " + s.Name + ": " + fmt.Sprintf(format, args...)
	if s.told[line] || len(s.told) >= maxWarnings {
		return
	}
	s.told[line] = true
	s.all.warnings = append(s.all.warnings, line)
}
