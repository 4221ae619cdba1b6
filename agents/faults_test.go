package agents

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files and the generated documents anew")

// golden holds got against a file, or writes it with -update.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go generate writes it)", err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s isn't what the code gives; go generate writes it anew (-want +got):\n%s", path, diff)
	}
}

// TestFaults shows each file of testdata/faults with what a person reads about it.
func TestFaults(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "faults", "*.yaml"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	dir, err := filepath.Abs(filepath.Join("testdata", "faults"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			env := Env{Dir: dir, Lookup: func(name string) (string, bool) {
				value, ok := map[string]string{"ACME_TOKEN": "tok-12345678", "AGENT_YOLO": "maybe", "MM_ASK_DEPTH": "two"}[name]
				return value, ok
			}}
			_, err := Load(name, env)
			if err == nil {
				t.Fatal("no problems")
			}
			text := strings.ReplaceAll(err.Error(), strings.Trim(jsonPath(dir+string(filepath.Separator)), `"`), "")
			golden(t, strings.TrimSuffix(path, ".yaml")+".golden", text+"\n")
		})
	}
}

func TestSyntaxErrorsNameTheLineToLookAt(t *testing.T) {
	for _, c := range []struct{ name, yaml, want string }{
		{"indentation", "model: a\nmmConfigs:\n  jan: x\n homer: y\nyolo: true\n",
			"mm.yaml:4:2: this isn't YAML, here or just around: a key was expected — keys of one map begin in the same column"},
		{"open quote", "model: a\ninstructions: \"abc\nyolo: true\n",
			"mm.yaml:2:1: this isn't YAML, here or just around: a quote or bracket without its end"},
		{"open quote in the first line", "model: \"abc\nyolo: true\n",
			"mm.yaml:1:1: this isn't YAML, here or just around: a quote or bracket without its end"},
		{"open bracket", "# first\nmmConfigs: {jan: x\nyolo: true\n",
			"mm.yaml:2:1: this isn't YAML, here or just around: a bracket without its end, or two items without a comma between them"},
		{"second colon", "model: a\nprovider: b: c\n",
			"mm.yaml:2:1: this isn't YAML, here or just around: a second \": \" in one line — put a text with a colon in quotes"},
		{"tab", "acp:\n\ttitle: x\n",
			"mm.yaml:2:2: this isn't YAML, here or just around: a character that no value can begin with — indent with blanks, not tabs, and put texts that begin with @, ` or % in quotes"},
		{"at sign", "model: @x\n",
			"mm.yaml:1:1: this isn't YAML, here or just around: a character that no value can begin with — indent with blanks, not tabs, and put texts that begin with @, ` or % in quotes"},
		{"escape", "model: \"a\\qb\"\n",
			"mm.yaml:1:1: this isn't YAML, here or just around: a \\ that means nothing in double quotes — use single quotes, or \\\\"},
		{"control character", "model: a\nprovider: b\x01\n",
			"mm.yaml:2:1: this isn't YAML, here or just around: a control character"},
		{"unknown anchor", "model: a\nprovider: *b\n",
			"mm.yaml:2:1: this isn't YAML, here or just around: unknown anchor 'b' referenced"},
		{"list in a map", "model: a\n- b\n",
			"mm.yaml:2:1: this isn't YAML, here or just around: a key was expected — keys of one map begin in the same column"},
		{"list beside a key", "model: - a\n",
			"mm.yaml:1:1: this isn't YAML, here or just around: a list can't begin here — put it into lines of its own"},
		{"in a second document", "model: a\n---\nprovider: b: c\n",
			"mm.yaml:3:1: this isn't YAML, here or just around: a second \": \" in one line — put a text with a colon in quotes"},
	} {
		t.Run(c.name, func(t *testing.T) { newWorld(t, "mm.yaml", c.yaml).wantProblems(c.want) })
	}
}

func TestFilesThatAreNoAgentFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "mm.yaml:1:1: the file is empty — write {} for an agent with all defaults"},
		{"only comments", "# model: x\n\n", "mm.yaml:1:1: the file is empty — write {} for an agent with all defaults"},
		{"nothing", "---\n", "mm.yaml:1:1: the file is empty — write {} for an agent with all defaults"},
		{"two documents", "model: a\n---\nmodel: b\n", "mm.yaml:3:1: a second document begins here: one file describes one agent"},
		{"latin 1", "model: a\nmodel: gr\xfc\xdf\n", "mm.yaml:2:10: this isn't UTF-8 text — save the file as UTF-8"},
		{"utf-16", "\xff\xfem\x00", "mm.yaml:1:1: this isn't UTF-8 text (it looks like UTF-16) — save the file as UTF-8"},
		{"too large", "model: a\n#" + strings.Repeat("x", maxFile), "mm.yaml: the file is too large: over 1024 KiB"},
	} {
		t.Run(c.name, func(t *testing.T) { newWorld(t, "mm.yaml", c.text).wantProblems(c.want) })
	}
	t.Run("missing", func(t *testing.T) { newWorld(t).wantProblems("mm.yaml: no such file") })
	t.Run("folder", func(t *testing.T) {
		newWorld(t, "mm.yaml/x", "").wantProblems("mm.yaml: this is a folder, not a file")
	})
	t.Run("byte order mark and CRLF", func(t *testing.T) {
		w := newWorld(t, "mm.yaml", "\ufeffmodel: a\r\nyolo: nope\r\n")
		w.wantProblems(`mm.yaml:2:7: "yolo" must be true or false, but this is the text "nope"`)
	})
	t.Run("document marks", func(t *testing.T) {
		if f := newWorld(t, "mm.yaml", "%YAML 1.1\n---\nmodel: a\n...\n").load(); f.Model != "a" {
			t.Errorf("model %q", f.Model)
		}
	})
}
