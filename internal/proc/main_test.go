//go:build linux || darwin

package proc

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// The test binary also plays an mm (for a test that kills it) and a guard.
func TestMain(m *testing.M) {
	Main()
	if len(os.Args) > 1 && os.Args[1] == "--mm" {
		playMM(os.Args[2:])
		return
	}
	if len(os.Args) > 1 && os.Args[1] == "--interrupted" {
		playInterrupted()
		return
	}
	goleak.VerifyTestMain(m)
}

// playMM starts its arguments under a guard, says so, and waits to be killed.
func playMM(argv []string) {
	guard, err := Self()
	if err == nil {
		_, err = Start(Spec{Path: argv[0], Args: argv[1:], Guard: guard, Stderr: os.Stderr})
	}
	fmt.Println("started", err)
	select {}
}

// startMM starts an mm that runs the arguments under a guard, and returns when it does.
func startMM(t *testing.T, argv ...string) *exec.Cmd {
	t.Helper()
	mm := exec.Command(os.Args[0], append([]string{"--mm"}, argv...)...)
	mm.Stderr = os.Stderr
	out, err := mm.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mm.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = mm.Process.Kill(); _ = mm.Wait() })
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "started <nil>\n" {
		t.Fatalf("the mm said %q", line)
	}
	return mm
}

// both runs a test without and with a guard.
func both(t *testing.T, f func(t *testing.T, guard string)) {
	t.Run("alone", func(t *testing.T) { f(t, "") })
	t.Run("guarded", func(t *testing.T) { f(t, os.Args[0]) })
}

// start starts a process that is ended with the test.
func start(t *testing.T, spec Spec) *Process {
	t.Helper()
	p, err := Start(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Kill(); err != nil {
			t.Error(err)
		}
		if p.Stdout != nil {
			_ = p.Stdout.Close()
		}
	})
	return p
}

// shell is a Spec that runs a script; it writes pids to keep an eye on to "$PIDS".
func shell(t *testing.T, guard, script string) (Spec, pidFile) {
	pids := pidFile(filepath.Join(t.TempDir(), "pids"))
	return Spec{
		Path: "sh", Args: []string{"-c", script}, Guard: guard,
		Env: append(os.Environ(), "PIDS="+string(pids)),
	}, pids
}

// pidFile is a file of pids, one a line.
type pidFile string

// wait returns the pids when there are n.
func (f pidFile) wait(t *testing.T, n int) []int {
	t.Helper()
	var pids []int
	eventually(t, 10*time.Second, func() string {
		pids = pids[:0]
		data, _ := os.ReadFile(string(f))
		for line := range strings.Lines(string(data)) {
			if pid, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && strings.HasSuffix(line, "\n") {
				pids = append(pids, pid)
			}
		}
		if len(pids) < n {
			return fmt.Sprintf("%d of %d processes have started", len(pids), n)
		}
		return ""
	})
	return pids
}

// living returns those of the pids that run.
func living(pids []int) (alive []int) {
	for _, pid := range pids {
		if e, ok := lookUp(pid); ok && !e.dead {
			alive = append(alive, pid)
		}
	}
	return alive
}

// gone fails the test unless the processes are gone within the time, and returns how long it took.
func gone(t *testing.T, pids []int, within time.Duration) time.Duration {
	t.Helper()
	begin := time.Now()
	eventually(t, within, func() string {
		if left := living(pids); len(left) > 0 {
			return fmt.Sprintf("processes %v live", left)
		}
		return ""
	})
	return time.Since(begin)
}

// eventually waits until wrong returns "".
func eventually(t *testing.T, within time.Duration, wrong func() string) {
	t.Helper()
	for end := time.Now().Add(within); ; time.Sleep(2 * time.Millisecond) {
		what := wrong()
		if what == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("after %v: %s", within, what)
		}
	}
}

// finished fails the test unless the process is done in time.
func finished(t *testing.T, p *Process) Exit {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the process doesn't end")
	}
	return p.Exit()
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
