//go:build linux || darwin

package lsp_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

const renameGreet = `"action": "rename", "path": "a.txt", "symbol": "greet", "new_name": "hello"`

// greetAt is an edit of line 0.
func greetAt(character string) string { return editAt(0, character, "hello") }

func editAt(line int, character, text string) string {
	from, to, _ := strings.Cut(character, "-")
	l := string(rune('0' + line))
	return `{"range":{"start":{"line":` + l + `,"character":` + from + `},"end":{"line":` + l + `,"character":` + to + `}},"newText":"` + text + `"}`
}

const twoFiles = "-- a.txt --\n𝒳 greet é greet\n-- sub/b.txt --\nä𝒳𝒳 greet\n-- answers/rename --\n"

// TestRenameChanges: a rename by "changes", its plan, its result, and what the server is told.
func TestRenameChanges(t *testing.T) {
	t.Parallel()
	answer := `{"changes":{"DIR/sub/b.txt":[` + greetAt("6-11") + `],"DIR/a.txt":[` + greetAt("11-16") + `,` + greetAt("3-8") + `]}}`
	p := newFake(t, "", twoFiles+answer)
	chmod(t, p.path("sub/b.txt"))
	plan := p.prepare(renameGreet)
	if plan.Refused != "" {
		t.Fatal(plan.Refused)
	}
	a, b := "𝒳 greet é greet\n", "ä𝒳𝒳 greet\n"
	want := []consent.Diff{{Path: p.path("a.txt"), Old: &a, New: "𝒳 hello é hello\n"}, {Path: p.path("sub/b.txt"), Old: &b, New: "ä𝒳𝒳 hello\n"}}
	if d := cmp.Diff(want, plan.Diffs); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if d := cmp.Diff([]consent.Location{{Path: p.path("a.txt"), Line: 1}, {Path: p.path("sub/b.txt"), Line: 1}}, plan.Locations); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if p.read("a.txt") != a {
		t.Error("it was changed before anybody was asked")
	}
	r := plan.Run(t.Context(), &host{})
	if want := "renamed to hello: 3 edit(s) in 2 file(s)\na.txt: 2 edit(s)\nsub/b.txt: 1 edit(s)"; r.Text != want || r.Failed {
		t.Errorf("got %q, want %q", r.Text, want)
	}
	if d := cmp.Diff([]ui.FileChange{{Path: p.path("a.txt"), Added: 1, Removed: 1}, {Path: p.path("sub/b.txt"), Added: 1, Removed: 1}}, r.Files); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if p.read("a.txt") != want2(want, 0) || p.read("sub/b.txt") != want2(want, 1) {
		t.Errorf("%q, %q", p.read("a.txt"), p.read("sub/b.txt"))
	}
	if info, err := os.Stat(p.path("sub/b.txt")); err != nil || info.Mode().Perm() != 0o777 {
		t.Errorf("its mode is %v now (%v)", info.Mode(), err)
	}
	p.tool.Close()
	if got := p.received("textDocument/rename"); len(got) != 1 || got[0] != `{"textDocument":{"uri":"file://DIR/a.txt"},"position":{"line":0,"character":3},"newName":"hello"}` {
		t.Errorf("asked: %q", got)
	}
	if got := p.received("textDocument/didChange"); len(got) != 1 || !strings.Contains(got[0], `"text":"𝒳 hello é hello\n"`) {
		t.Errorf("didChange: %q", got)
	}
	if got := p.received("workspace/didChangeWatchedFiles"); len(got) != 1 || got[0] != `{"changes":[{"uri":"file://DIR/a.txt","type":2},{"uri":"file://DIR/sub/b.txt","type":2}]}` {
		t.Errorf("watched files: %q", got)
	}
}

func want2(list []consent.Diff, i int) string { return list[i].New }

