package mcp

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mini-me/mm/tools"
)

// Servers are the MCP servers of an agent file or a session. Its methods may be called by several
// goroutines, and on nil, which has no servers.
type Servers struct {
	o      Options
	limits limits
	list   []*server // in the order of Options.Servers
	// ctx ends when Close is called.
	ctx     context.Context
	cancel  context.CancelCauseFunc
	work    sync.WaitGroup
	settled chan struct{} // closed when the first start of each server is over

	mu         sync.Mutex
	started    time.Time    // guarded by mu: when Start was called first
	closed     bool         // guarded by mu
	open       int          // guarded by mu: servers that haven't settled
	declared   []tools.Tool // guarded by mu: never changed, only replaced
	generation int          // guarded by mu
	warnings   []string     // guarded by mu: not told yet
}

// New makes Servers of a list. It starts nothing. Of several servers with the same name the later
// ones get a number.
func New(o Options) *Servers {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	if o.Names == nil {
		o.Names = NewNames()
	}
	if o.Version == "" {
		o.Version = "0"
	}
	s := &Servers{o: o, limits: defaultLimits(), open: len(o.Servers), settled: make(chan struct{})}
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	for _, conf := range o.Servers {
		for i, name := 2, conf.Name; !o.Names.admit(conf.Name); i++ {
			conf.Name = fmt.Sprintf("%s-%d", name, i)
		}
		s.list = append(s.list, &server{Server: conf, all: s, told: map[string]bool{}})
	}
	if s.open == 0 {
		close(s.settled)
	}
	return s
}

// Start starts the servers in the background, the first time that it is called.
func (s *Servers) Start() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || !s.started.IsZero() {
		return
	}
	s.started = time.Now()
	for _, one := range s.list {
		one.startLocked()
	}
}

// Tools returns the tools that are known, after waiting for the servers' first lists for at most
// 5 s from Start, which it calls. As long as nothing changes it returns the same slice, which must
// not be changed. A server that couldn't be started is tried again in the background, now and then.
func (s *Servers) Tools(ctx context.Context) []tools.Tool {
	if s == nil {
		return nil
	}
	s.Start()
	s.mu.Lock()
	timer := time.NewTimer(time.Until(s.started.Add(s.limits.prompt)))
	s.retryLocked()
	s.mu.Unlock()
	defer timer.Stop()
	select {
	case <-s.settled:
	case <-timer.C:
	case <-ctx.Done():
	case <-s.ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.declared
}

// retryLocked starts again what failed some time ago and never showed a tool: nothing could be
// called to start it. One that has tools is started by a call.
func (s *Servers) retryLocked() {
	for _, one := range s.list {
		if !s.closed && one.failures > 0 && one.conn == nil && one.starting == nil && len(one.tools) == 0 && time.Now().After(one.again) {
			one.startLocked()
		}
	}
}

// Generation changes whenever the list of tools does.
func (s *Servers) Generation() int {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.generation
}

// changeLocked makes the list anew.
func (s *Servers) changeLocked() {
	var list []tools.Tool
	for _, one := range s.list {
		for _, t := range one.tools {
			list = append(list, t)
		}
	}
	s.declared = list
	s.generation++
}

// Warnings returns lines for the person that weren't returned before.
func (s *Servers) Warnings() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.warnings
	s.warnings = nil
	return list
}

// Close ends all servers at the same time, with the calls under way, and returns when they are gone.
func (s *Servers) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.cancel(errClosed)
	s.work.Wait()
	for _, one := range s.list {
		s.o.Names.release(one)
	}
}
