//go:build linux || darwin

package proc

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patient gives a process so much time at each step that a test which waits for it fails.
var patient = Grace{Close: time.Minute, Term: time.Minute}

func endNow(t *testing.T, p *Process, g Grace) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- p.End(g) }()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("End doesn't return")
	}
}

func TestEndClosesStdinFirst(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		p := start(t, Spec{Path: "sh", Args: []string{"-c", "cat; exit 4"}, StdinPipe: true, Guard: guard})
		endNow(t, p, patient)
		if got := finished(t, p); got.Code != 4 {
			t.Errorf("ended by %v", got)
		}
	})
}

func TestEndThenTerminates(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		spec, pids := shell(t, guard, `trap 'exit 9' TERM; echo $$ >>"$PIDS"; while :; do sleep 0.01; done`)
		p := start(t, spec)
		pids.wait(t, 1)
		endNow(t, p, Grace{Close: time.Millisecond, Term: time.Minute})
		if got := finished(t, p); got.Code != 9 {
			t.Errorf("ended by %v", got)
		}
	})
}

// Each script starts something that doesn't end on SIGTERM, or that a signal to the process group
// doesn't reach.
var stubborn = map[string]struct {
	script string
	needs  string
	pids   int
}{
	"ignores TERM":        {script: `trap '' TERM; echo $$ >>"$PIDS"; while :; do sleep 0.05; done`, pids: 1},
	"behind a launcher":   {script: `sh -c 'trap "" TERM; echo $$ >>"$PIDS"; sleep 300; sleep 300'; echo over`, pids: 1},
	"launcher that waits": {script: `sleep 300 & echo $! >>"$PIDS"; trap '' TERM; echo $$ >>"$PIDS"; wait; wait`, pids: 2},
	"own group":           {script: `timeout 300 sh -c 'echo $$ >>"$PIDS"; trap "" TERM; sleep 300; sleep 300'; :`, needs: "timeout", pids: 1},
	"job control":         {script: `set -m; sleep 300 & echo $! >>"$PIDS"; trap '' TERM; wait; sleep 300`, pids: 1},
	"own session":         {script: `setsid sh -c 'trap "" TERM; echo $$ >>"$PIDS"; sleep 300; sleep 300' & wait`, needs: "setsid", pids: 1},
	"stopped":             {script: `echo $$ >>"$PIDS"; kill -STOP $$`, pids: 1},
	"a pipeline":          {script: `sh -c 'echo $$ >>"$PIDS"; trap "" TERM; sleep 300; sleep 300' | cat`, pids: 1},
}

func TestNothingOutlivesEnd(t *testing.T) {
	for name, test := range stubborn {
		t.Run(name, func(t *testing.T) {
			need(t, test.needs)
			both(t, func(t *testing.T, guard string) {
				spec, pids := shell(t, guard, test.script)
				p := start(t, spec)
				all := append(pids.wait(t, test.pids), p.Pid())
				endNow(t, p, Grace{Term: 50 * time.Millisecond})
				if left := living(all); len(left) > 0 {
					t.Errorf("processes %v live after End", left)
				}
				finished(t, p)
			})
		})
	}
}

// A fork between the look at the processes and the signal to its parent was lost, if the parent led
// a session of its own.
func TestForksWhileKilled(t *testing.T) {
	need(t, "setsid")
	both(t, func(t *testing.T, guard string) {
		for range 5 {
			spec, pids := shell(t, guard, `setsid sh -c 'trap "" TERM; echo $$ >>"$PIDS"; i=0; while [ $i -lt 300 ]; do sleep 300 & i=$((i+1)); done; wait' & wait`)
			p := start(t, spec)
			session := pids.wait(t, 1)[0]
			endNow(t, p, Grace{Term: 5 * time.Millisecond})
			for _, e := range processes() {
				if e.session == session && !e.dead {
					t.Errorf("process %+v lives after End", e)
					sendSignal(e.pid, syscall.SIGKILL)
				}
			}
		}
	})
}