// TestRenameOfFiles: a server that also creates, renames and deletes files.
func TestRenameOfFiles(t *testing.T) {
	t.Parallel()
	answer := `{"documentChanges":[
		{"textDocument":{"uri":"DIR/a.txt","version":1},"edits":[` + greetAt("3-8") + `]},
		{"kind":"rename","oldUri":"DIR/a.txt","newUri":"DIR/new/hello.txt"},
		{"textDocument":{"uri":"DIR/new/hello.txt","version":null},"edits":[` + greetAt("11-16") + `]},
		{"kind":"create","uri":"DIR/c.txt"},
		{"textDocument":{"uri":"DIR/c.txt"},"edits":[` + editAt(0, "0-0", "made") + `]},
		{"kind":"delete","uri":"DIR/sub/b.txt"}]}`
	p := newFake(t, "", twoFiles+answer)
	plan := p.prepare(renameGreet)
	if plan.Refused != "" {
		t.Fatal(plan.Refused)
	}
	a, b := "𝒳 greet é greet\n", "ä𝒳𝒳 greet\n"
	want := []consent.Diff{
		{Path: p.path("a.txt"), Old: &a, New: ""}, {Path: p.path("new/hello.txt"), New: "𝒳 hello é hello\n"},
		{Path: p.path("c.txt"), New: "made"},
		{Path: p.path("sub/b.txt"), Old: &b, New: ""}}
	if d := cmp.Diff(want, plan.Diffs); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	got := plan.Run(t.Context(), &host{}).Text
	if want := "renamed to hello: 3 edit(s) in 2 file(s)\na.txt: 2 edit(s), renamed to new/hello.txt\nc.txt: created\nsub/b.txt: deleted"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if d := cmp.Diff(map[string]string{"new/hello.txt": "𝒳 hello é hello\n", "c.txt": "made"}, p.files()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	p.tool.Close()
	if got := p.received("textDocument/didClose"); len(got) != 1 || got[0] != `{"textDocument":{"uri":"file://DIR/a.txt"}}` {
		t.Errorf("didClose: %q", got)
	}
}

// files are the .txt files of the project.
func (p *project) files() map[string]string {
	p.t.Helper()
	m := map[string]string{}
	err := filepath.WalkDir(p.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), ".txt") && d.Type().IsRegular() {
			rel, _ := filepath.Rel(p.dir, path)
			m[filepath.ToSlash(rel)] = p.read(rel)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return m
}

// TestRenameOfAFolder moves all that is in it and leaves no empty folder behind.
func TestRenameOfAFolder(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", twoFiles+`{"documentChanges":[{"kind":"rename","oldUri":"DIR/sub","newUri":"DIR/x/y"}]}`)
	p.write("sub/deep/c.txt", "c\n")
	p.expect(renameGreet, "renamed to hello: 0 edit(s) in 0 file(s)\nsub/b.txt: renamed to x/y/b.txt\nsub/deep/c.txt: renamed to x/y/deep/c.txt")
	want := map[string]string{"a.txt": "𝒳 greet é greet\n", "x/y/b.txt": "ä𝒳𝒳 greet\n", "x/y/deep/c.txt": "c\n"}
	if d := cmp.Diff(want, p.files()); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
	if _, err := os.Stat(p.path("sub")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("sub is still there: %v", err)
	}
}

// TestRefusedRenames: what a server answers is refused as a whole, and nothing is changed.
func TestRefusedRenames(t *testing.T) {
	t.Parallel()
	const failed = "[lsp: fake: rename failed: "
	for name, test := range map[string]struct{ answer, want string }{
		"nothing":        {`null`, failed + "nothing to rename at a.txt:1:3]"},
		"no change":      {`{"changes":{"DIR/a.txt":[` + editAt(0, "3-8", "greet") + `]}}`, "[lsp: nothing to rename: it is called hello already]"},
		"overlap":        {`{"changes":{"DIR/sub/b.txt":[` + greetAt("6-11") + `],"DIR/a.txt":[` + greetAt("3-8") + `,` + greetAt("7-9") + `]}}`, failed + "DIR/a.txt: two edits overlap on line 1]"},
		"past the end":   {`{"changes":{"DIR/a.txt":[` + editAt(5, "3-8", "x") + `]}}`, failed + "DIR/a.txt: the edit at line 6 doesn't fit it, it has 1 lines]"},
		"backwards":      {`{"changes":{"DIR/a.txt":[` + greetAt("8-3") + `]}}`, failed + "DIR/a.txt: the edit at line 1 doesn't fit it, it has 1 lines]"},
		"other version":  {`{"documentChanges":[{"textDocument":{"uri":"DIR/a.txt","version":9},"edits":[` + greetAt("3-8") + `]}]}`, failed + "its edit of DIR/a.txt is for another version of the file — call lsp again]"},
		"no file":        {`{"changes":{"untitled:x":[` + greetAt("3-8") + `]}}`, failed + "its answer is about untitled:x, which is no file]"},
		"missing file":   {`{"changes":{"DIR/gone.txt":[` + greetAt("3-8") + `]}}`, failed + "stat DIR/gone.txt: no such file or directory]"},
		"unknown change": {`{"documentChanges":[{"kind":"copy"}]}`, failed + `its answer has a change of an unknown kind, "copy"]`},
		"target exists":  {`{"documentChanges":[{"kind":"rename","oldUri":"DIR/a.txt","newUri":"DIR/sub/b.txt"}]}`, failed + "it wants to rename DIR/a.txt to DIR/sub/b.txt, which exists]"},
		"create exists":  {`{"documentChanges":[{"kind":"create","uri":"DIR/sub/b.txt"}]}`, failed + "it wants to create DIR/sub/b.txt, which exists]"},
		"delete missing": {`{"documentChanges":[{"kind":"delete","uri":"DIR/gone.txt"}]}`, failed + "stat DIR/gone.txt: no such file or directory]"},
		"chain":          {`{"documentChanges":[{"kind":"rename","oldUri":"DIR/sub/b.txt","newUri":"DIR/c.txt"},{"kind":"rename","oldUri":"DIR/a.txt","newUri":"DIR/sub/b.txt"}]}`, failed + "it wants to put DIR/a.txt where DIR/sub/b.txt is]"},
		"bad target":     {`{"documentChanges":[{"kind":"rename","oldUri":"DIR/sub/b.txt","newUri":"DIR/a.txt/b.txt"}]}`, "[lsp: nothing was renamed: a.txt/b.txt can't be written: not a directory]"},
		"not an edit":    {`"yes"`, failed + "its answer isn't one to textDocument/rename]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newFake(t, "", twoFiles+test.answer)
			before := p.files()
			p.expect(renameGreet, test.want)
			if d := cmp.Diff(before, p.files()); d != "" {
				t.Errorf("files changed: -before +after\n%s", d)
			}
		})
	}
}

