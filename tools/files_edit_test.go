package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

func TestEditFile(t *testing.T) {
	dir := t.TempDir()
	old := "package main\n\nfunc main() {\n\tcount := 1\n\tprint(count)\n}\n"
	path := writeTestFile(t, dir, "main.go", old)
	p, r := runFile(t, tools.NewEditFile(tools.FileOptions{}), dir, map[string]any{
		"path":  "main.go",
		"edits": []map[string]string{{"old": "    count := 1\n", "new": "    count := 2\n"}, {"old": "print(", "new": "println("}},
	})
	after := strings.Replace(strings.Replace(old, "1", "2", 1), "print(", "println(", 1)
	wantPlan := tools.Plan{
		Title: "main.go", Line: "📝 edit_file: main.go", Kind: consent.KindEdit, Asks: consent.UnlessYolo,
		Locations: []consent.Location{{Path: path, Line: 4}},
		Diffs:     []consent.Diff{{Path: path, Old: &old, New: after}},
	}
	p.Run = nil
	if diff := cmp.Diff(wantPlan, p); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	wantResult := tools.Result{
		Text: `main.go: 2 edits applied · lines +2 -2 · first changed line 4 · 1 matched ignoring whitespace
  1 │ package main
  2 │
  3 │ func main() {
- 4 │ 	count := 1
- 5 │ 	print(count)
+ 4 │ 	count := 2
+ 5 │ 	println(count)
  6 │ }`,
		Files: []ui.FileChange{{Path: path, Added: 2, Removed: 2}},
	}
	if diff := cmp.Diff(wantResult, r); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	wantFile(t, path, after)
	wantNames(t, dir, "main.go")
}

// The example of tools.fr.md, through the tool.
func TestEditFileRefusal(t *testing.T) {
	dir := t.TempDir()
	writeTestFile(t, dir, "main.go", "package main\n\nfunc main() {\n\tcount := 1\n\tprint(count)\n}\n")
	_, r := runFile(t, tools.NewEditFile(tools.FileOptions{MaxOutput: 16000}), dir, map[string]any{
		"path":  "main.go",
		"edits": []map[string]string{{"old": "func main() {\n\tcount := 2\n\tprint(count)\n}", "new": "x"}},
	})
	const want = "main.go: edit #1: old text not found — it must match the file exactly, including indentation and line breaks:\n" +
		"│ func main() {\n│ \tcount := 2\n│ \tprint(count)\n│ }\n" +
		"the closest the file comes to it — copy these lines:\n" +
		"│ 3 │ func main() {\n│ 4 │ \tcount := 1\n│ 5 │ \tprint(count)\n│ 6 │ }"
	if r.Text != want || !r.Failed {
		t.Errorf("result:\n%s", r.Text)
	}
}

