package mcp

import (
	"fmt"
	"slices"
)

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
