//go:build linux

package faults

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// binaries are the builds of mm that the tests run. Each is made at its first use.
type binaries struct {
	dir string

	mu    sync.Mutex
	built map[string]error // guarded by mu: by name
}

// built belongs to the test process: a build serves all tests.
var built = binaries{built: map[string]error{}}

// mm is mm as it is shipped: where times and memory are measured.
func mm(t testing.TB) string { return built.build(t, "mm") }

// racedMM is mm with the race detector, when the tests have it, too. What it finds fails the test.
func racedMM(t testing.TB) string {
	if !raced {
		return mm(t)
	}
	return built.build(t, "mm-race", "-race")
}

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
	source := filepath.Join(built.dir, "crash.go")
	overlay := filepath.Join(built.dir, "overlay.json")
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
	return built.build(t, "mm-crash", "-overlay", overlay)
}

func (b *binaries) build(t testing.TB, name string, flags ...string) string {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	path := filepath.Join(b.dir, name)
	err, done := b.built[name]
	if !done {
		args := append([]string{"build", "-o", path}, flags...)
		cmd := exec.Command("go", append(args, "./cmd/mm")...)
		cmd.Dir = "../.."
		var out []byte
		if out, err = cmd.CombinedOutput(); err != nil {
			t.Logf("%s", out)
		}
		b.built[name] = err
	}
	if err != nil {
		t.Fatalf("building %s: %v", name, err)
	}
	return path
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
