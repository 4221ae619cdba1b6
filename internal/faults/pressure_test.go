//go:build linux

package faults

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/mmtest"
)

const (
	// much is how many updates a child sends in the tests of back-pressure.
	much = 100_000
	// room is how much memory mm may take for them over what it takes when idle, in MiB.
	room = 64
	// stop is how long a front end takes nothing.
	stop = 10 * time.Second
)

// peak samples the memory of a process until done, and returns the most it took, in MiB.
func peak(t testing.TB, pid int, done <-chan struct{}) int {
	most := 0
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		most = max(most, status(t, pid, "VmRSS")/mib)
		select {
		case <-done:
			return most
		case <-tick.C:
		}
	}
}

// collector puts the texts of sub-agents together, and stops reading when it is told to.
type collector struct {
	mu     sync.Mutex
	texts  map[string]*strings.Builder // guarded by mu: by session
	paused chan struct{}               // guarded by mu: nothing is read before it is closed
}

func (c *collector) update(u acp.SessionUpdate) {
	c.mu.Lock()
	paused := c.paused
	c.mu.Unlock()
	if paused != nil {
		<-paused
	}
	chunk, err := u.Chunk()
	if u.Kind != acp.UpdateAgentMessage || err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.texts[u.SessionID] == nil {
		c.texts[u.SessionID] = &strings.Builder{}
	}
	c.texts[u.SessionID].WriteString(chunk.Content.Text)
}

// pause stops the reading; resume lets it go on.
func (c *collector) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.paused = make(chan struct{})
}

func (c *collector) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.paused)
	c.paused = nil
}

// longest is the longest text of a session.
func (c *collector) longest() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	longest := ""
	for _, b := range c.texts {
		if b.Len() > len(longest) {
			longest = b.String()
		}
	}
	return longest
}

func (c *collector) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, b := range c.texts {
		n += b.Len()
	}
	return n
}

// whole checks that a flood arrived with nothing missing, nothing twice and in order.
func whole(t testing.TB, text string) {
	t.Helper()
	i := 0
	for line := range strings.Lines(text) {
		if want := fmt.Sprintf("update %d of a child that has much to say\n", i); line != want {
			t.Errorf("line %d is %q, want %q", i, line, want)
			return
		}
		i++
	}
	if i != much {
		t.Errorf("%d lines of %d", i, much)
	}
}

// TestAnEditorThatStopsReading for 10 s slows the turn, holds memory, loses nothing, and doesn't keep
// another session from work: what that has to do meanwhile is done, and its turn ends long before
// the flood does.
func TestAnEditorThatStopsReading(t *testing.T) {
	t.Parallel()
	h := newHouse(t, mm(t), withFake(t, "", ""))
	got := &collector{texts: map[string]*strings.Builder{}}
	c, r := h.client(clientOptions{update: got.update})
	one, two := c.newSession(), c.newSession()
	c.ended(c.prompt(one, "/ask-fake say warm"))
	idle := status(t, r.cmd.Process.Pid, "VmRSS") / mib
	got.pause()
	start := time.Now()
	flood := c.prompt(one, fmt.Sprintf("/ask-fake flood %d", much))
	other := c.prompt(two, "/ask-fake mark other; say done")
	h.running("other") // the other session's agent works while nothing is read
	ended := make(chan struct{})
	most := make(chan int, 1)
	go func() { most <- peak(t, r.cmd.Process.Pid, ended) }()
	<-time.After(stop - time.Since(start))
	select {
	case <-flood:
		t.Error("the turn has ended while nothing was read")
	default:
	}
	got.resume()
	if a := c.ended(other); a.err != nil || a.reason != acp.StopEndTurn {
		t.Errorf("the other session: %+v", a)
	}
	read := got.len()
	if a := c.ended(flood); a.err != nil || a.reason != acp.StopEndTurn {
		t.Errorf("%+v", a)
	}
	close(ended)
	text := got.longest()
	whole(t, text)
	if read > len(text)/2 {
		t.Errorf("the other session ended after %d of %d bytes of the flood", read, len(text))
	}
	more := <-most - idle
	note(t, "memory over idle, an editor stops reading 100,000 updates for 10 s (MiB)", float64(more))
	if more > room {
		t.Errorf("%d MiB over %d", more, idle)
	}
	c.hangUp()
	r.exits(0)
}

// TestAPausedTerminal is the same for a terminal on which nothing is shown for 10 s.
func TestAPausedTerminal(t *testing.T) {
	t.Parallel()
	h := newHouse(t, mm(t), withFake(t, "", ""))
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("/ask-fake say warm\n")
	x.Expect(`^warm$`)
	x.Expect(`^> `)
	idle := status(t, x.Cmd.Process.Pid, "VmRSS") / mib
	ended := make(chan struct{})
	most := make(chan int, 1)
	go func() { most <- peak(t, x.Cmd.Process.Pid, ended) }()
	x.Keys("/ask-fake flood %d\n", much)
	x.Expect(`^update 1000 of `)
	x.Pause()
	<-time.After(stop)
	x.Resume()
	x.Expect(fmt.Sprintf(`^update %d of .*$`, much-1))
	x.Expect(`^> `)
	close(ended)
	more := <-most - idle
	note(t, "memory over idle, a terminal that is paused for 10 s in 100,000 updates (MiB)", float64(more))
	if more > room {
		t.Errorf("%d MiB over %d", more, idle)
	}
	screen := x.Screen()
	if n := strings.Count(screen, " of a child that has much to say\n"); n != much {
		t.Errorf("%d lines of %d", n, much)
	}
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestEndsBehindAnEditorThatDoesNotRead: mm ends in time although its output is stuck, and all below.
func TestEndsBehindAnEditorThatDoesNotRead(t *testing.T) {
	for name, event := range map[string]func(c *client, r *running){
		"stdin closed": func(c *client, _ *running) { c.hangUp() },
		"SIGTERM":      func(_ *client, r *running) { _ = r.cmd.Process.Signal(signals["SIGTERM"].signal) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, mm(t), withFake(t, stubborn+","+forking, ""))
			got := &collector{texts: map[string]*strings.Builder{}}
			c, r := h.client(clientOptions{update: got.update})
			id := c.newSession()
			c.prompt(id, fmt.Sprintf("/ask-fake flood %d", much))
			mmtest.Wait(t, "the flood", func() bool { return got.len() > 1000 })
			got.pause()
			defer got.resume()
			h.checkEnd("an editor that doesn't read, "+name, func() { event(c, r) })
			r.wait()
		})
	}
}

// TestEndsBehindAPausedTerminal is the same for a terminal.
func TestEndsBehindAPausedTerminal(t *testing.T) {
	t.Parallel()
	h := newHouse(t, mm(t), withFake(t, stubborn+","+forking, ""))
	x := h.screen()
	x.Expect(`^> `)
	x.Keys("/ask-fake flood %d\n", much)
	x.Expect(`update 100 of `)
	x.Pause()
	h.checkEnd("a paused terminal, SIGTERM", func() { _ = x.Cmd.Process.Signal(signals["SIGTERM"].signal) })
	<-x.Done
	x.Resume()
	x.asBefore()
}
