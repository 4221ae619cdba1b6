//go:build linux

package faults

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/mmtest"
)

// house is a folder with agent files and the family of what runs there.
type house struct {
	*mmtest.Family
	t      testing.TB
	dir    string
	binary string

	mu      sync.Mutex
	started []*running // guarded by mu
}

// newHouse writes agent files. The binary is one of mm, racedMM and crashingMM.
func newHouse(t testing.TB, binary string, files map[string]string) *house {
	t.Helper()
	h := &house{t: t, dir: mmtest.Folder(t, files), binary: binary}
	h.Family = mmtest.NewFamily(t)
	t.Cleanup(func() { mmtest.CheckRaces(t, h.raceLog()) })
	return h
}

// raceLog is where the race detector writes; its own settings take no odd characters.
func (h *house) raceLog() string {
	return filepath.Join(built.Dir, "race-"+h.ID())
}

// path is a file of the house.
func (h *house) path(name string) string { return filepath.Join(h.dir, name) }

// env is the environment of all that runs in the house.
func (h *house) env(more ...string) []string {
	env := append(os.Environ(), "HOME="+h.dir, h.Env(), "D="+h.dir, "TERM=dumb", "NO_COLOR=1",
		mmtest.RaceEnv(h.raceLog()))
	return append(env, more...)
}

// command is mm with arguments.
func (h *house) command(args ...string) *exec.Cmd {
	cmd := exec.Command(h.binary, args...)
	cmd.Args[0] = "mm"
	cmd.Dir = h.dir
	cmd.Env = h.env()
	return cmd
}

// exited is how an mm that ran has ended.
type exited struct {
	status         int
	stdout, stderr string
}

// run runs mm to its end.
func (h *house) run(args ...string) exited {
	h.t.Helper()
	r := h.start(h.command(args...))
	r.wait()
	return exited{r.cmd.ProcessState.ExitCode(), r.stdout.String(), r.stderr.String()}
}

// running is an mm at work, without a terminal.
type running struct {
	t              testing.TB
	cmd            *exec.Cmd
	stdout, stderr mmtest.Buffer
	done           chan struct{}
}

// start starts a command; its output is kept where it doesn't go elsewhere.
func (h *house) start(cmd *exec.Cmd) *running {
	h.t.Helper()
	r := &running{t: h.t, cmd: cmd, done: make(chan struct{})}
	if cmd.Stdout == nil {
		cmd.Stdout = &r.stdout
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &r.stderr
	}
	// A process that is left behind holds the pipes; it is told by name elsewhere.
	cmd.WaitDelay = 100 * time.Millisecond
	if err := cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	go func() {
		defer close(r.done)
		if err := cmd.Wait(); err != nil && !isExit(err) && !errors.Is(err, exec.ErrWaitDelay) {
			r.t.Errorf("waiting for mm: %v", err)
		}
	}()
	h.note(r)
	h.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-r.done
		if h.t.Failed() {
			h.t.Logf("mm %s\nstdout: %s\nstderr: %s", strings.Join(cmd.Args[1:], " "), mmtest.Clip(r.stdout.String()), mmtest.Clip(r.stderr.String()))
		}
	})
	return r
}

func (h *house) note(r *running) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.started = append(h.started, r)
}

// seen waits until the mm that was started last has said something.
func (h *house) seen(text string) {
	mmtest.Wait(h.t, text+" is seen", func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		n := len(h.started)
		return n > 0 && strings.Contains(h.started[n-1].stdout.String(), text)
	})
}

func isExit(err error) bool {
	_, ok := errors.AsType[*exec.ExitError](err)
	return ok
}

// wait waits for the end.
func (r *running) wait() {
	r.t.Helper()
	select {
	case <-r.done:
	case <-time.After(mmtest.Patience):
		_ = r.cmd.Process.Signal(syscall.SIGQUIT)
		r.t.Fatalf("mm doesn't end:\n%s", r.stderr.String())
	}
}

// exits waits for the end and checks the exit status; -1 means by a signal.
func (r *running) exits(status int) {
	r.t.Helper()
	r.wait()
	if got := r.cmd.ProcessState.ExitCode(); got != status {
		r.t.Errorf("exit status %d, want %d", got, status)
	}
}

func (r *running) signal(s os.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}
