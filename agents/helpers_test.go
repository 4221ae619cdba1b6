package agents

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// world is a folder with files and an environment for Load.
type world struct {
	t    *testing.T
	dir  string
	vars map[string]string
}

// newWorld writes files (names and contents by turns) to a new folder.
func newWorld(t *testing.T, files ...string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir(), vars: map[string]string{}}
	for i := 0; i < len(files); i += 2 {
		w.write(files[i], files[i+1])
	}
	return w
}

func (w *world) write(name, text string) string {
	w.t.Helper()
	path := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// set sets environment variables, given as names and values by turns.
func (w *world) set(vars ...string) *world {
	for i := 0; i < len(vars); i += 2 {
		w.vars[vars[i]] = vars[i+1]
	}
	return w
}

func (w *world) env() Env {
	return Env{
		Lookup: func(name string) (string, bool) { v, ok := w.vars[name]; return v, ok },
		Home:   filepath.Join(w.dir, "home"),
		Dir:    w.dir,
	}
}

// load reads mm.yaml, which must be right.
func (w *world) load() *File {
	w.t.Helper()
	f, err := Load("mm.yaml", w.env())
	if err != nil {
		w.t.Fatalf("unexpected problems:\n%v", err)
	}
	return f
}

// problems reads mm.yaml and gives the lines of its problems.
func (w *world) problems() []string {
	w.t.Helper()
	f, err := Load("mm.yaml", w.env())
	if err == nil {
		return nil
	}
	if f != nil {
		w.t.Errorf("Load gave a File beside its problems")
	}
	var all *Error
	if !errors.As(err, &all) {
		w.t.Fatalf("error of type %T", err)
	}
	return strings.Split(err.Error(), "\n")
}

// wantProblems fails unless mm.yaml has exactly these problems.
func (w *world) wantProblems(want ...string) {
	w.t.Helper()
	got := strings.Join(w.problems(), "\n")
	if want := strings.Join(want, "\n"); got != want {
		w.t.Errorf("problems:\n%s\nwant:\n%s", got, want)
	}
}
