//go:build linux || darwin

package proc

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What runs under a guard is gone within two seconds of a SIGKILL of its mm (supplement 4).
func TestKilledMMLeavesNothing(t *testing.T) {
	scripts := map[string]string{"plain": `sh -c 'echo $$ >>"$PIDS"; sleep 300; :'`}
	for name, test := range stubborn {
		scripts[name] = test.script
	}
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			need(t, stubborn[name].needs)
			spec, pids := shell(t, "", script)
			t.Setenv("PIDS", string(pids))
			mm := startMM(t, append([]string{spec.Path}, spec.Args...)...)
			all := pids.wait(t, max(1, stubborn[name].pids))
			family := newFamily(mm.Process.Pid, "")
			for _, e := range family.look() {
				if e.pid != mm.Process.Pid && e.parent != os.Getpid() {
					all = append(all, e.pid) // the guard and all below
				}
			}
			if err := mm.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			t.Logf("gone after %v", gone(t, slices.Compact(slices.Sorted(slices.Values(all))), 2*time.Second))
		})
	}
}

// Guards below guards: each sees its own mm die, so the times add up.
func TestKilledMMLeavesNothingTwoLevelsDown(t *testing.T) {
	inner := `trap '' TERM; echo $$ >>"$PIDS"; sleep 300; sleep 300`
	spec, pids := shell(t, "", inner)
	t.Setenv("PIDS", string(pids))
	mm := startMM(t, os.Args[0], "--mm", os.Args[0], "--mm", spec.Path, "-c", inner)
	all := pids.wait(t, 1)
	for _, e := range newFamily(mm.Process.Pid, "").look() {
		if e.pid != mm.Process.Pid {
			all = append(all, e.pid)
		}
	}
	if err := mm.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	t.Logf("gone after %v", gone(t, all, 2*time.Second))
}

func TestKilledMMWhileItStarts(t *testing.T) {
	spec, pids := shell(t, "", `echo $$ >>"$PIDS"; sleep 300; sleep 300`)
	for i := range 20 {
		mm, err := os.StartProcess(os.Args[0], append([]string{os.Args[0], "--mm", spec.Path}, spec.Args...),
			&os.ProcAttr{Env: spec.Env, Files: []*os.File{nil, nil, nil}, Sys: ownSession()})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i) * 3 * time.Millisecond) // a different moment of its start each time
		family := newFamily(mm.Pid, "")
		family.look()
		_ = mm.Kill()
		_, _ = mm.Wait()
		if left := family.poll(2*time.Second, func([]entry) {}); len(left) > 0 {
			t.Fatalf("killed after %d ms: %+v live", i*3, left)
		}
	}
	data, _ := os.ReadFile(string(pids))
	t.Logf("%d of 20 had started their command", strings.Count(string(data), "\n"))
	gone(t, pids.wait(t, 0), 2*time.Second)
}

func TestKilledMMLeavesBackgroundTasksOfEndedCommands(t *testing.T) {
	spec, pids := shell(t, "", `nohup sleep 300 >/dev/null 2>&1 & echo $! >>"$PIDS"`)
	t.Setenv("PIDS", string(pids))
	mm := startMM(t, append([]string{spec.Path}, spec.Args...)...)
	task := pids.wait(t, 1)
	t.Cleanup(func() { _ = syscall.Kill(task[0], syscall.SIGKILL) })
	eventually(t, 5*time.Second, func() string {
		if e, ok := lookUp(task[0]); ok && e.parent == mm.Process.Pid {
			return "unexpected parent"
		}
		for _, e := range processes() {
			if e.parent == mm.Process.Pid && !e.dead {
				return "the guard is still there"
			}
		}
		return ""
	})
	if err := mm.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = mm.Wait()
	if len(living(task)) != 1 {
		t.Error("the background task is gone")
	}
}

// Somebody may kill a guard, for instance the kernel when memory runs out.
func TestKilledGuardLeavesNothing(t *testing.T) {
	spec, pids := shell(t, os.Args[0], `sleep 300 & echo $! >>"$PIDS"; echo $$ >>"$PIDS"; trap '' TERM; wait; sleep 300`)
	p := start(t, spec)
	all := pids.wait(t, 2)
	if err := p.os.Kill(); err != nil {
		t.Fatal(err)
	}
	if got := finished(t, p); got.Signal != syscall.SIGKILL {
		t.Errorf("ended by %v", got)
	}
	gone(t, all, 2*time.Second)
}

