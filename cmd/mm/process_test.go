//go:build unix

package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func mkfifo(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

// readPid reads a process id that a command writes into a FIFO; it waits for the command.
func readPid(t *testing.T, fifo string) int {
	t.Helper()
	b, err := os.ReadFile(fifo)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// goneWithin is how long what hangs below an mm may live on after its end.
const goneWithin = 2 * time.Second

// waitGone waits until a process is gone.
func waitGone(t *testing.T, pid int) time.Duration {
	t.Helper()
	start := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for alive(pid) {
		if time.Since(start) > goneWithin {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d is still there after %v", pid, goneWithin)
		}
		<-tick.C
	}
	return time.Since(start)
}

// alive reports whether a process runs; one that has ended and waits to be reaped doesn't.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	after := b[strings.LastIndexByte(string(b), ')')+1:]
	return len(after) > 1 && after[1] != 'Z' && after[1] != 'X'
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
