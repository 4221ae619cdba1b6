//go:build linux

package faults

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/mmtest"
)

// kill kills processes and waits until they are gone.
func kill(pids ...int) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		for i := 0; mmtest.Alive(pid) && i < 5000; i++ {
			time.Sleep(time.Millisecond) // it isn't our child: there is nothing else to wait by
		}
	}
}

// checkEnd checks what is promised of any end: from the event on, all that was at work is gone
// within 2 s, and background tasks of commands that had ended live on.
func (h *house) checkEnd(name string, event func(), stay ...int) {
	h.t.Helper()
	start := time.Now()
	event()
	took(h.t, "end: "+name, h.Gone(start, stay...))
	for _, pid := range stay {
		if !mmtest.Alive(pid) {
			h.t.Errorf("the background task %d is gone", pid)
		}
	}
}

// signals are those that end mm, with its exit status then.
var signals = map[string]struct {
	signal syscall.Signal
	status int
}{
	"SIGINT":  {syscall.SIGINT, 130},
	"SIGTERM": {syscall.SIGTERM, 143},
	"SIGHUP":  {syscall.SIGHUP, 129},
	"SIGKILL": {syscall.SIGKILL, -1},
	"panic":   {syscall.SIGUSR1, 2},
}

func binaryFor(t *testing.T, end string) string {
	if end == "panic" {
		return crashingMM(t)
	}
	return mm(t)
}

// terminalEnds are the ends that a person at a terminal can bring about, beside signals.
var terminalEnds = map[string]func(x *terminal){
	"quit":          func(x *terminal) { x.Keys("/quit\r") },
	"Ctrl-D":        func(x *terminal) { x.Keys("\x04") },
	"Ctrl-C twice":  func(x *terminal) { x.Keys("\x03\x03") },
	"window closed": func(x *terminal) { x.hangUp() },
}

// TestEndsInATerminal: line mode and the window, each of which has changed the terminal's settings.
func TestEndsInATerminal(t *testing.T) {
	type end struct {
		event  func(x *terminal)
		status int
	}
	ends := map[string]end{}
	for name, event := range terminalEnds {
		ends[name] = end{event, 0}
		if name == "window closed" {
			ends[name] = end{event, signals["SIGHUP"].status}
		}
	}
	for name, s := range signals {
		if s.signal != syscall.SIGINT { // a key there
			ends[name] = end{func(x *terminal) { _ = x.Cmd.Process.Signal(s.signal) }, s.status}
		}
	}
	for mode, args := range map[string][]string{"line mode": nil, "the window": {"-tui"}} {
		for name, e := range ends {
			t.Run(mode+", "+name, func(t *testing.T) {
				t.Parallel()
				h := newHouse(t, binaryFor(t, name), busy(t))
				x := h.screen(args...)
				mmtest.Wait(t, "the terminal is in raw mode", func() bool { return x.settings() != x.before })
				x.Keys("go\r")
				stay := h.now(leadsWork, leadsTasks)
				h.checkEnd(mode+", "+name, func() { e.event(x) }, stay...)
				x.Exits(e.status)
				x.asBefore()
			})
		}
	}
}

func TestEndsOfOneQuestion(t *testing.T) {
	for name, s := range signals {
		for _, mode := range []string{"-p", "--ask"} {
			if mode == "--ask" && s.signal != syscall.SIGTERM && s.signal != syscall.SIGKILL {
				continue
			}
			t.Run(mode+" "+name, func(t *testing.T) {
				t.Parallel()
				h := newHouse(t, binaryFor(t, name), busy(t))
				args, work, stays := []string{"-p", "go"}, leadsWork, leadsTasks
				if mode == "--ask" {
					args, work, stays = []string{"--ask", "jan", "all"}, jansWork, jansTasks
				}
				r := h.start(h.command(args...))
				stay := h.now(work, stays)
				h.checkEnd(mode+", "+name, func() { r.signal(s.signal) }, stay...)
				r.exits(s.status)
			})
		}
	}
}