// TestGuardsAreNeverStopped: an mm that was killed between the stop and what lets the members go on
// left its guards stopped, and all below them alive.
func TestGuardsAreNeverStopped(t *testing.T) {
	spec, pids := shell(t, os.Args[0], `sleep 300 & echo $! >>"$PIDS"; echo $$ >>"$PIDS"; wait`)
	p := start(t, spec)
	all := pids.wait(t, 2)
	held := commands(p.family.look())
	for _, e := range held {
		if e.pid == p.os.Pid {
			t.Error("the guard would be stopped")
		}
	}
	for _, pid := range all {
		if !slices.ContainsFunc(held, func(e entry) bool { return e.pid == pid }) {
			t.Errorf("%d of the command isn't held while all get their signal", pid)
		}
	}
	// Whatever is stopped when mm dies is ended by the guard.
	p.family.signal(held, stopSignal)
	_ = p.link.lifeline.Close()
	gone(t, append(all, p.os.Pid), 5*time.Second)
}

// A launcher that has died leaves its program to a guard that has to stay: an agent's or a server's,
// and anybody's once End was called, since who called it may be killed before all is gone.
func TestTheGuardStaysForWhatIsLeft(t *testing.T) {
	for name, tell := range map[string]func(p *Process){"whole": func(*Process) {}, "ending": func(p *Process) { p.link.hold() }} {
		t.Run(name, func(t *testing.T) {
			spec, pids := shell(t, os.Args[0], `sh -c 'trap "" TERM; echo $$ >>"$PIDS"; sleep 300; sleep 300'; :`)
			spec.Whole = name == "whole"
			p := start(t, spec)
			left := pids.wait(t, 1)
			tell(p)
			if err := syscall.Kill(p.Pid(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if got := finished(t, p); got.Signal != syscall.SIGKILL {
				t.Errorf("ended by %v", got)
			}
			all := append(left, p.os.Pid)
			if len(living(all)) != 2 {
				t.Fatal("the program and its guard are to be there")
			}
			p.link.close() // as the death of mm does
			gone(t, left, 2*time.Second)
		})
	}
}

// daemon is a script that leaves a daemon, with a session of its own and no parent, and goes on.
const daemon = `(setsid sh -c 'echo $$ >>"$PIDS"; exec env -i sleep 300' &); `

// What has made itself a daemon is ended with the command that started it, as long as that runs.
func TestDaemonsOfWhatStillRuns(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("orphans aren't adopted on " + runtime.GOOS)
	}
	need(t, "setsid")
	for name, end := range map[string]func(p *Process){
		"End":            func(p *Process) { _ = p.End(Grace{Term: time.Second}) },
		"Kill":           func(p *Process) { _ = p.Kill() },
		"the mm's death": func(p *Process) { _ = p.link.lifeline.Close() },
		"after a crash": func(p *Process) {
			_ = syscall.Kill(p.Pid(), syscall.SIGKILL)
			<-p.Done()
			_ = p.End(patient)
		},
		"the mm's death after a crash": func(p *Process) {
			_ = syscall.Kill(p.Pid(), syscall.SIGKILL)
			<-p.Done()
			_ = p.link.lifeline.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			spec, pids := shell(t, os.Args[0], daemon+`sleep 300; :`)
			spec.Whole = strings.Contains(name, "crash")
			p := start(t, spec)
			left := pids.wait(t, 1)
			end(p)
			gone(t, left, 2*time.Second)
		})
	}
}

// What a command has left lives on when it has ended, also below the guard of another mm.
func TestDaemonsOfFinishedCommands(t *testing.T) {
	need(t, "setsid")
	t.Run("of this mm", func(t *testing.T) {
		spec, pids := shell(t, os.Args[0], daemon)
		p := start(t, spec)
		left := pids.wait(t, 1)
		t.Cleanup(func() { _ = syscall.Kill(left[0], syscall.SIGKILL) })
		finished(t, p)
		endNow(t, p, patient)
		if len(living(left)) == 0 {
			t.Error("it is gone")
		}
	})
	t.Run("of one below", func(t *testing.T) {
		spec, pids := shell(t, os.Args[0], `export `+taskVariable+`=1; (setsid sh -c 'echo $$ >>"$PIDS"; sleep 300; :' &); sleep 300; :`)
		spec.Whole = true
		p := start(t, spec)
		left := pids.wait(t, 1)
		t.Cleanup(func() { _ = syscall.Kill(-left[0], syscall.SIGKILL) })
		_ = p.Kill()
		if len(living(left)) == 0 {
			t.Error("it is gone")
		}
	})
}

func TestTheGuardIgnoresSignals(t *testing.T) {
	p := start(t, Spec{Path: "cat", StdinPipe: true, Guard: os.Args[0]})
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT} {
		if err := p.os.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	endNow(t, p, patient)
	if got := finished(t, p); !got.Success() {
		t.Errorf("ended by %v", got)
	}
}

func BenchmarkStart(b *testing.B) {
	for name, guard := range map[string]string{"alone": "", "guarded": os.Args[0]} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				p, err := Start(Spec{Path: "true", Guard: guard, Stderr: os.Stderr})
				if err != nil {
					b.Fatal(err)
				}
				<-p.Done()
			}
		})
	}
}
