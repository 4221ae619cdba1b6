//go:build linux

package faults

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/mmtest"
)

const mib = 1 << 10 // in the KiB of /proc

// TestALongLine: a line of 60 MB is read, one of 70 MB is skipped, and mm holds no more memory than
// it takes to pass one on.
func TestALongLine(t *testing.T) {
	h := newHouse(t, mm(t), withFake(t, "", ""))
	c, r := h.client(clientOptions{})
	id := c.newSession()
	for _, n := range []int{60_000_000, 70_000_000} {
		a := c.ended(c.prompt(id, fmt.Sprintf("/ask-fake long %d; say after", n)))
		if a.err != nil || a.reason != "end_turn" {
			t.Errorf("%d bytes: %+v", n, a)
		}
	}
	peak := status(t, r.cmd.Process.Pid, "VmHWM") / mib
	note(t, "memory of mm while a child sends a line of 60 MB, peak (MiB)", float64(peak))
	if peak > 400 {
		t.Errorf("%d MiB", peak)
	}
}

// TestAnAnswerOf60MB is cut, and says so.
func TestAnAnswerOf60MB(t *testing.T) {
	h := newHouse(t, mm(t), withFake(t, "", ""))
	e := h.run("--ask", "fake", "long 60000000")
	const kept = 8 << 20
	want := fmt.Sprintf("x\n[... %d more characters]\n", 60_000_000-kept)
	if e.status != 0 || len(e.stdout) != kept-1+len(want) || !strings.HasSuffix(e.stdout, want) {
		t.Errorf("status %d, %d bytes: %s", e.status, len(e.stdout), mmtest.Clip(e.stdout))
	}
}

// TestMuchToKeep: what an agent begins and never ends doesn't add up.
func TestMuchToKeep(t *testing.T) {
	h := newHouse(t, mm(t), withFake(t, "", ""))
	c, r := h.client(clientOptions{})
	id := c.newSession()
	if a := c.ended(c.prompt(id, "/ask-fake say ready")); a.err != nil {
		t.Fatal(a.err)
	}
	idle := status(t, r.cmd.Process.Pid, "VmRSS") / mib
	for _, trick := range []string{"open 50000", "subagents 50000", "stderr 33554432"} {
		if a := c.ended(c.prompt(id, "/ask-fake "+trick+"; say done")); a.err != nil || a.reason != "end_turn" {
			t.Errorf("%s: %+v", trick, a)
		}
	}
	more := status(t, r.cmd.Process.Pid, "VmHWM")/mib - idle
	note(t, "memory over idle: 50,000 open calls, as many sub-agents, 32 MiB on stderr, peak (MiB)", float64(more))
	if more > 64 {
		t.Errorf("%d MiB over %d", more, idle)
	}
}

// TestNoiseIsLoggedOnce: an agent that prints all its life doesn't fill the log.
func TestNoiseIsLoggedOnce(t *testing.T) {
	h := newHouse(t, racedMM(t), withFake(t, banners, ""))
	e := h.lines("/ask-fake flood 1000; say done", "/quit")
	if !strings.Contains(e.stdout, "update 999 of") {
		t.Error(mmtest.Clip(e.stdout))
	}
	log := h.file("log")
	if n := strings.Count(log, "where only ACP belongs"); n == 0 || n > 60 {
		t.Errorf("%d lines in the log: %s", n, mmtest.Clip(log))
	}
}
