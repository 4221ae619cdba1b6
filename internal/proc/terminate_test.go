//go:build linux || darwin

package proc_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/proc"
)

// TestEndStopsAScriptAsAWhole: when a script is ended, a shell whose child is gone already doesn't go
// on with the next line ("sleep 20; git push").
func TestEndStopsAScriptAsAWhole(t *testing.T) {
	dir := t.TempDir()
	for range 30 {
		began, ran := filepath.Join(dir, "began"), filepath.Join(dir, "ran")
		p, err := proc.Start(proc.Spec{Path: "bash", Args: []string{"-c", "echo >began; sleep 300; echo >ran"}, Dir: dir, Guard: os.Args[0]})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := os.Stat(began); err != nil; _, err = os.Stat(began) {
			if t.Context().Err() != nil {
				t.Fatal("the script doesn't begin")
			}
		}
		if err := p.End(proc.Grace{Term: 5 * time.Second}); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(ran); err == nil {
			t.Fatal("the script went on after its sleep was ended")
		}
		if err := os.Remove(began); err != nil {
			t.Fatal(err)
		}
	}
}
