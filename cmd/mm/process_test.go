//go:build unix

package main

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/mmtest"
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

// waitGone waits until a process is gone, which mm promises.
func waitGone(t *testing.T, pid int) {
	t.Helper()
	start := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for mmtest.Alive(pid) {
		if time.Since(start) > mmtest.Promised {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			t.Fatalf("process %d is still there after %v", pid, mmtest.Promised)
		}
		<-tick.C
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
