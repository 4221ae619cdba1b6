package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzFrames: whatever a server sends, reading ends with what it sent and keeps within bounds.
func FuzzFrames(f *testing.F) {
	f.Add("Content-Length: 2\r\n\r\n{}")
	f.Add("x\n\ncontent-length:44\n\n" + `{"id":-1,"method":"a","params":null,"x":[[[]]]}`)
	f.Add("Content-Length: 99999999999999999999\r\n\r\n")
	f.Add("Content-Length: -5\r\n\r\n{}")
	f.Fuzz(func(t *testing.T, s string) {
		x := &frames{r: bufio.NewReader(strings.NewReader(s)), ended: make(chan struct{}), log: func(string, ...any) {}}
		for {
			var v map[string]json.RawMessage
			if err := x.ReadObject(&v); err != nil {
				return
			}
			if string(v["jsonrpc"]) != `"2.0"` || v["method"] == nil && v["id"] == nil {
				t.Fatalf("%q gives %v", s, v)
			}
		}
	})
}

// TestLongLines: a line that a server prints doesn't fill the memory.
func TestLongLines(t *testing.T) {
	x := &frames{r: bufio.NewReaderSize(io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), strings.NewReader("\nContent-Length: 24\n\n"+`{"method":"a","id":"\""}`)), 64), ended: make(chan struct{})}
	var v map[string]json.RawMessage
	if err := x.ReadObject(&v); err != nil || string(v["id"]) != `"\"\\\"\""` {
		t.Errorf("%v, %v", v, err)
	}
	// and the answer gets the id as it was sent
	data, err := sent([]byte(`{"id":"\"\\\"\"","result":null}`))
	if err != nil || string(data) != `{"jsonrpc":"","id":"\"","result":null}` {
		t.Errorf("%s, %v", data, err)
	}
}

func TestOverlay(t *testing.T) {
	for _, test := range [][3]string{
		{`{"a":{"b":1,"c":2},"d":3}`, `{"a":{"b":4},"e":[5]}`, `{"a":{"b":4,"c":2},"d":3,"e":[5]}`},
		{`{"a":1}`, ``, `{"a":1}`},
		{``, `{"a":1}`, `{"a":1}`},
		{`{"a":{"b":1}}`, `{"a":false}`, `{"a":false}`},
		{`{"a":1}`, `[1]`, `[1]`},
	} {
		if got := string(overlay(json.RawMessage(test[0]), json.RawMessage(test[1]))); got != test[2] {
			t.Errorf("%s over %s: %s", test[1], test[0], got)
		}
	}
	ts := string(overlay(habits("/x/typescript-language-server"), json.RawMessage(`{"tsserver":{"useSyntaxServer":"auto"}}`)))
	if !strings.Contains(ts, `"useSyntaxServer":"auto"`) || !strings.Contains(ts, `"disableAutomaticTypingAcquisition":true`) {
		t.Error(ts)
	}
}

func TestPaths(t *testing.T) {
	for path, uri := range map[string]string{"/a b/é#?%.go": "file:///a%20b/%C3%A9%23%3F%25.go", "/x/y": "file:///x/y"} {
		if got := toURI(path); got != uri {
			t.Errorf("%s: %s", path, got)
		}
		if got, ok := toPath(uri); got != path || !ok {
			t.Errorf("%s: %s, %v", uri, got, ok)
		}
	}
	for _, uri := range []string{"untitled:x", "jdt://y/z", "file://", "%zz", ""} {
		if path, ok := toPath(uri); ok {
			t.Errorf("%q: %s", uri, path)
		}
	}
	for path, want := range map[string]string{"/p/a.go": "a.go", "/p/s/a.go": "s/a.go", "/q/a.go": "/q/a.go", "/pp/a.go": "/pp/a.go"} {
		if got := shown("/p", path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestUndo: when one file can't be written, what was done to the others is undone.
func TestUndo(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o640); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b, c, d := write("a", "a"), write("b", "b"), write("c", "c"), write("d", "d")
	s := &changeset{files: []*changed{
		{from: a, to: a, before: "a", after: "A"},
		{from: b, to: filepath.Join(dir, "x", "y", "B"), before: "b", after: "B"},
		{from: c, before: "c"},
		{to: filepath.Join(dir, "z", "new"), after: "new"},
		{from: d, to: filepath.Join(dir, strings.Repeat("long", 100)), before: "d", after: "D"},
	}}
	err := s.commit(context.Background())
	if err == nil || !strings.HasSuffix(err.Error(), "file name too long") {
		t.Errorf("%v", err)
	}
	var got []string
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if !e.IsDir() {
			data, _ := os.ReadFile(path)
			info, _ := e.Info()
			got = append(got, fmt.Sprintf("%s=%s %o", e.Name(), data, info.Mode().Perm()))
		} else if path != dir {
			got = append(got, e.Name())
		}
		return err
	})
	if want := "[a=a 640 b=b 640 c=c 640 d=d 640]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, want %s (%v)", got, want, err)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s = &changeset{files: []*changed{{from: a, to: a, before: "a", after: "A"}}}
	if err := s.commit(ctx); err == nil {
		t.Error("it was carried out after it was cancelled")
	}
}
