package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// signalled follows the signals that end mm.
type signalled struct {
	cancel context.CancelFunc
	ch     chan os.Signal
	done   chan struct{}

	mu         sync.Mutex
	got        syscall.Signal // guarded by mu: the first one that ends mm
	interrupts chan struct{}  // guarded by mu: where SIGINT goes instead, in line mode
}

type signalsKey struct{}

// signals watches SIGINT, SIGTERM and SIGHUP. The first ends the context, so that everything below is
// ended in order; a second SIGINT or SIGTERM ends mm at once. SIGPIPE stays with the Go runtime: a
// closed stdout ends mm quietly, and what it had started goes by its closed stdin or its guard.
// (Notified, it would also come for each write to a child that has died.)
func signals() (context.Context, *signalled) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &signalled{cancel: cancel, ch: make(chan os.Signal, 8), done: make(chan struct{})}
	signal.Notify(s.ch, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	go s.watch()
	return ctx, s
}

func (s *signalled) watch() {
	defer close(s.done)
	for sig := range s.ch {
		s.take(sig.(syscall.Signal))
	}
}

func (s *signalled) take(sig syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sig == syscall.SIGINT && s.interrupts != nil && s.got == 0 {
		select {
		case s.interrupts <- struct{}{}:
		default: // line mode hasn't taken the last one yet
		}
		return
	}
	if s.got != 0 && (sig == syscall.SIGINT || sig == syscall.SIGTERM) {
		os.Exit(128 + int(sig))
	}
	if s.got == 0 {
		s.got = sig
	}
	s.cancel()
}

// interruptible lets SIGINT be a key of line mode from now on.
func (s *signalled) interruptible() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.interrupts = make(chan struct{}, 2)
	return s.interrupts
}

// status is the exit status for the signal that ended mm, 0 when none did.
func (s *signalled) status() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.got == 0 {
		return 0
	}
	return 128 + int(s.got)
}

func (s *signalled) stop() {
	signal.Stop(s.ch)
	close(s.ch)
	<-s.done
	s.cancel()
}

func withSignals(ctx context.Context, s *signalled) context.Context {
	return context.WithValue(ctx, signalsKey{}, s)
}

func signalsOf(ctx context.Context) *signalled {
	s, _ := ctx.Value(signalsKey{}).(*signalled)
	return s
}