// TestRenameIsAllOrNothing: when a file changed after the rename was worked out, none is written.
func TestRenameIsAllOrNothing(t *testing.T) {
	t.Parallel()
	edit := `{"documentChanges":[{"textDocument":{"uri":"DIR/a.txt"},"edits":[` + greetAt("3-8") + `]},{"textDocument":{"uri":"DIR/sub/b.txt"},"edits":[` + greetAt("6-11") + `]}]}`
	move := `{"documentChanges":[{"textDocument":{"uri":"DIR/a.txt"},"edits":[` + greetAt("3-8") + `]},{"kind":"rename","oldUri":"DIR/sub/b.txt","newUri":"DIR/sub/c.txt"}]}`
	for name, test := range map[string]struct {
		answer string
		change func(p *project)
		want   string
	}{
		"changed": {edit, func(p *project) { p.write("sub/b.txt", "other\n") }, "sub/b.txt changed"},
		"removed": {edit, func(p *project) { _ = os.Remove(p.path("sub/b.txt")) }, "sub/b.txt was removed"},
		"created": {move, func(p *project) { p.write("sub/c.txt", "new\n") }, "sub/c.txt was created"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newFake(t, "", twoFiles+test.answer)
			plan := p.prepare(renameGreet)
			if plan.Refused != "" {
				t.Fatal(plan.Refused)
			}
			test.change(p)
			before := p.files()
			got := plan.Run(t.Context(), &host{})
			if want := "[lsp: nothing was renamed: " + test.want + " after the rename was worked out — call lsp again]"; got.Text != want || !got.Failed {
				t.Errorf("got %q, want %q", got.Text, want)
			}
			if d := cmp.Diff(before, p.files()); d != "" {
				t.Errorf("files changed: -before +after\n%s", d)
			}
		})
	}
}