// However a small model sends its edits, where there is one reading it is taken.
func TestEditFileArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"path":"a","edits":[{"old":"one","new":"1"}]}`:                           "",
		`{"path":"a","edits":"[{\"old\":\"one\",\"new\":\"1\"}]"}`:                 "",
		`{"path":"a","edits":"{\"old\":\"one\",\"new\":\"1\"}"}`:                   "",
		`{"path":"a","edits":{"old":"one","new":"1"}}`:                             "",
		`{"path":"a","edits":["{\"old\":\"one\",\"new\":\"1\"}"]}`:                 "",
		`{"path":"a","old":"one","new":"1"}`:                                       "",
		`{"file_path":"a","old_string":"one","new_string":"1"}`:                    "",
		`{"path":"a","edits":[{"old_text":"one","new_text":"1"}]}`:                 "",
		`{"path":"a","edits":[{"old_str":"one","new_str":"1"}],"dry_run":"false"}`: "",
		`{"path":"a","edits":[{"search":"one","replace":1}]}`:                      "",
		`{"path":"a","edits":null,"old":"one","new":"1"}`:                          "",
		`{"path":"a"}`:                                                       `a: no edits — send at least one: "edits": [{"old": "text to find", "new": "text to put there"}]`,
		`{"path":"a","edits":[]}`:                                            `a: no edits — send at least one: "edits": [{"old": "text to find", "new": "text to put there"}]`,
		`{"path":"a","edits":"one"}`:                                         `[edit_file: edits must be a list: [{"old": "text to find", "new": "text to put there"}]]`,
		`{"path":"a","edits":[1]}`:                                           `[edit_file: edits must be a list: [{"old": "text to find", "new": "text to put there"}]]`,
		`{"path":"a","edits":[{"new":"1"}]}`:                                 `[edit_file: edits must be a list: [{"old": "text to find", "new": "text to put there"}]]`,
		`{"path":"a","edits":[{"old":"one"}]}`:                               `[edit_file: an edit has no "new" — send the text to put there; "new": "" deletes old]`,
		`{"path":"a","edits":[{"old":"one","new":null}]}`:                    `[edit_file: an edit has no "new" — send the text to put there; "new": "" deletes old]`,
		`{"path":"a","edits":[{"old":"one","new":"1"}],"dry_run":"perhaps"}`: `[edit_file: dry_run must be true or false, not "perhaps"]`,
		`{"path":"b","edits":[{"old":"one","new":"1"}]}`:                     "b does not exist. Create it with write_file",
		`{"path":"a","edits":[{"old":"one","new":"one"}]}`:                   "a: edit #1: old and new are the same — nothing would change",
		`{"path":"a","edits":[{"old":"","new":"x"}]}`:                        "a: edit #1: old is empty — give the text to replace; write_file writes a whole file",
		`{"path":"a","edits":[{"old":"one\n    two","new":"one\n\ttwo"}]}`:   "a: nothing would change — with the indentation and line ends of the file, new is what it has already",
	} {
		dir := t.TempDir()
		path := writeTestFile(t, dir, "a", "one\n\ttwo\n")
		_, r := runFile(t, tools.NewEditFile(tools.FileOptions{}), dir, args)
		if want == "" {
			if r.Failed {
				t.Errorf("%s: %q", args, r.Text)
			}
			wantFile(t, path, "1\n\ttwo\n")
			continue
		}
		if r.Text != want || !r.Failed {
			t.Errorf("%s:\n%q, want\n%q", args, r.Text, want)
		}
		wantFile(t, path, "one\n\ttwo\n")
		wantNames(t, dir, "a")
	}
}

func TestEditFileRefusalIsCut(t *testing.T) {
	dir := t.TempDir()
	writeTestFile(t, dir, "a", "one\n")
	_, r := runFile(t, tools.NewEditFile(tools.FileOptions{MaxOutput: 50}), dir, `{"path":"a","edits":[{"old":"two","new":"1"}]}`)
	if !strings.HasPrefix(r.Text, "a: edit #1: old text not found") || !strings.HasSuffix(r.Text, " more characters]") {
		t.Errorf("result %q", r.Text)
	}
}

// corpusCase is a case of edit/testdata/cases.json, whose README says what its fields mean.
type corpusCase struct {
	Name       string
	Path       string
	FileBefore *string           `json:"file_before"`
	Edits      []json.RawMessage `json:"edits"`
	DryRun     bool              `json:"dry_run"`
	Expect     struct {
		OK                 bool
		FileAfter          *string  `json:"file_after"`
		WouldBe            *string  `json:"would_be"`
		IgnoringCR         *string  `json:"file_after_ignoring_cr"`
		IgnoringTrailing   *string  `json:"file_after_ignoring_trailing_space"`
		IgnoringBlankLines *string  `json:"file_after_ignoring_blank_lines"`
		WSMatches          *int     `json:"ws_matches"`
		RefusalContains    []string `json:"refusal_contains"`
	}
}

// All cases of the corpus through the tool, on real files; package edit's own test of the corpus
// checks the hints too.
func TestEditCorpus(t *testing.T) {
	data, err := os.ReadFile("edit/testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []corpusCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range cases {
		if t.Run(c.Name, func(t *testing.T) { c.run(t) }) {
			passed++
		}
	}
	t.Logf("%d of %d cases of the corpus pass", passed, len(cases))
	if len(cases) != 108 {
		t.Errorf("the corpus has %d cases, not 108", len(cases))
	}
}

func (c corpusCase) run(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, c.Path)
	if c.FileBefore != nil {
		writeTestFile(t, dir, c.Path, *c.FileBefore)
	}
	args := map[string]any{"path": c.Path, "edits": c.Edits, "dry_run": c.DryRun}
	p, r := runFile(t, tools.NewEditFile(tools.FileOptions{}), dir, args)
	if r.Failed == c.Expect.OK {
		t.Fatalf("failed = %v: %s", r.Failed, r.Text)
	}
	for _, want := range c.Expect.RefusalContains {
		if !strings.Contains(r.Text, want) {
			t.Errorf("refusal lacks %q:\n%s", want, r.Text)
		}
	}
	if asks := c.Expect.OK && !c.DryRun; (p.Asks == consent.UnlessYolo) != asks {
		t.Errorf("asks: %v", p.Asks)
	}
	header, _, _ := strings.Cut(r.Text, "\n")
	if n := c.Expect.WSMatches; n != nil && strings.HasSuffix(header, fmt.Sprintf(" · %d matched ignoring whitespace", *n)) != (*n > 0) {
		t.Errorf("header %q", header)
	}
	got, err := os.ReadFile(path)
	if c.FileBefore == nil {
		if !os.IsNotExist(err) {
			t.Errorf("the file was created: %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	c.checkFile(t, string(got))
	if c.DryRun && c.Expect.OK {
		c.checkDryRun(t, dir, r.Text)
	}
}

func (c corpusCase) checkFile(t *testing.T, got string) {
	t.Helper()
	trailing, blank := regexp.MustCompile(`(?m)[ \t\r]+$`), regexp.MustCompile(`(?m)^[ \t\r]*\n`)
	for _, w := range []struct {
		want   *string
		ignore func(string) string
	}{
		{c.Expect.FileAfter, func(s string) string { return s }},
		{c.Expect.IgnoringCR, func(s string) string { return strings.ReplaceAll(s, "\r", "") }},
		{c.Expect.IgnoringTrailing, func(s string) string { return trailing.ReplaceAllString(s, "") }},
		{c.Expect.IgnoringBlankLines, func(s string) string { return blank.ReplaceAllString(s, "") }},
	} {
		if w.want == nil {
			continue
		}
		if diff := cmp.Diff(w.ignore(*w.want), w.ignore(got)); diff != "" {
			t.Errorf("file (-want +got):\n%s", diff)
		}
	}
}

// checkDryRun makes the edits for good: the file is as announced, and so is the report, but for the
// words that say that nothing was written.
func (c corpusCase) checkDryRun(t *testing.T, dir, report string) {
	_, r := runFile(t, tools.NewEditFile(tools.FileOptions{}), dir, map[string]any{"path": c.Path, "edits": c.Edits})
	if got := strings.Replace(report, "would apply (dry run: nothing written)", "applied", 1); got != r.Text {
		t.Errorf("dry run:\n%s\nreal run:\n%s", report, r.Text)
	}
	wantFile(t, filepath.Join(dir, c.Path), *c.Expect.WouldBe)
}

// For every case of the corpus a dry run reports what the real run does, and changes nothing.
func TestDryRunEqualsTheRealRun(t *testing.T) {
	data, err := os.ReadFile("edit/testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []corpusCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if c.FileBefore == nil {
			continue
		}
		dir := t.TempDir()
		path := writeTestFile(t, dir, c.Path, *c.FileBefore)
		tool := tools.NewEditFile(tools.FileOptions{})
		p, dry := runFile(t, tool, dir, map[string]any{"path": c.Path, "edits": c.Edits, "dry_run": true})
		if p.Asks != consent.Never || len(p.Diffs) > 0 || len(dry.Files) > 0 {
			t.Errorf("%s: a dry run asks or has diffs: %+v", c.Name, p)
		}
		wantFile(t, path, *c.FileBefore)
		wantNames(t, dir, c.Path)
		_, r := runFile(t, tool, dir, map[string]any{"path": c.Path, "edits": c.Edits})
		if got := strings.Replace(dry.Text, "would apply (dry run: nothing written)", "applied", 1); got != r.Text || dry.Failed != r.Failed {
			t.Errorf("%s: dry run:\n%s\nreal run:\n%s", c.Name, dry.Text, r.Text)
		}
	}
}

// editor is a file system as an editor lends it: what it has open counts, not the disk.
type editor map[string]string

func (e editor) ReadFile(_ context.Context, path string) ([]byte, error) {
	text, ok := e[path]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

func (e editor) WriteFile(_ context.Context, path string, data []byte) error {
	e[path] = string(data)
	return nil
}

func TestUnsavedBuffers(t *testing.T) {
	dir := t.TempDir()
	path := writeTestFile(t, dir, "a.txt", "saved\n")
	e := editor{path: "not saved\n"}
	o := tools.FileOptions{Files: e}
	if _, r := runFile(t, tools.NewReadFile(o), dir, `{"path":"a.txt"}`); r.Text != "not saved\n" {
		t.Errorf("read %q", r.Text)
	}
	if _, r := runFile(t, tools.NewEditFile(o), dir, `{"path":"a.txt","edits":[{"old":"not saved","new":"edited"}]}`); r.Failed {
		t.Errorf("edit: %q", r.Text)
	}
	if _, r := runFile(t, tools.NewWriteFile(o), dir, `{"path":"b.txt","content":"b\n"}`); r.Failed {
		t.Errorf("write: %q", r.Text)
	}
	if want := (editor{path: "edited\n", filepath.Join(dir, "b.txt"): "b\n"}); cmp.Diff(want, e) != "" {
		t.Errorf("buffers %v", e)
	}
	wantFile(t, path, "saved\n")
	wantNames(t, dir, "a.txt")
}
