//go:build linux

package mmtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// markEnv marks all processes of one test.
const markEnv = "MM_TEST_MARK"

// Family is all that a test starts, with all below it: the processes with its mark.
type Family struct {
	t    testing.TB
	mark string // an environment variable
}

// NewFamily makes the mark of a test. What still carries it 2 s after the test is a fault, and is
// killed.
func NewFamily(t testing.TB) *Family {
	f := &Family{t: t, mark: fmt.Sprintf("%s=%d-%d", markEnv, os.Getpid(), time.Now().UnixNano())}
	t.Cleanup(func() { f.Gone(time.Now()) })
	return f
}

// Process is one member of a family.
type Process struct {
	PID  int
	Line string // its command line
}

// String is the process for a person.
func (p Process) String() string { return fmt.Sprintf("%d (%s)", p.PID, p.Line) }

// Members are the processes with the mark that live, except those given. One that has ended and
// waits to be reaped has no environment any more.
func (f *Family) Members(except ...int) []Process {
	var list []Process
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil || pid == os.Getpid() || slices.Contains(except, pid) {
			continue
		}
		env, err := os.ReadFile(dir + "/environ")
		if err != nil || !f.marked(env) {
			continue
		}
		line, _ := os.ReadFile(dir + "/cmdline")
		if dying(pid) {
			continue
		}
		list = append(list, Process{pid, strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))})
	}
	return list
}

// ID tells the family from all others.
func (f *Family) ID() string { return strings.TrimPrefix(f.mark, markEnv+"=") }

// Env is the mark, for the environment of what the test starts.
func (f *Family) Env() string { return f.mark }

func (f *Family) marked(env []byte) bool {
	return slices.ContainsFunc(bytes.Split(env, []byte{0}), func(kv []byte) bool { return string(kv) == f.mark })
}

// Gone waits until no member is left, except those given, and returns how long that took. Longer
// than Promised is a fault; what is there after that is named and killed. Between two looks at all
// processes only the ones known are looked at, so that measuring takes little of what it measures.
func (f *Family) Gone(since time.Time, except ...int) time.Duration {
	f.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	left, late := f.Members(except...), []Process(nil)
	for {
		left = slices.DeleteFunc(left, func(p Process) bool { return !Alive(p.PID) })
		d := time.Since(since)
		if len(left) == 0 {
			if left = f.Members(except...); len(left) == 0 {
				if d > Promised {
					f.t.Errorf("gone after %v only, promised are %v: %v", d, Promised, late)
				}
				return d
			}
		}
		switch {
		case d > 5*Promised:
			for _, p := range left {
				f.t.Logf("%v:\n%s", p, inspect(p.PID))
				_ = syscall.Kill(p.PID, syscall.SIGKILL)
			}
			f.t.Fatalf("still there after %v: %v", d, left)
		case d > Promised && late == nil:
			late = slices.Clone(left)
		}
		<-tick.C
	}
}

// inspect says what a process that doesn't end is about: its state, its parent, and what it has open
// with whom.
func inspect(pid int) string {
	var b strings.Builder
	dir := fmt.Sprintf("/proc/%d/", pid)
	text, _ := os.ReadFile(dir + "status")
	for l := range strings.Lines(string(text)) {
		if strings.HasPrefix(l, "State") || strings.HasPrefix(l, "PPid") || strings.HasPrefix(l, "Sig") || strings.HasPrefix(l, "Threads") {
			b.WriteString(l)
		}
	}
	files, _ := filepath.Glob(dir + "fd/*")
	for _, file := range files {
		to, _ := os.Readlink(file)
		fmt.Fprintf(&b, "%s → %s", filepath.Base(file), to)
		if strings.HasPrefix(to, "pipe:") {
			fmt.Fprintf(&b, " also at %v", holders(to))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// holders are the processes that have a pipe open.
func holders(pipe string) (list []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, file := range files {
		if to, _ := os.Readlink(file); to == pipe {
			list = append(list, strings.TrimPrefix(file, "/proc/"))
		}
	}
	return list
}

// Find waits for a member whose command line has all the given parts and returns its pid.
func (f *Family) Find(parts ...string) int {
	f.t.Helper()
	found := 0
	Wait(f.t, "a process "+strings.Join(parts, " … "), func() bool {
		for _, p := range f.Members() {
			if !slices.ContainsFunc(parts, func(s string) bool { return !strings.Contains(p.Line, s) }) {
				found = p.PID
				return true
			}
		}
		return false
	})
	return found
}

// Count is how many members have all the given parts in their command line.
func (f *Family) Count(parts ...string) int {
	n := 0
	for _, p := range f.Members() {
		if !slices.ContainsFunc(parts, func(s string) bool { return !strings.Contains(p.Line, s) }) {
			n++
		}
	}
	return n
}
