package agents

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzLoad: whatever stands in a file, Load ends, gives either a File or problems, and places the
// problems inside of the file. What is taken is taken by the schema's rules too: fields hold
// values in their ranges.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"examples", "faults"} {
		paths, err := filepath.Glob(filepath.Join("testdata", pattern, "*.yaml"))
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(data))
		}
	}
	for _, c := range badCases() {
		f.Add(c.yaml)
	}
	for _, c := range keyCases() {
		f.Add(c.yaml)
	}
	f.Add("a: &a [*a]\n---\n- b")
	f.Add("? {a: b}\n: <<: *x")
	f.Add("model: \"\\u2028\u2028${\"\r\rx: |\n  ${A}\n")
	dir := f.TempDir()
	env := Env{Dir: dir, Lookup: func(name string) (string, bool) { return "v", name == "SET" }}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(dir, "mm.yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		file, err := Load("mm.yaml", env)
		if err == nil {
			checkFile(t, file)
			return
		}
		var all *Error
		if file != nil || !errors.As(err, &all) || len(all.Problems) == 0 {
			t.Fatalf("file %v, error %v", file, err)
		}
		for _, p := range all.Problems {
			checkProblem(t, p, text)
		}
	})
}

func checkFile(t *testing.T, f *File) {
	if f.MaxTurns < 1 || f.MaxTokens < 1 || f.MaxOutput < 1 || f.Temperature < 0 || f.WatchdogTimeout < 0 || !filepath.IsAbs(f.Path) {
		t.Errorf("out of range: %v", f)
	}
	for _, e := range f.MMConfigs {
		if (e.Path == "") == (e.Command == "") || e.Name == "" {
			t.Errorf("entry %v", e)
		}
	}
	for _, s := range f.LSPServers {
		if s.Command == "" {
			t.Errorf("server %v", s)
		}
	}
}

func checkProblem(t *testing.T, p Problem, text string) {
	if p.Text == "" || strings.Contains(p.Text, "yaml.") || strings.Contains(p.Text, "%!") {
		t.Errorf("text %q", p.Text)
	}
	if p.File != "mm.yaml" || p.Line == 0 {
		return
	}
	lines := newSource(strings.ToValidUTF8(strings.TrimPrefix(text, "\ufeff"), "\ufffd")).lines
	if p.Line > len(lines) || p.Column < 1 || p.Column > utf8.RuneCountInString(lines[p.Line-1])+1 {
		t.Errorf("%v isn't inside of the file", p)
	}
}
