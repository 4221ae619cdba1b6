package orchestrator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mini-me/mm/child"
)

// marked is an agent that makes a file when it starts, and is no agent.
func marked(dir, name string) Agent {
	return Agent{Name: name, Prewarm: true,
		Command: child.Command{Name: name, Path: "/bin/sh", Args: []string{"-c", "touch " + filepath.Join(dir, name)}, Env: os.Environ()}}
}

// TestPrewarm starts what is to be ready, and nothing else: not without memory, not where nobody can be
// asked, not twice, not after the end. A start that fails is nobody's fault.
func TestPrewarm(t *testing.T) {
	for _, c := range []struct {
		name string
		edit func(*Options)
		stop bool
		want int
	}{
		{"two of three", func(o *Options) { o.Agents[1].Prewarm = false }, false, 2},
		{"one with a broken file", func(o *Options) { o.Agents[0].Broken = "no" }, false, 2},
		{"no memory", func(o *Options) { o.Spare = func() bool { return false } }, false, 0},
		{"memory for one", func(o *Options) { n := 0; o.Spare = func() bool { n++; return n == 1 } }, false, 1},
		{"too deep", func(o *Options) { o.Depth = MaxDepth }, false, 0},
		{"after the end", func(*Options) {}, true, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			o := Options{Agents: []Agent{marked(dir, "a"), marked(dir, "b"), marked(dir, "c")}}
			c.edit(&o)
			s := New(o)
			if c.stop {
				s.Close()
			}
			s.Prewarm("/", "session", nil)
			s.Prewarm("/", "session", nil)
			if c.want > 0 {
				s.ending.Wait() // of Prewarm; Close would end it
			}
			s.Close()
			files, err := os.ReadDir(dir)
			if err != nil || len(files) != c.want {
				t.Errorf("%v were started %v, want %d", files, err, c.want)
			}
		})
	}
}
