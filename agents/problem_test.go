package agents

import (
	"errors"
	"io/fs"
	"testing"
)

func TestProblemsKnowTheirPlace(t *testing.T) {
	w := newWorld(t, "mm.yaml", "instructionsFile: nope.md\nmmConfigs:\n  jan:\n    path: a\n    timeout: soon\n").set("AGENT_YOLO", "perhaps")
	_, err := Load("mm.yaml", w.env())
	var all *Error
	if !errors.As(err, &all) || len(all.Problems) != 3 {
		t.Fatalf("error: %v", err)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		t.Error("the error behind the missing file is lost")
	}
	variable, file, timeout := all.Problems[2], all.Problems[0], all.Problems[1]
	if variable.File != "" || variable.Line != 0 {
		t.Errorf("%+v", variable)
	}
	if file.File != "mm.yaml" || file.Line != 1 || file.Column != 19 || file.Key != "instructionsFile" {
		t.Errorf("%+v", file)
	}
	if timeout.Line != 5 || timeout.Column != 14 || timeout.Key != "mmConfigs.jan.timeout" {
		t.Errorf("%+v", timeout)
	}
}

func TestLanguage(t *testing.T) {
	for extension, want := range map[string]string{
		".go": "go", ".ts": "typescript", ".TSX": "typescriptreact", ".mjs": "javascript", ".jsx": "javascriptreact",
		".py": "python", ".h": "c", ".hpp": "cpp", ".rs": "rust", ".sh": "shellscript", ".zig": "zig",
	} {
		if got := (LSPServer{}).Language(extension); got != want {
			t.Errorf("%s: %s, want %s", extension, got, want)
		}
	}
	if got := (LSPServer{LanguageID: "own"}).Language(".go"); got != "own" {
		t.Errorf("%s, want own", got)
	}
}

// BenchmarkLoad: an asked agent reads its file before it answers anything.
func BenchmarkLoad(b *testing.B) {
	env := Env{Dir: "testdata/examples", Lookup: func(string) (string, bool) { return "x", false }}
	for b.Loop() {
		if _, err := Load("shared-settings.yaml", env); err != nil {
			b.Fatal(err)
		}
	}
}
