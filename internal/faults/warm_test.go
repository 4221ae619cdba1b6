//go:build linux

package faults

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/mmtest"
)

const (
	asks   = 1000
	atOnce = 8
)

// state is what a process takes.
type state struct{ rss, files int }

// memory is what a process took over several asks. The heap swings between two collections, so what
// is compared is the median.
type memory struct {
	mu   sync.Mutex
	seen []int // guarded by mu: in KiB
}

func (m *memory) look(t testing.TB, pid int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, status(t, pid, "VmRSS"))
}

// stateOf is a process's state now, its memory over the asks before.
func (m *memory) stateOf(t testing.TB, pid int) state {
	m.mu.Lock()
	defer m.mu.Unlock()
	slices.Sort(m.seen)
	s := state{m.seen[len(m.seen)/2], descriptors(t, pid)}
	m.seen = nil
	return s
}

// flat checks that a process takes no more after many asks than after a few. An asked agent closes the
// files of an ended session in its own time.
func (s state) flat(t testing.TB, who string, pid int, after state) {
	t.Helper()
	note(t, who+", memory after 100 asks (KiB)", float64(s.rss))
	note(t, who+", memory after 1,000 asks (KiB)", float64(after.rss))
	if after.rss > s.rss+s.rss/10 {
		t.Errorf("%s takes %d KiB after %d asks, %d KiB after 100: over 10 %% more", who, after.rss, asks, s.rss)
	}
	mmtest.Wait(t, fmt.Sprintf("%s to have at most %d files open, as after 100 asks", who, s.files), func() bool {
		return descriptors(t, pid) <= s.files
	})
}

// goroutines are those of a process that a SIGQUIT has ended, by its stderr: how many, and those that
// work at a turn or an ask.
func goroutines(stderr string) (n int, atWork []string) {
	for _, g := range strings.Split(stderr, "\n\n") {
		if !strings.HasPrefix(strings.TrimSpace(g), "goroutine ") {
			continue
		}
		n++
		for _, f := range []string{"child.(*ask)", "child.(*Client).Ask", "turn.(*running)", "consent.(*Gate)", "tools.(*", "editor.(*open).prompt"} {
			if strings.Contains(g, f) {
				atWork = append(atWork, g)
				break
			}
		}
	}
	return n, atWork
}

// each does something for the numbers from a to b, several at a time.
func each(a, b int, f func(worker, i int)) {
	next := make(chan int)
	var all sync.WaitGroup
	for w := range atOnce {
		all.Go(func() {
			for i := range next {
				f(w, i)
			}
		})
	}
	for i := a; i < b; i++ {
		next <- i
	}
	close(next)
	all.Wait()
}

// TestAThousandAsks of one warm child, eight at a time: one process, flat memory, nothing left. The
// askers' sessions change, since a conversation itself grows with each ask.
func TestAThousandAsks(t *testing.T) {
	t.Parallel()
	h := newHouse(t, mm(t), map[string]string{
		"mm.yaml":    "provider: scripted\nscript: none.yaml\nmmConfigs: {jan: jan.yaml}\n",
		"jan.yaml":   "provider: scripted\nscript: jan.s.yaml\n",
		"none.yaml":  "- reply: never\n",
		"jan.s.yaml": "- reply: here I am\n",
	})
	c, r := h.client(clientOptions{})
	lead, jan := r.cmd.Process.Pid, 0
	var ofLead, ofJan memory
	var sessions [atOnce]string
	ask := func(w, i int) {
		if i%100 < atOnce || sessions[w] == "" {
			if sessions[w] != "" {
				c.call(acp.MethodCloseSession, acp.SessionRequest{SessionID: sessions[w]}, nil)
			}
			sessions[w] = c.newSession()
		}
		if a := c.ended(c.prompt(sessions[w], fmt.Sprintf("/ask-jan task %d", i))); a.err != nil || a.reason != acp.StopEndTurn {
			t.Errorf("ask %d: %+v", i, a)
		}
		if jan != 0 {
			ofLead.look(t, lead)
			ofJan.look(t, jan)
		}
	}
	each(0, 50, ask)
	jan = h.Find("-acp", "jan.yaml")
	each(50, 100, ask)
	few, fewOfJan := ofLead.stateOf(t, lead), ofJan.stateOf(t, jan)
	each(100, asks-50, ask)
	ofLead.seen, ofJan.seen = nil, nil
	each(asks-50, asks, ask)
	if n := h.Count("-acp", "jan.yaml"); n != 1 || h.Find("-acp", "jan.yaml") != jan {
		t.Errorf("%d processes of jan", n)
	}
	few.flat(t, "asker", lead, ofLead.stateOf(t, lead))
	fewOfJan.flat(t, "asked agent", jan, ofJan.stateOf(t, jan))
	r.signal(syscall.SIGQUIT)
	r.exits(2)
	n, atWork := goroutines(r.stderr.String())
	note(t, "asker, goroutines after 1,000 asks", float64(n))
	if n == 0 || n > 60 || len(atWork) > 0 {
		t.Errorf("%d goroutines, of which at work:\n%s", n, strings.Join(atWork, "\n\n"))
	}
}

// TestAThousandSessions is the other side: an asked agent whose sessions come and go leaves no
// goroutine behind.
func TestAThousandSessions(t *testing.T) {
	t.Parallel()
	h := newHouse(t, mm(t), map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\n",
		"s.yaml":  "- when: {user: run}\n  reply: [{call: {name: bash, arguments: {command: 'echo hi'}}}]\n- reply: here I am\n",
	})
	c, r := h.client(clientOptions{asked: true, permission: func(context.Context, acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		return acp.Selected("reject_once")
	}})
	each(0, asks, func(_, i int) {
		id := c.newSession()
		if a := c.ended(c.prompt(id, []string{"run", "say"}[i%2])); a.err != nil || a.reason != acp.StopEndTurn {
			t.Errorf("session %d: %+v", i, a)
		}
		c.call(acp.MethodCloseSession, acp.SessionRequest{SessionID: id}, nil)
	})
	r.signal(syscall.SIGQUIT)
	r.exits(2)
	n, atWork := goroutines(r.stderr.String())
	note(t, "asked agent, goroutines after 1,000 sessions", float64(n))
	if n == 0 || n > 40 || len(atWork) > 0 {
		t.Errorf("%d goroutines, of which at work:\n%s", n, strings.Join(atWork, "\n\n"))
	}
}
