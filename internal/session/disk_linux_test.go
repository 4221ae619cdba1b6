package session

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFullDisk fills a small disk: one warning, the conversation goes on, and what was saved before
// is still whole. Once there is room again, everything is saved.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k,mode=700"); err != nil {
		t.Skipf("mounting a small tmpfs: %v", err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }()
	s := NewStore(filepath.Join(dir, "sessions"))
	var warnings []string
	w := s.Create(Info{ID: "one", Cwd: "/"}, Options{Warn: func(err error) { warnings = append(warnings, err.Error()) }})
	w.Append(question("q"))
	w.Flush()
	ballast := filepath.Join(dir, "ballast")
	_ = os.WriteFile(ballast, make([]byte, 1<<20), 0o600) // as much as there is room for
	for range 20 {
		w.Append(answer(strings.Repeat("x", 5000)), question("q"))
		w.Flush()
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "this conversation can't be saved and goes on without: ") || !strings.Contains(warnings[0], "no space left") {
		t.Errorf("warnings: %q", warnings)
	}
	if f, err := s.Load("one"); err != nil || len(f.Messages) < 1 {
		t.Errorf("what was saved before: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	w.Append(answer("end"))
	w.Close()
	if f, err := s.Load("one"); err != nil || len(f.Messages) != 42 {
		t.Errorf("%v", err)
	}
	if names := files(t, s.dir); len(names) != 1 {
		t.Errorf("left: %v", names)
	}
}
