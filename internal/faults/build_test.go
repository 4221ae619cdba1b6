//go:build linux

package faults

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mini-me/mm/internal/mmtest"
)

// built belongs to the test process: a build serves all tests.
var built *mmtest.Builds

func mm(t testing.TB) string      { return built.MM(t) }
func racedMM(t testing.TB) string { return built.Raced(t) }

// crash is added to mm so that a test can make it panic: in a goroutine of its own, as a fault
// somewhere in mm would.
const crash = `package main

import (
	"os"
	"os/signal"
	"syscall"
)

func init() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	go func() {
		<-c
		panic("as the test wants it")
	}()
}
`

// crashingMM is mm that panics on SIGUSR1.
func crashingMM(t testing.TB) string {
	source := filepath.Join(built.Dir, "crash.go")
	overlay := filepath.Join(built.Dir, "overlay.json")
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	table, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "cmd/mm/crash.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{source: crash, overlay: string(table)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return built.Build(t, "mm-crash", "-overlay", overlay)
}

// self is the test binary, for agents and guards.
func self(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
