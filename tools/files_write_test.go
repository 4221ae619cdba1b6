package tools_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

func TestWriteFileCreates(t *testing.T) {
	dir := t.TempDir()
	p, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, `{"path":"new/deep/a.txt","content":"one\ntwo\n"}`)
	path := filepath.Join(dir, "new/deep/a.txt")
	wantPlan := tools.Plan{
		Title: "new/deep/a.txt", Line: "📝 write_file: new/deep/a.txt", Kind: consent.KindEdit, Asks: consent.UnlessYolo,
		Locations: []consent.Location{{Path: path, Line: 1}},
		Diffs:     []consent.Diff{{Path: path, New: "one\ntwo\n"}},
	}
	p.Run = nil
	if diff := cmp.Diff(wantPlan, p); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	wantResult := tools.Result{
		Text:  "new/deep/a.txt: created · lines +2 -0 · first changed line 1\n+ 1 │ one\n+ 2 │ two",
		Files: []ui.FileChange{{Path: path, Added: 2}},
	}
	if diff := cmp.Diff(wantResult, r); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	wantFile(t, path, "one\ntwo\n")
	wantNames(t, filepath.Dir(path), "a.txt")
}

func TestWriteFileReplaces(t *testing.T) {
	dir := t.TempDir()
	old := "one\r\ntwo\r\n"
	path := writeTestFile(t, dir, "a.txt", old)
	p, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, `{"path":"a.txt","content":"one\r\n2\r\n3"}`)
	if want := []consent.Diff{{Path: path, Old: &old, New: "one\r\n2\r\n3"}}; cmp.Diff(want, p.Diffs) != "" {
		t.Errorf("diffs %+v", p.Diffs)
	}
	if want := "a.txt: replaced · lines +2 -1 · first changed line 2\n  1 │ one\n- 2 │ two\n+ 2 │ 2\n+ 3 │ 3\n\\ No newline at end of file"; r.Text != want {
		t.Errorf("result %q", r.Text)
	}
	if want := []ui.FileChange{{Path: path, Added: 2, Removed: 1}}; cmp.Diff(want, r.Files) != "" {
		t.Errorf("files %v", r.Files)
	}
	wantFile(t, path, "one\r\n2\r\n3")
}

func TestWriteFileEmpties(t *testing.T) {
	dir := t.TempDir()
	path := writeTestFile(t, dir, "a.txt", "one\n")
	if _, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, `{"path":"a.txt","content":""}`); r.Text != "a.txt: replaced · lines +0 -1 · first changed line 1\n- 1 │ one" {
		t.Errorf("result %q", r.Text)
	}
	wantFile(t, path, "")
	if _, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, `{"path":"a.txt","content":"x"}`); r.Failed {
		t.Errorf("result %q", r.Text)
	}
	p, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, `{"path":"b.txt","content":""}`)
	if r.Text != "b.txt: created · lines +0 -0" || p.Diffs[0].Old != nil {
		t.Errorf("result %q, diffs %+v", r.Text, p.Diffs)
	}
}

// What is there already isn't written, and nobody is asked.
func TestWriteFileIdentical(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.txt": "one\n", "empty.txt": ""} {
		path := writeTestFile(t, dir, name, content)
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		p, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, map[string]any{"path": name, "content": content})
		if r.Text != name+": unchanged — it already has exactly this content, nothing was written" || r.Failed || len(r.Files) > 0 {
			t.Errorf("result %+v", r)
		}
		if p.Asks != consent.Never || len(p.Diffs) > 0 {
			t.Errorf("plan %+v", p)
		}
		after, err := os.Stat(path)
		if err != nil || !os.SameFile(before, after) {
			t.Errorf("the file was written: %v", err)
		}
	}
}

