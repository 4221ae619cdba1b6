package acptest

import (
	"bytes"
	"errors"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/acp"
)

// exitTime is how long an agent may take to exit once its stdin is closed.
const exitTime = 5 * time.Second

// Start starts an agent and connects an Editor to it. At the test's end the agent's stdin is
// closed, and it must exit and let go of its stdout within 5 s; if not, the test fails and the
// agent's process group is killed. What it wrote to stderr is logged when the test fails.
func Start(t testing.TB, cmd *exec.Cmd, o Options) *Editor {
	t.Helper()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr buffer
	if cmd.Stderr == nil {
		cmd.Stderr = &stderr
	}
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatalf("acptest: starting the agent: %v", err)
	}
	// stdout stays open until the agent has gone, so that all it writes is seen.
	e := connect(t, stdout, stdin, stdin.Close, o)
	t.Cleanup(func() { end(t, cmd, e.Conn, &stderr) })
	return e
}

// end closes an agent's stdin and waits until it and its stdout have ended.
func end(t testing.TB, cmd *exec.Cmd, conn *acp.Conn, stderr *buffer) {
	t.Helper()
	if err := conn.Close(); err != nil {
		t.Errorf("acptest: %v", err)
	}
	done := make(chan error, 1)
	go func() {
		conn.Wait()
		done <- cmd.Wait()
	}()
	var err error
	select {
	case err = <-done:
	case <-time.After(exitTime):
		t.Errorf("acptest: the agent, or something below it, is still there %v after its stdin was closed", exitTime)
		killGroup(cmd)
		err = <-done
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Logf("acptest: the agent ended with %v", exit)
	} else if err != nil {
		t.Errorf("acptest: %v", err)
	}
	if t.Failed() {
		t.Logf("acptest: stderr of the agent:\n%s", stderr)
	}
}

// buffer keeps the last 64 KiB that were written to it.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer // guarded by mu
}

// Write keeps what there is room for.
func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b.Write(p)
	if over := b.b.Len() - 64<<10; over > 0 {
		b.b.Next(over)
	}
	return len(p), nil
}

// String returns what was kept.
func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
