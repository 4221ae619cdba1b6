package mmtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Builds are the builds of mm that a package's tests run. Each is made at its first use and serves
// all of them. A package has one, which belongs to its test process.
type Builds struct {
	// Dir is where they are, and what else belongs to the process.
	Dir string

	mu   sync.Mutex
	done map[string]error // guarded by mu: by name
}

// NewBuilds makes the folder; Remove takes it away at the end of TestMain.
func NewBuilds() (*Builds, error) {
	dir, err := os.MkdirTemp("", "mm-test-")
	return &Builds{Dir: dir, done: map[string]error{}}, err
}

// Remove removes all of it.
func (b *Builds) Remove() { _ = os.RemoveAll(b.Dir) }

// MM is mm as it is shipped: where times and memory are measured.
func (b *Builds) MM(t testing.TB) string {
	t.Helper()
	return b.Build(t, "mm")
}

// Raced is mm with the race detector, when the tests have it, too. CheckRaces has what it finds.
func (b *Builds) Raced(t testing.TB) string {
	t.Helper()
	if !raced {
		return b.MM(t)
	}
	return b.Build(t, "mm-race", "-race")
}

// Build builds cmd/mm with the given flags under a name and returns the program's path. The tests
// run two folders below the repository's top.
func (b *Builds) Build(t testing.TB, name string, flags ...string) string {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	path := filepath.Join(b.Dir, name)
	err, done := b.done[name]
	if !done {
		args := append([]string{"build", "-o", path}, flags...)
		cmd := exec.Command("go", append(args, "./cmd/mm")...)
		cmd.Dir = "../.."
		var out []byte
		if out, err = cmd.CombinedOutput(); err != nil {
			t.Logf("%s", out)
		}
		b.done[name] = err
	}
	if err != nil {
		t.Fatalf("building %s: %v", name, err)
	}
	return path
}

// RaceEnv is the environment with which an mm under the race detector writes to files that begin
// with log and doesn't wait a second at its end.
func RaceEnv(log string) string { return "GORACE=atexit_sleep_ms=0 log_path=" + log }

// CheckRaces fails the test for what the race detector found in an mm.
func CheckRaces(t testing.TB, log string) {
	t.Helper()
	logs, _ := filepath.Glob(log + ".*")
	for _, name := range logs {
		b, _ := os.ReadFile(name)
		t.Errorf("the race detector, in an mm:\n%s", b)
	}
}
