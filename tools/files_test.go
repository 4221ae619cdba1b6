package tools_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/mini-me/mm/tools"
)

// fileCall is a call as a model makes it: args is JSON, or anything that becomes it.
func fileCall(t *testing.T, dir string, args any) tools.Call {
	t.Helper()
	raw, ok := args.(string)
	if !ok {
		b, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		raw = string(b)
	}
	return tools.Call{ID: "1", Args: json.RawMessage(raw), Cwd: dir}
}

// runFile prepares and runs a call. A refused one has its text as result.
func runFile(t *testing.T, tool tools.Tool, dir string, args any) (tools.Plan, tools.Result) {
	t.Helper()
	p := tool.Prepare(t.Context(), fileCall(t, dir, args))
	if p.Refused != "" {
		if p.Run != nil || len(p.Diffs) > 0 || p.Asks != 0 {
			t.Errorf("a refused plan can run, has diffs or asks: %+v", p)
		}
		return p, tools.Result{Text: p.Refused, Failed: true}
	}
	return p, p.Run(context.WithoutCancel(t.Context()), nil)
}

func writeTestFile(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantFile(t *testing.T, path, content string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != content {
		t.Errorf("%s has %q, want %q", filepath.Base(path), got, content)
	}
}

// wantNames fails if a folder holds anything else, such as a temporary file.
func wantNames(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if len(got) != len(names) {
		t.Errorf("the folder has %q, want %q", got, names)
		return
	}
	for i := range names {
		if got[i] != names[i] {
			t.Errorf("the folder has %q, want %q", got, names)
		}
	}
}

// The declarations are in every request: they must stay small, and plain enough for any server.
func TestFileToolDeclarations(t *testing.T) {
	total := 0
	for _, tool := range []tools.Tool{tools.NewReadFile(tools.FileOptions{}), tools.NewWriteFile(tools.FileOptions{}), tools.NewEditFile(tools.FileOptions{})} {
		s := tool.Spec()
		var schema struct {
			Type       string
			Properties map[string]any
			Required   []string
		}
		if err := json.Unmarshal(s.Parameters, &schema); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if schema.Type != "object" || len(schema.Properties) == 0 || schema.Required[0] != "path" {
			t.Errorf("%s: schema %+v", s.Name, schema)
		}
		if s.Counter != (tools.Counter{Icon: "📝", Noun: "file op"}) {
			t.Errorf("%s: counter %+v", s.Name, s.Counter)
		}
		total += len(s.Name) + len(s.Description) + len(s.Parameters)
	}
	t.Logf("the three declarations have %d bytes", total)
	if total > 1400 {
		t.Errorf("the three declarations have %d bytes", total)
	}
}
