//go:build linux

package faults

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

const (
	// patience is how long a test waits for what must come: only a hang reaches it.
	patience = 60 * time.Second
	// promised is how long anything may live on below an mm that has ended (supplement 4).
	promised = 2 * time.Second
	// markEnv marks all processes of one test.
	markEnv = "MM_FAULTS_MARK"
)

// wait waits until f is true.
func wait(t testing.TB, what string, f func() bool) {
	t.Helper()
	limit := time.Now().Add(patience)
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for !f() {
		if time.Now().After(limit) {
			t.Fatalf("waited %v in vain: %s", patience, what)
		}
		<-tick.C
	}
}

// family is all that a test starts, with all below it: the processes with its mark.
type family struct {
	t    testing.TB
	mark string
}

// newFamily makes the mark of a test. What still carries it 2 s after the test is a fault, and is
// killed.
func newFamily(t testing.TB) *family {
	f := &family{t: t, mark: fmt.Sprintf("%s=%d-%d", markEnv, os.Getpid(), time.Now().UnixNano())}
	t.Cleanup(func() { f.gone(time.Now()) })
	return f
}

// process is one member of a family.
type process struct {
	pid  int
	line string // its command line
}

func (p process) String() string { return fmt.Sprintf("%d (%s)", p.pid, p.line) }

// members are the processes with the mark that live, except those given. One that has ended and
// waits to be reaped has no environment any more.
func (f *family) members(except ...int) []process {
	var list []process
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
		list = append(list, process{pid, strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))})
	}
	return list
}

func (f *family) marked(env []byte) bool {
	return slices.ContainsFunc(bytes.Split(env, []byte{0}), func(kv []byte) bool { return string(kv) == f.mark })
}

// gone waits until no member is left, except those given, and returns how long that took. Longer
// than promised is a fault; what is there after that is named and killed. Between two looks at all
// processes only the ones known are looked at, so that measuring takes little of what it measures.
func (f *family) gone(since time.Time, except ...int) time.Duration {
	f.t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	left, late := f.members(except...), []process(nil)
	for {
		left = slices.DeleteFunc(left, func(p process) bool { return !alive(p.pid) })
		d := time.Since(since)
		if len(left) == 0 {
			if left = f.members(except...); len(left) == 0 {
				if d > promised {
					f.t.Errorf("gone after %v only, promised are %v: %v", d, promised, late)
				}
				return d
			}
		}
		switch {
		case d > 5*promised:
			for _, p := range left {
				f.t.Logf("%v:\n%s", p, inspect(p.pid))
				_ = syscall.Kill(p.pid, syscall.SIGKILL)
			}
			f.t.Fatalf("still there after %v: %v", d, left)
		case d > promised && late == nil:
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

// find waits for a member whose command line has all the given parts and returns its pid.
func (f *family) find(parts ...string) int {
	f.t.Helper()
	found := 0
	wait(f.t, "a process "+strings.Join(parts, " … "), func() bool {
		for _, p := range f.members() {
			if !slices.ContainsFunc(parts, func(s string) bool { return !strings.Contains(p.line, s) }) {
				found = p.pid
				return true
			}
		}
		return false
	})
	return found
}

// count is how many members have all the given parts in their command line.
func (f *family) count(parts ...string) int {
	n := 0
	for _, p := range f.members() {
		if !slices.ContainsFunc(parts, func(s string) bool { return !strings.Contains(p.line, s) }) {
			n++
		}
	}
	return n
}

// alive reports whether a process runs.
func alive(pid int) bool { return syscall.Kill(pid, 0) == nil && !dying(pid) }

// dying reports whether a process has ended and only waits to be reaped.
func dying(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	after := b[bytes.LastIndexByte(b, ')')+1:]
	return len(after) > 1 && (after[1] == 'Z' || after[1] == 'X')
}

// status reads a figure in KiB of /proc/PID/status: VmRSS, VmHWM.
func status(t testing.TB, pid int, name string) int {
	t.Helper()
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(l, name+":"); ok {
			n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(v), "kB")))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("no %s of process %d", name, pid)
	return 0
}

// descriptors is how many files a process has open.
func descriptors(t testing.TB, pid int) int {
	t.Helper()
	names, err := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}