func need(t *testing.T, program string) {
	t.Helper()
	if program == "" {
		return
	}
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s isn't installed", program)
	}
}

func TestEndClearsWhatAnEndedProcessLeft(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		spec, pids := shell(t, guard, `sleep 300 & echo $! >>"$PIDS"`)
		p := start(t, spec)
		finished(t, p)
		left := pids.wait(t, 1)
		if len(living(left)) != 1 {
			t.Fatal("a background task must outlive its command until End is called")
		}
		endNow(t, p, patient)
		if left := living(left); len(left) > 0 {
			t.Errorf("processes %v live after End", left)
		}
	})
}

func TestEndsAtOnceWaitForTheSame(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		spec, pids := shell(t, guard, stubborn["ignores TERM"].script)
		p := start(t, spec)
		all := pids.wait(t, 1)
		var callers sync.WaitGroup
		for range 8 {
			callers.Go(func() {
				if err := p.End(Grace{Term: 30 * time.Millisecond}); err != nil {
					t.Error(err)
				}
				if left := living(all); len(left) > 0 {
					t.Errorf("processes %v live after End", left)
				}
			})
		}
		callers.Wait()
	})
}

func TestKillHastensEnd(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		spec, pids := shell(t, guard, stubborn["ignores TERM"].script)
		p := start(t, spec)
		all := pids.wait(t, 1)
		ended := make(chan error, 1)
		go func() { ended <- p.End(patient) }()
		if err := p.Kill(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if left := living(all); len(left) > 0 {
			t.Errorf("processes %v live", left)
		}
		if got := finished(t, p); got.Signal != syscall.SIGKILL {
			t.Errorf("ended by %v", got)
		}
	})
}

func TestEndUnblocksAWriter(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		p := start(t, Spec{Path: "sleep", Args: []string{"300"}, StdinPipe: true, Guard: guard})
		wrote := make(chan error, 1)
		go func() {
			_, err := p.Stdin.Write(make([]byte, 1<<20))
			wrote <- err
		}()
		endNow(t, p, Grace{})
		if err := <-wrote; err == nil {
			t.Error("a megabyte went into a pipe that nobody reads")
		}
	})
}

// A process that left the family may hold the pipes of its ancestor for ever.
func TestPipesHeldOpenDontHang(t *testing.T) {
	need(t, "setsid")
	both(t, func(t *testing.T, guard string) {
		spec, pids := shell(t, guard, `setsid sh -c 'echo $$ >>"$PIDS"; sleep 300; :' & sleep 0.1; echo out; echo err >&2`)
		spec.StdoutPipe, spec.StdinPipe = true, true
		p := start(t, spec)
		holder := pids.wait(t, 1)[0]
		t.Cleanup(func() { _ = syscall.Kill(-holder, syscall.SIGKILL) })
		finished(t, p)
		if got := readAll(t, p.Stdout); got != "out\n" {
			t.Errorf("stdout %q", got)
		}
		if got := p.Tail(); got != "err" {
			t.Errorf("tail %q", got)
		}
		endNow(t, p, patient)
		if len(living([]int{holder})) == 0 {
			t.Error("a daemon isn't to be touched")
		}
	})
}

// A server that ends by itself when its stdin closes may leave a helper in a session of its own, which
// has no parent any more then.
func TestAPoliteEndLeavesNoHelper(t *testing.T) {
	need(t, "setsid")
	both(t, func(t *testing.T, guard string) {
		spec, pids := shell(t, guard, `setsid sh -c 'echo $$ >>"$PIDS"; exec sleep 300' & cat`)
		spec.StdinPipe, spec.Whole = true, guard != ""
		p := start(t, spec)
		helper := pids.wait(t, 1)
		if err := p.End(patient); err != nil {
			t.Error(err)
		}
		if got := finished(t, p); !got.Success() {
			t.Errorf("ended by %v", got)
		}
		gone(t, helper, 0)
	})
}

