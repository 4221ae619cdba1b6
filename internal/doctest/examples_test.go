package doctest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mini-me/mm/agents"
)

// example copies a folder of testdata/agents into the play's folder, played by its scripts: what a
// person changes, provider and model, is all that is changed.
func example(t *testing.T, mm, name string) *play {
	t.Helper()
	p := newPlay(t, mm, "testdata/agents/"+name)
	from := filepath.Join(root, "testdata", "agents", name)
	if err := os.CopyFS(filepath.Join(p.dir, name), os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(p.dir, name, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, path := range files {
		if strings.HasSuffix(path, ".script.yaml") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := agents.Load(path, agents.Env{Home: p.dir, Dir: p.dir}); err != nil {
			t.Error(err)
		}
		if !strings.Contains(string(text), "Written for ") {
			t.Errorf("%s doesn't say which models it was written for", path)
		}
		script := strings.TrimSuffix(filepath.Base(path), ".yaml") + ".script.yaml"
		scripted := strings.Replace(string(text), "provider: ollama\n", "provider: scripted\nscript: "+script+"\n", 1)
		if err := os.WriteFile(path, []byte(scripted), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// has checks that an output has some texts.
func has(t *testing.T, out string, err error, want ...string) {
	t.Helper()
	if err != nil {
		t.Errorf("%v", err)
	}
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("the output has no %q", w)
		}
	}
	if t.Failed() {
		t.Logf("output:\n%s", out)
	}
}

func TestExamples(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the examples' hooks are for a Unix shell")
	}
	mm := build(t)
	t.Run("review", func(t *testing.T) {
		p := example(t, mm, "review")
		out, err := p.run("mm check review/mm.yaml", "")
		has(t, out, err, "✓ bugs: ", "✓ tests: ")
		// Both hand-overs and both looks are asked about; both are answered here.
		out, err = p.run("mm -c review/mm.yaml", `review this repository\na\na\na\na\n`)
		has(t, out, err, "🔐 ask_agent", "🔐 bugs · bash: cat main.go", "🔐 tests · bash: ls", "the error of the call is dropped", "🗣 2 asks")
	})
	t.Run("translate", func(t *testing.T) {
		p := example(t, mm, "translate")
		out, err := p.run("echo Guten Tag | mm -c translate/mm.yaml -p", "")
		has(t, out, err, "Good day")
		var answer struct{ Language, Translation string }
		if err := json.Unmarshal([]byte(out), &answer); err != nil || answer.Language != "German" {
			t.Errorf("%q: %v", out, err)
		}
	})
	t.Run("coder", func(t *testing.T) {
		p := example(t, mm, "coder")
		out, err := p.run("mm -c coder/mm.yaml; cat main.go coder/audit.jsonl", `make it greet the world\na\n`)
		has(t, out, err, "🔐 ask_agent", "[bash denied by a hook: pushing is left to the user]", `println("hello, world")`,
			"git diff --stat says:", `"by":"entry yolo"`, `"by":"hook"`)
		out, err = p.run("mm -c coder/mm.yaml", `again\nr\n`)
		has(t, out, err, "Not handed over.")
	})
}

// TestTutorialIsTheExample: the files that the tutorial lets its readers write are those of the
// example.
func TestTutorialIsTheExample(t *testing.T) {
	list, err := blocks(filepath.Join(root, "docs", "tutorial", "first-team.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mm.yaml", "bugs.yaml", "tests.yaml"} {
		want, err := os.ReadFile(filepath.Join(root, "testdata", "agents", "review", name))
		if err != nil {
			t.Fatal(err)
		}
		last := ""
		for _, b := range list {
			if b.file() == name {
				last = b.text
			}
		}
		if last != string(want) {
			t.Errorf("the tutorial's %s isn't testdata/agents/review/%s", name, name)
		}
	}
}
