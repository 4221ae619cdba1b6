//go:build linux

package faults

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/mini-me/mm/internal/acp"
)

const (
	asks   = 1000
	atOnce = 8
)

// state is what a process takes.
type state struct{ rss, files int }

func stateOf(t testing.TB, pid int) state {
	return state{status(t, pid, "VmRSS"), descriptors(t, pid)}
}

// flat checks that a process takes no more after many asks than after a few.
func (s state) flat(t testing.TB, who string, after state) {
	t.Helper()
	note(t, who+", memory after 100 asks (KiB)", float64(s.rss))
	note(t, who+", memory after 1,000 asks (KiB)", float64(after.rss))
	if after.rss > s.rss+s.rss/10 {
		t.Errorf("%s takes %d KiB after %d asks, %d KiB after 100: over 10 %% more", who, after.rss, asks, s.rss)
	}
	if after.files > s.files {
		t.Errorf("%s has %d files open after %d asks, %d after 100", who, after.files, asks, s.files)
	}
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

// TestAThousandAsks of one warm child, eight at a time: one process, flat memory, nothing left.
func TestAThousandAsks(t *testing.T) {
	t.Parallel()
	h := newHouse(t, mm(t), map[string]string{
		"mm.yaml":    "provider: scripted\nscript: none.yaml\nmmConfigs: {jan: jan.yaml}\n",
		"jan.yaml":   "provider: scripted\nscript: jan.s.yaml\n",
		"none.yaml":  "- reply: never\n",
		"jan.s.yaml": "- reply: here I am\n",
	})
	c, r := h.client(clientOptions{})
	sessions := make([]string, atOnce)
	for i := range sessions {
		sessions[i] = c.newSession()
	}
	ask := func(w, i int) {
		if a := c.ended(c.prompt(sessions[w], fmt.Sprintf("/ask-jan task %d", i))); a.err != nil || a.reason != acp.StopEndTurn {
			t.Errorf("ask %d: %+v", i, a)
		}
	}
	each(0, 100, ask)
	jan := h.find("-acp", "jan.yaml")
	lead, asked := stateOf(t, r.cmd.Process.Pid), stateOf(t, jan)
	each(100, asks, ask)
	if n := h.count("-acp", "jan.yaml"); n != 1 || h.find("-acp", "jan.yaml") != jan {
		t.Errorf("%d processes of jan", n)
	}
	lead.flat(t, "asker", stateOf(t, r.cmd.Process.Pid))
	asked.flat(t, "asked agent", stateOf(t, jan))
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