// TestRenameWhileFilesChange: a file that changed after the server was told of all changes may not be
// the one that its edits are for.
func TestRenameWhileFilesChange(t *testing.T) {
	t.Parallel()
	p := newFake(t, "touching", twoFiles+`{"changes":{"DIR/sub/b.txt":[`+greetAt("6-11")+`]}}`)
	p.expect(renameGreet, "[lsp: nothing was renamed: sub/b.txt changed meanwhile — call lsp again]")
	if got := p.read("sub/b.txt"); got != "touched\n" {
		t.Errorf("%q", got)
	}
}

// TestCancelledRename writes nothing.
func TestCancelledRename(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", twoFiles+`{"changes":{"DIR/a.txt":[`+greetAt("3-8")+`]}}`)
	before := p.files()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, want := p.callContext(ctx, renameGreet), "[lsp: cancelled, nothing was renamed]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if d := cmp.Diff(before, p.files()); d != "" {
		t.Errorf("files changed: -before +after\n%s", d)
	}
}

// TestRenameAfterTheServerDied: the rename is carried out all the same.
func TestRenameAfterTheServerDied(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", twoFiles+`{"changes":{"DIR/a.txt":[`+greetAt("3-8")+`]}}`)
	plan := p.prepare(renameGreet)
	p.tool.Close()
	if got, want := plan.Run(t.Context(), &host{}).Text, "renamed to hello: 1 edit(s) in 1 file(s)\na.txt: 1 edit(s)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRenameThroughALink: a project behind a link, and a file that the server names in two ways.
func TestRenameThroughALink(t *testing.T) {
	t.Parallel()
	behind := &project{t: t, dir: t.TempDir()}
	for name, data := range map[string]string{"a.txt": "𝒳 greet é greet\n", "received": ""} {
		behind.write(name, data)
	}
	p := &project{t: t, dir: filepath.Join(t.TempDir(), "link")}
	if err := os.Symlink(behind.dir, p.dir); err != nil {
		t.Fatal(err)
	}
	p.write("answers/rename", `{"documentChanges":[{"textDocument":{"uri":"file://`+p.dir+`/a.txt"},"edits":[`+greetAt("3-8")+`]},{"textDocument":{"uri":"file://`+behind.dir+`/a.txt"},"edits":[`+greetAt("11-16")+`]}]}`)
	p.write("answers/references", `[{"uri":"file://`+behind.dir+`/a.txt","range":{"start":{"line":0,"character":3},"end":{"line":0,"character":8}}}]`)
	p.start(fakeServer(""))
	p.expect(`"action": "references", "path": "a.txt", "symbol": "greet"`, "1 reference(s):\na.txt:1:3 𝒳 greet é greet")
	plan := p.prepare(renameGreet)
	if plan.Refused != "" || len(plan.Diffs) != 1 || plan.Diffs[0].Path != p.path("a.txt") {
		t.Fatalf("%s %+v", plan.Refused, plan.Diffs)
	}
	if got, want := plan.Run(t.Context(), &host{}).Text, "renamed to hello: 2 edit(s) in 1 file(s)\na.txt: 2 edit(s)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := behind.read("a.txt"); got != "𝒳 hello é hello\n" {
		t.Errorf("%q", got)
	}
}

// TestRenameOfOddText: line ends and bytes that aren't UTF-8 stay as they are.
func TestRenameOfOddText(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", twoFiles+`{"changes":{"DIR/a.txt":[`+greetAt("3-8")+`,`+editAt(1, "2-7", "hello")+`]}}`)
	p.write("a.txt", "\xff\xfe greet\r\n𝒳greet")
	p.expect(renameGreet, "renamed to hello: 2 edit(s) in 1 file(s)\na.txt: 2 edit(s)")
	if got := p.read("a.txt"); got != "\xff\xfe hello\r\n𝒳hello" {
		t.Errorf("%q", got)
	}
	p.write("a.txt", "a\rgreet\r\n")
	p.expect(renameGreet, "[lsp: fake: rename failed: DIR/a.txt: it has carriage returns without line feeds, where servers disagree about line numbers — change its line ends first]")
}
