package acptest

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"sync"
	"testing"
	"time"
)

// exitTime is how long an agent may take to exit once its stdin is closed.
const exitTime = 5 * time.Second

// process is a started agent.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	stderr buffer
}

// peer is the client's end of an agent's streams: Close closes the agent's stdin, Wait waits until
// its stdout has ended.
type peer interface {
	Close() error
	Wait()
}

func launch(t testing.TB, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{cmd: cmd}
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.stdout, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &p.stderr
	}
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatalf("acptest: starting the agent: %v", err)
	}
	return p
}

// Start starts an agent and connects an Editor to it. At the test's end the agent's stdin is
// closed, and it must exit and let go of its stdout within 5 s; if not, the test fails and the
// agent's process group is killed. What it wrote to stderr is logged when the test fails.
func Start(t testing.TB, cmd *exec.Cmd, o Options) *Editor {
	t.Helper()
	p := launch(t, cmd)
	// stdout stays open until the agent has gone, so that all it writes is seen.
	e := connect(t, p.stdout, p.stdin, p.stdin.Close, o)
	t.Cleanup(func() { p.end(t, e.Conn) })
	return e
}

// end closes an agent's stdin and waits until it and its stdout have ended.
func (p *process) end(t testing.TB, peer peer) {
	t.Helper()
	if err := peer.Close(); err != nil {
		t.Errorf("acptest: %v", err)
	}
	done := make(chan error, 1)
	go func() {
		peer.Wait()
		done <- p.cmd.Wait()
	}()
	var err error
	select {
	case err = <-done:
	case <-time.After(exitTime):
		t.Errorf("acptest: the agent, or something below it, is still there %v after its stdin was closed", exitTime)
		killGroup(p.cmd)
		err = <-done
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		t.Logf("acptest: the agent ended with %v", exit)
	} else if err != nil {
		t.Errorf("acptest: %v", err)
	}
	if t.Failed() {
		t.Logf("acptest: stderr of the agent:\n%s", &p.stderr)
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
