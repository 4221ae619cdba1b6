// Package watchdog ends a turn that gives no sign of life.
//
// One Dog watches one turn. Whatever shows that something still happens feeds it: a data event of
// the model's stream, an event of an asked agent, the start, output and end of a tool. At the
// timeout it cancels the turn's context with a *Silence as the cause. It is held while a human is
// waited for, since a person may take all the time there is.
//
// A Dog starts no goroutine; it owns one timer, which Stop ends. All methods may be called by
// several goroutines, at any time, also after Stop.
package watchdog

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// The phases of a turn (supplement 7).
const (
	FirstToken    = "waiting for the first token"
	BetweenTokens = "between tokens"
)

// AtWork is the phase in which an asked agent works.
func AtWork(agent string) string { return agent + " at work" }

// Running is the phase in which a tool runs.
func Running(tool string) string { return tool + " running" }

// Silence is the cause of a turn that the watchdog stopped. Its text is the whole line that the
// turn ends with.
type Silence struct {
	// After is how long nothing was heard.
	After time.Duration
	// Phase says what was waited for.
	Phase string
}

// Error returns the text of supplement 7.
func (s *Silence) Error() string {
	return fmt.Sprintf("[error: no sign of life for %s (%s) — turn stopped by the watchdog]", s.After, s.Phase)
}

// Dog watches one turn.
type Dog struct {
	cancel  context.CancelCauseFunc
	timeout time.Duration // 0 when it is off
	born    time.Time
	fed     atomic.Int64 // when the last sign of life came, as time since born
	phase   atomic.Pointer[string]

	mu     sync.Mutex
	timer  *time.Timer                 // guarded by mu; nil when the dog is off or stopped
	holds  int                         // guarded by mu
	graces map[*time.Duration]struct{} // guarded by mu
}

// New returns a context that ends when nothing was heard for timeout, and the Dog that sees to it.
// A timeout of 0 never ends it. Stop must be called when the turn is over.
func New(parent context.Context, timeout time.Duration) (context.Context, *Dog) {
	ctx, cancel := context.WithCancelCause(parent)
	d := &Dog{cancel: cancel, timeout: max(timeout, 0), born: time.Now(), graces: map[*time.Duration]struct{}{}}
	first := FirstToken
	d.phase.Store(&first)
	if d.timeout > 0 {
		d.mu.Lock()
		d.timer = time.AfterFunc(d.timeout, d.look)
		d.mu.Unlock()
	}
	return ctx, d
}

// Feed is a sign of life. It is called for each chunk of a stream: it only stores the time.
func (d *Dog) Feed() { d.fed.Store(int64(time.Since(d.born))) }

// Phase says what the turn now waits for, which is a sign of life too.
func (d *Dog) Phase(text string) {
	d.Feed()
	if *d.phase.Load() != text {
		changed := text // so that only a change allocates
		d.phase.Store(&changed)
	}
}

// Grace lets the silence last longer by the given time until undo is called, so that an asked
// agent's own reason arrives before ours (supplement 16). Of several at once the longest counts.
// The undo is a sign of life; only its first call counts.
func (d *Dog) Grace(longer time.Duration) (undo func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := &longer
	d.graces[key] = struct{}{}
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.graces, key)
		d.Feed()
		d.restartLocked()
	})
}

// Hold stops the watch until release is called: a human is waited for. Several may hold at once.
// Silence is counted anew from the last release; only the first call of a release counts.
func (d *Dog) Hold() (release func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.holds++
	return sync.OnceFunc(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.holds--
		d.Feed()
		d.restartLocked()
	})
}

// Stop ends the watch and the context. A turn that was stopped keeps its first cause.
func (d *Dog) Stop() {
	d.mu.Lock()
	if d.timer != nil {
		d.timer.Stop()
		d.timer = nil
	}
	d.mu.Unlock()
	d.cancel(nil)
}

// late is how much too late a timer may be. One that is later ran out while this process was stopped (Ctrl-Z):
// what was said meanwhile is still to be read, so silence is counted anew.
const late = 2 * time.Second

// look runs when the timer ends: the turn may have been fed since the timer was set, so what
// counts is the time of the last sign of life.
func (d *Dog) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timer == nil || d.holds > 0 {
		return // a release starts the timer again
	}
	limit := d.limitLocked()
	silent := time.Since(d.born) - time.Duration(d.fed.Load())
	if silent < limit {
		d.timer.Reset(limit - silent)
		return
	}
	if silent > limit+late {
		d.Feed()
		d.timer.Reset(limit)
		return
	}
	d.cancel(&Silence{After: limit, Phase: *d.phase.Load()})
}

func (d *Dog) limitLocked() time.Duration {
	limit := d.timeout
	for g := range d.graces {
		limit = max(limit, d.timeout+*g)
	}
	return limit
}

// restartLocked sets the timer after a change that may have let it pass by or shortened the limit.
func (d *Dog) restartLocked() {
	if d.timer != nil && d.holds == 0 {
		d.timer.Reset(d.limitLocked())
	}
}
