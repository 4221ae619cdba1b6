package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/mini-me/mm/agents"
)

// TestInitFiles: whatever was chosen, the files that are written are right.
func TestInitFiles(t *testing.T) {
	for name, c := range map[string]choices{
		"found":         {provider: "ollama", baseURL: "http://127.0.0.1:11434/v1", model: "qwen3:8b", reviewer: true},
		"no model":      {provider: "llamacpp"},
		"own server":    {baseURL: "http://127.0.0.1:9999/v1", model: "yes", yolo: true, reviewer: true},
		"odd names":     {provider: "openrouter", model: "a/b: c #d"},
		"numeric model": {provider: "vllm", model: "7", reviewer: true},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range map[string]string{"mm.yaml": agentText(c), "reviewer.yaml": reviewerText(c)} {
				if err := write(filepath.Join(dir, file), text); err != nil {
					t.Fatal(err)
				}
			}
			env := agents.Env{Dir: dir, Home: dir}
			f, err := agents.Load("mm.yaml", env)
			if err != nil {
				t.Fatal(err)
			}
			if f.Model != c.model || f.Yolo != c.yolo || len(f.MMConfigs) > 0 != c.reviewer {
				t.Errorf("model %q, yolo %v, %d agents", f.Model, f.Yolo, len(f.MMConfigs))
			}
			if _, err := agents.Load("reviewer.yaml", env); err != nil {
				t.Error(err)
			}
			if !strings.HasPrefix(agentText(c), "# yaml-language-server: $schema=") {
				t.Error("the first line doesn't point editors at the schema")
			}
		})
	}
}

// TestInitAsks: numbers, names, free text and yes or no, with what can't be understood asked again.
func TestInitAsks(t *testing.T) {
	var out bytes.Buffer
	q := newQuestions(t.Context(), strings.NewReader("7\n2\nown\nwhat\noui\n"), &out)
	if i, name, err := q.one("Which?", []string{"a", "b"}, false); i != 1 || name != "b" || err != nil {
		t.Errorf("by number: %d %q %v", i, name, err)
	}
	if i, name, _ := q.one("Which?", []string{"a", "b"}, true); i != -1 || name != "own" {
		t.Errorf("free: %d %q", i, name)
	}
	if yes, _ := q.yes("Sure?", false); !yes {
		t.Error("oui is yes")
	}
	if yes, _ := q.yes("Sure?", true); !yes {
		t.Error("the end of input takes the default")
	}
	for _, want := range []string{"Type a number from 1 to 2.", "Type y or n."} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q wasn't said:\n%s", want, out.String())
		}
	}
}

func TestInitNeverOverwrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mm.yaml")
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(path, "new"); err == nil {
		t.Error("no error")
	}
	if b, _ := os.ReadFile(path); string(b) != "mine" {
		t.Errorf("the file now says %q", b)
	}
}

func TestDescribeBuild(t *testing.T) {
	build := func(main string, kv ...string) *debug.BuildInfo {
		i := &debug.BuildInfo{Main: debug.Module{Version: main}}
		for n := 0; n < len(kv); n += 2 {
			i.Settings = append(i.Settings, debug.BuildSetting{Key: kv[n], Value: kv[n+1]})
		}
		return i
	}
	for want, info := range map[string]*debug.BuildInfo{
		"mm 1.2.3 (commit 0123456789ab, ":              build("(devel)", "vcs.revision", "0123456789abcdef", "vcs.modified", "false"),
		"mm 1.2.3 (commit 0123456789ab with changes, ": build("", "vcs.revision", "0123456789abcdef", "vcs.modified", "true"),
		"mm 1.2.3 (module v1.2.3, ":                    build("v1.2.3"),
		"mm 1.2.3 (unknown commit, ":                   nil,
	} {
		if got := describeBuild("1.2.3", info); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q…", got, want)
		}
	}
}