func TestWriteFileArguments(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		`{"path":"a.txt"}`:                            "[write_file: content is missing — send the whole text of the file]",
		`{"path":"a.txt","content":null}`:             "[write_file: content is missing — send the whole text of the file]",
		`{"path":"a.txt","content":{"a":1}}`:          "[write_file: content must be a string, not JSON — send the text itself]",
		`{"path":"a.txt","content":["a","b"]}`:        "[write_file: content must be a string, not JSON — send the text itself]",
		`{"content":"x"}`:                             "[write_file: path is empty — give the path of a file, relative to the working folder]",
		`{"filename":"b.txt","file_text":"x\n"}`:      "b.txt: created · lines +1 -0 · first changed line 1\n+ 1 │ x",
		`{"path":"n.txt","content":42}`:               "n.txt: created · lines +1 -0 · first changed line 1\n+ 1 │ 42\n\\ No newline at end of file",
		`{"path":"c.txt","content":"\ud83d\ude00\n"}`: "c.txt: created · lines +1 -0 · first changed line 1\n+ 1 │ 😀",
	} {
		if _, r := runFile(t, tools.NewWriteFile(tools.FileOptions{}), dir, args); r.Text != want {
			t.Errorf("%s: %q, want %q", args, r.Text, want)
		}
	}
}

// A file that isn't any more what the person was asked about is left alone.
func TestChangedBetweenQuestionAndWrite(t *testing.T) {
	const again = ": nothing was written — read it again with read_file, then repeat the change"
	edit := `{"path":"a.txt","edits":[{"old":"one","new":"two"}]}`
	write := `{"path":"a.txt","content":"mine\n"}`
	o := tools.FileOptions{}
	tests := []struct {
		name      string
		tool      tools.Tool
		args      string
		absent    bool
		meanwhile func(t *testing.T, path string)
		want      string
		after     string // "" for no file
	}{
		{"changed, edit", tools.NewEditFile(o), edit, false, func(t *testing.T, path string) { writeTestFile(t, filepath.Dir(path), "a.txt", "one, more\n") }, "a.txt changed after this call had read it", "one, more\n"},
		{"changed, write", tools.NewWriteFile(o), write, false, func(t *testing.T, path string) { writeTestFile(t, filepath.Dir(path), "a.txt", "theirs\n") }, "a.txt changed after this call had read it", "theirs\n"},
		{"removed", tools.NewEditFile(o), edit, false, func(t *testing.T, path string) { os.Remove(path) }, "a.txt was removed in the meantime", ""},
		{"created", tools.NewWriteFile(o), write, true, func(t *testing.T, path string) { writeTestFile(t, filepath.Dir(path), "a.txt", "theirs\n") }, "a.txt was created by someone else in the meantime", "theirs\n"},
		{"now a folder", tools.NewWriteFile(o), write, false, func(t *testing.T, path string) { os.Remove(path); os.Mkdir(path, 0o777) }, "a.txt can't be read any more (is a folder)", ""},
		{"now a link", tools.NewEditFile(o), edit, false, func(t *testing.T, path string) {
			other := writeTestFile(t, filepath.Dir(path), "other.txt", "one\n")
			os.Remove(path)
			if err := os.Symlink(other, path); err != nil {
				t.Fatal(err)
			}
		}, "a.txt leads to another file now", "one\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.txt")
			if !tt.absent {
				writeTestFile(t, dir, "a.txt", "one\n")
			}
			p := tt.tool.Prepare(t.Context(), fileCall(t, dir, tt.args))
			if p.Refused != "" || p.Asks != consent.UnlessYolo {
				t.Fatalf("plan %+v", p)
			}
			tt.meanwhile(t, path)
			r := p.Run(t.Context(), nil)
			if r.Text != tt.want+again || !r.Failed || len(r.Files) > 0 {
				t.Errorf("result %+v", r)
			}
			if tt.after != "" {
				wantFile(t, path, tt.after)
			}
		})
	}
}

func TestCancelledBeforeTheWrite(t *testing.T) {
	dir := t.TempDir()
	path := writeTestFile(t, dir, "a.txt", "one\n")
	p := tools.NewWriteFile(tools.FileOptions{}).Prepare(t.Context(), fileCall(t, dir, `{"path":"a.txt","content":"two\n"}`))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := p.Run(ctx, nil); r.Text != "[write_file: cancelled, nothing was written]" || !r.Failed {
		t.Errorf("result %+v", r)
	}
	wantFile(t, path, "one\n")
}
