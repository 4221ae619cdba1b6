//go:build linux || darwin

package lsp_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

func (p *project) gopls(t *testing.T, files string) *project {
	return newProject(t, files, reals()[0].need(t))
}

// TestRenameInFortyFiles renames a function that is used in 40 files, with text before it on the
// line that is longer in UTF-16 than in characters and longer still in bytes.
func TestRenameInFortyFiles(t *testing.T) {
	var files strings.Builder
	files.WriteString("-- go.mod --\nmodule example.com/forty\n\ngo 1.24\n")
	files.WriteString("-- greet.go --\npackage forty\n\n// Greet greets.\nfunc Greet(s string) string { return s }\n")
	for i := range 40 {
		fmt.Fprintf(&files, "-- use%02d.go --\npackage forty\n\nvar g%d = \"é𝒳日本語🎉\" + /* 𝒳 */ Greet(\"🎉\" + Greet(\"Greet\"))\n", i, i)
	}
	p := (&project{}).gopls(t, files.String())
	plan := p.prepare(`"action": "rename", "path": "use07.go", "symbol": "Greet", "new_name": "Welcome"`)
	if plan.Refused != "" {
		t.Fatal(plan.Refused)
	}
	if len(plan.Diffs) != 41 {
		t.Errorf("%d diffs are asked about, want 41", len(plan.Diffs))
	}
	r := plan.Run(t.Context(), &host{})
	if !strings.HasPrefix(r.Text, "renamed to Welcome: 82 edit(s) in 41 file(s)\ngreet.go: 2 edit(s)\nuse00.go: 2 edit(s)\n") || len(r.Files) != 41 {
		t.Errorf("%d files\n%s", len(r.Files), r.Text)
	}
	if got, want := p.read("use39.go"), "package forty\n\nvar g39 = \"é𝒳日本語🎉\" + /* 𝒳 */ Welcome(\"🎉\" + Welcome(\"Greet\"))\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "./...")
	build.Dir = p.dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("it doesn't compile any more: %v\n%s", err, out)
	}
	p.expect(`"action": "diagnostics", "path": "greet.go"`, "no diagnostics: greet.go is clean")
}

const small = `
-- go.mod --
module example.com/small

go 1.24
-- a.go --
package small

func Greet() {}
`

// TestAKilledServerIsStartedAgain: kill -9 between two calls, and the second one answers.
func TestAKilledServerIsStartedAgain(t *testing.T) {
	p := (&project{}).gopls(t, small)
	ask := `"action": "definition", "path": "a.go", "symbol": "Greet"`
	want := "a.go:3:6 func Greet() {}"
	p.expect(ask, want)
	first := p.tool.Pids()
	if len(first) != 1 {
		t.Fatal(first)
	}
	if err := syscall.Kill(first[0], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.expect(ask, want)
	if again := p.tool.Pids(); len(again) != 1 || again[0] == first[0] {
		t.Errorf("it runs as %v, was killed as %v", again, first)
	}
}

// TestChangesOnDiskAreSeen: what commands do to files is known at the next call, whether the files
// are open at the server or not.
func TestChangesOnDiskAreSeen(t *testing.T) {
	p := (&project{}).gopls(t, small)
	p.expect(`"action": "references", "path": "a.go", "symbol": "Greet"`, "1 reference(s):\na.go:3:6 func Greet() {}")
	p.write("b.go", "package small\n\nvar _ = Greet\n")
	p.expect(`"action": "references", "path": "a.go", "symbol": "Greet"`, "2 reference(s):\na.go:3:6 func Greet() {}\nb.go:3:9 var _ = Greet")
	p.write("b.go", "package small\n\n\nvar _ = Greet\n")
	p.expect(`"action": "references", "path": "a.go", "symbol": "Greet"`, "2 reference(s):\na.go:3:6 func Greet() {}\nb.go:4:9 var _ = Greet")
	p.expect(`"action": "diagnostics", "path": "b.go"`, "no diagnostics: b.go is clean")
	p.write("a.go", "package small\n\nfunc Welcome() {}\n") // open
	p.expect(`"action": "diagnostics", "path": "b.go"`, "1 diagnostic(s) in b.go:\nerror b.go:4:9 undefined: Greet [compiler]")
	p.expect(`"action": "definition", "path": "a.go", "symbol": "Greet"`, `[lsp: "Greet" not found in a.go]`)
}

// TestRenameOfAGoPackage: gopls moves the folder of a package that is renamed.
func TestRenameOfAGoPackage(t *testing.T) {
	p := (&project{}).gopls(t, `
-- go.mod --
module example.com/moved

go 1.24
-- old/old.go --
package old

func F() {}
-- main.go --
package main

import "example.com/moved/old"

func main() { old.F() }
`)
	got := p.call(`"action": "rename", "path": "old/old.go", "symbol": "old", "new_name": "fresh"`)
	want := "renamed to fresh: 3 edit(s) in 2 file(s)\nmain.go: 2 edit(s)\nold/old.go: 1 edit(s), renamed to fresh/old.go"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if _, err := os.Stat(p.path("old")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old folder is still there: %v", err)
	}
	build := exec.CommandContext(t.Context(), "go", "build", "./...")
	build.Dir = p.dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("it doesn't compile any more: %v\n%s\n%s", err, out, got)
	}
}

// TestClosedServersAreGone: Close returns when the processes are gone.
func TestClosedServersAreGone(t *testing.T) {
	p := (&project{}).gopls(t, small)
	p.call(`"action": "symbols", "path": "a.go"`)
	pids := p.tool.Pids()
	start := time.Now()
	p.tool.Close()
	if d := time.Since(start); d > 4*time.Second {
		t.Errorf("closing took %s", d)
	}
	for _, pid := range pids {
		if running(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
	p.expect(`"action": "symbols", "path": "a.go"`, "[lsp: gopls: symbols failed: mm is ending]")
}
