//go:build unix

package mmtest

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"
)

const (
	// Patience is how long a test waits for what must come: only a hang reaches it.
	Patience = 60 * time.Second
	// Promised is how long anything may live on below an mm that has ended (supplement 4).
	Promised = 2 * time.Second
)

// Wait waits until f is true.
func Wait(t testing.TB, what string, f func() bool) {
	t.Helper()
	limit := time.Now().Add(Patience)
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for !f() {
		if time.Now().After(limit) {
			t.Fatalf("waited %v in vain: %s", Patience, what)
		}
		<-tick.C
	}
}

// Alive reports whether a process runs; one that has ended and waits to be reaped doesn't.
func Alive(pid int) bool { return syscall.Kill(pid, 0) == nil && !dying(pid) }

// dying reports whether a process has ended and only waits to be reaped, where the system tells.
func dying(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return syscall.Kill(pid, 0) != nil
	}
	after := b[bytes.LastIndexByte(b, ')')+1:]
	return len(after) > 1 && (after[1] == 'Z' || after[1] == 'X')
}