func TestASlowReaderLosesNothing(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		p := start(t, Spec{Path: "sh", Args: []string{"-c", "printf %060000d 7"}, StdoutPipe: true, Guard: guard})
		finished(t, p)
		buf := make([]byte, 10_000)
		total := 0
		for {
			time.Sleep(holdTime / 4) // slower than the time the pipe is waited for, all in all
			n, err := p.Stdout.Read(buf)
			total += n
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if total != 60_000 {
			t.Errorf("read %d bytes of 60000", total)
		}
	})
}

func TestClosedStdoutIsSeen(t *testing.T) {
	both(t, func(t *testing.T, guard string) {
		p := start(t, Spec{Path: "sh", Args: []string{"-c", "echo last; exec >&-; sleep 300"}, StdoutPipe: true, Guard: guard})
		if got := readAll(t, p.Stdout); got != "last\n" {
			t.Errorf("stdout %q", got)
		}
		select {
		case <-p.Done():
			t.Error("the process has ended")
		default:
		}
	})
}

func TestTailIsBounded(t *testing.T) {
	const script = `i=0; while [ $i -lt 300 ]; do echo "line $i" >&2; i=$((i+1)); done; head -c 3000000 /dev/zero | tr '\0' x >&2; echo >&2; echo last >&2`
	p := start(t, Spec{Path: "sh", Args: []string{"-c", script}})
	finished(t, p)
	if got := p.Tail(); !strings.HasSuffix(got, "last") || len(got) > tailBytes {
		t.Errorf("%d bytes, ending in %q", len(got), got[max(0, len(got)-20):])
	}
	q := start(t, Spec{Path: "sh", Args: []string{"-c", `i=0; while [ $i -lt 300 ]; do echo "line $i" >&2; i=$((i+1)); done`}})
	finished(t, q)
	if got := strings.Split(q.Tail(), "\n"); len(got) != tailLines || got[0] != "line 260" || got[39] != "line 299" {
		t.Errorf("%d lines: %q", len(got), got)
	}
}

func TestAPanicIsFound(t *testing.T) {
	const script = `echo before >&2; printf 'pan' >&2; sleep 0.05; echo 'ic: runtime error: index out of range [3]' >&2
		echo >&2; i=0; while [ $i -lt 5000 ]; do echo "goroutine $i [running]:" >&2; i=$((i+1)); done; exit 2`
	p := start(t, Spec{Path: "sh", Args: []string{"-c", script}})
	finished(t, p)
	const want = "panic: runtime error: index out of range [3]"
	if p.Panic() != want || !strings.HasPrefix(p.Tail(), want+"\n[...]\n") || !strings.HasSuffix(p.Tail(), "goroutine 4999 [running]:") {
		t.Errorf("panic %q, tail %.200q", p.Panic(), p.Tail())
	}
}

func TestNoDescriptorIsLeft(t *testing.T) {
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip("descriptors are listed in /proc/self/fd, which this system doesn't have")
	}
	count := func() int {
		names, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	both(t, func(t *testing.T, guard string) {
		finished(t, start(t, Spec{Path: "true", StdinPipe: true, StdoutPipe: true})) // the runtime opens some on first use
		before := count()
		for range 20 {
			p, err := Start(Spec{Path: "cat", StdinPipe: true, StdoutPipe: true, Guard: guard})
			if err != nil {
				t.Fatal(err)
			}
			endNow(t, p, patient)
			readAll(t, p.Stdout)
			if _, err := Start(Spec{Path: "/no/such", StdinPipe: true, StdoutPipe: true, Guard: guard}); err == nil {
				t.Fatal("it started")
			}
		}
		if after := count(); after > before {
			t.Errorf("%d descriptors before, %d after", before, after)
		}
	})
}