func TestEndsOfAnEditorsAgent(t *testing.T) {
	type end struct {
		event  func(e *client, r *running)
		status int
	}
	ends := map[string]end{"stdin closed": {func(e *client, _ *running) { e.hangUp() }, 0}}
	for name, s := range signals {
		ends[name] = end{func(_ *client, r *running) { r.signal(s.signal) }, s.status}
	}
	for name, e := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, binaryFor(t, name), busy(t))
			c, r := h.client(clientOptions{})
			id := c.newSession()
			c.prompt(id, "go")
			stay := h.now(leadsWork, leadsTasks)
			h.checkEnd("-acp, "+name, func() { e.event(c, r) }, stay...)
			r.exits(e.status)
		})
	}
}

// TestEndsAtWork: what the lead itself has at work when it ends, a command, a call of an MCP server
// and one of a language server, each of which ignores SIGTERM.
func TestEndsAtWork(t *testing.T) {
	for name, s := range signals {
		for prompt, runs := range map[string]string{"own command": leadDeaf, "own mcp": leadMCP + "-called", "own lsp": leadLSP + "-called"} {
			if prompt != "own command" && s.signal != syscall.SIGTERM && s.signal != syscall.SIGKILL {
				continue
			}
			t.Run(prompt+" "+name, func(t *testing.T) {
				t.Parallel()
				h := newHouse(t, binaryFor(t, name), busy(t))
				r := h.start(h.command("-p", prompt))
				h.running(runs)
				h.checkEnd(prompt+", "+name, func() { r.signal(s.signal) })
				r.exits(s.status)
			})
		}
	}
}

// TestEndsWhileIdle: a turn has ended, and its agents wait for the next ask; one of them doesn't
// want to end.
func TestEndsWhileIdle(t *testing.T) {
	t.Run("-p", func(t *testing.T) {
		t.Parallel()
		h := newHouse(t, mm(t), busy(t))
		r := h.start(h.command("-p", "idle"))
		h.running(foreign)
		r.exits(0)
		if left := h.Members(); len(left) > 0 {
			t.Errorf("mm has ended before %v", left)
		}
	})
	for name, event := range map[string]func(x *terminal){
		"quit":    func(x *terminal) { x.Keys("/quit\r") },
		"SIGKILL": func(x *terminal) { _ = x.Cmd.Process.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, mm(t), busy(t))
			x := h.screen()
			x.Expect(`> `)
			x.Keys("idle\r")
			x.Expect(`^done$`)
			x.Expect(`> `)
			h.checkEnd("terminal idle, "+name, func() { event(x) })
			<-x.Done
			x.asBefore()
		})
	}
}

// TestKilledSupervisor is the plain case once more: two levels of children, each with a command at
// work, and nobody left to end anything in order.
func TestKilledSupervisor(t *testing.T) {
	for i := range 3 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, mm(t), busy(t))
			r := h.start(h.command("-p", "go"))
			stay := h.now(leadsWork, leadsTasks)
			h.checkEnd("kill -9 of a supervisor", func() { r.signal(syscall.SIGKILL) }, stay...)
			r.exits(-1)
		})
	}
}

// TestEndsOfOthers: somebody else than the lead is killed, as the kernel does when memory runs out.
func TestEndsOfOthers(t *testing.T) {
	for name, victim := range map[string][]string{
		"a child":       {"-acp", "jan.yaml"},
		"a grandchild":  {"-acp", "homer.yaml"},
		"a guard":       {"--guard", "bash"},
		"foreign agent": {"sh", "-c", self(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, mm(t), busy(t))
			r := h.start(h.command("-p", "go"))
			stay := h.now(leadsWork, leadsTasks)
			kill(h.Find(victim...))
			h.checkEnd("killed before: "+name, func() { r.signal(syscall.SIGTERM) }, stay...)
			r.exits(143)
		})
	}
}
