package tools_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/tools"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	writeTestFile(t, dir, "a.txt", "one\ntwo\nthree\n")
	writeTestFile(t, dir, "open.txt", "one\ntwo")
	writeTestFile(t, dir, "win.txt", "one\r\ntwo\r\n")
	writeTestFile(t, dir, "bom.txt", "\ufeffone\n")
	writeTestFile(t, dir, "empty.txt", "")
	writeTestFile(t, dir, "blank.txt", "a\n\nb\n")
	writeTestFile(t, dir, "été.txt", "été\n")
	abs := filepath.Join(dir, "a.txt")
	tests := []struct {
		name, args, want string
		failed           bool
	}{
		{"whole", `{"path":"a.txt"}`, "one\ntwo\nthree\n", false},
		{"no final line end", `{"path":"open.txt"}`, "one\ntwo", false},
		{"line ends as they are", `{"path":"win.txt"}`, "one\r\ntwo\r\n", false},
		{"no byte order mark", `{"path":"bom.txt"}`, "one\n", false},
		{"from", `{"path":"a.txt","start":2}`, "two\nthree\n", false},
		{"to: no line end", `{"path":"a.txt","end":2}`, "one\ntwo", false},
		{"to, CRLF: no line end", `{"path":"win.txt","end":1}`, "one", false},
		{"from to", `{"path":"a.txt","start":2,"end":2}`, "two", false},
		{"to the end", `{"path":"a.txt","start":3,"end":3}`, "three\n", false},
		{"beyond the end", `{"path":"a.txt","start":2,"end":99}`, "two\nthree\n", false},
		{"zeros", `{"path":"a.txt","start":0,"end":0,"numbered":false}`, "one\ntwo\nthree\n", false},
		{"nulls", `{"path":"a.txt","start":null,"end":null,"numbered":null}`, "one\ntwo\nthree\n", false},
		{"minus one", `{"path":"a.txt","start":1,"end":-1}`, "one\ntwo\nthree\n", false},
		{"numbered", `{"path":"a.txt","start":2,"numbered":true}`, "2 │ two\n3 │ three\n", false},
		{"strings", `{"path":"a.txt","start":"2","end":"2","numbered":"true"}`, "2 │ two", false},
		{"fractions", `{"path":"a.txt","start":2.0,"end":2.0}`, "two", false},
		{"other names", `{"file_path":"a.txt","start_line":2,"end_line":2}`, "two", false},
		{"offset and limit", `{"file_path":"a.txt","offset":1,"limit":2}`, "one\ntwo", false},
		{"absolute", `{"path":"` + abs + `"}`, "one\ntwo\nthree\n", false},
		{"URL", `{"path":"file://` + filepath.Join(dir, "%C3%A9t%C3%A9.txt") + `"}`, "été\n", false},
		{"blanks around the path", `{"path":" a.txt\n"}`, "one\ntwo\nthree\n", false},
		{"a blank line", `{"path":"blank.txt","start":2,"end":2}`, "\n", false},
		{"empty", `{"path":"empty.txt"}`, "[empty.txt is empty]", false},

		{"absent", `{"path":"no/such.txt"}`, "no/such.txt does not exist. Create it with write_file", true},
		{"after the end", `{"path":"a.txt","start":4}`, "[a.txt has only 3 lines: there is no line 4]", true},
		{"the wrong way round", `{"path":"a.txt","start":3,"end":2}`, "[read_file: start 3 is after end 2]", true},
		{"no number", `{"path":"a.txt","start":"two"}`, `[read_file: start must be a line number, not "two"]`, true},
		{"half a line", `{"path":"a.txt","end":1.5}`, `[read_file: end must be a line number, not 1.5]`, true},
		{"no boolean", `{"path":"a.txt","numbered":"maybe"}`, `[read_file: numbered must be true or false, not "maybe"]`, true},
		{"no path", `{}`, "[read_file: path is empty — give the path of a file, relative to the working folder]", true},
		{"no arguments", ``, "[read_file: path is empty — give the path of a file, relative to the working folder]", true},
		{"a list", `["a.txt"]`, "[read_file: the arguments must be a JSON object, not a list]", true},
		{"path is a list", `{"path":["a.txt"]}`, "[read_file: path must be a string, not JSON — send the text itself]", true},
		{"home", `{"path":"~/a.txt"}`, "[read_file: ~ has no meaning here — give an absolute path, or one relative to the working folder]", true},
		{"folder by its name", `{"path":"sub/"}`, "[read_file: path names a folder — give the path of a file]", true},
		{"NUL", `{"path":"a\u0000b"}`, "[read_file: path has a NUL character in it — give a plain path]", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, r := runFile(t, tools.NewReadFile(tools.FileOptions{MaxOutput: 16000}), dir, tt.args)
			if diff := cmp.Diff(tt.want, r.Text); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
			if r.Failed != tt.failed {
				t.Errorf("failed is %v", r.Failed)
			}
			if p.Asks != consent.Never || p.Kind != consent.KindRead || len(r.Files) > 0 {
				t.Errorf("plan %+v, files %v", p, r.Files)
			}
		})
	}
}

func TestReadFilePlan(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]tools.Plan{
		`{"path":"src/a.go"}`:                       {Title: "src/a.go", Locations: []consent.Location{{Path: filepath.Join(dir, "src/a.go")}}},
		`{"path":"src/a.go","start":5}`:             {Title: "src/a.go (from line 5)", Locations: []consent.Location{{Path: filepath.Join(dir, "src/a.go"), Line: 5}}},
		`{"path":"./src/../src/a.go","end":7}`:      {Title: "./src/../src/a.go (lines 1-7)", Locations: []consent.Location{{Path: filepath.Join(dir, "src/a.go")}}},
		`{"path":"/etc/hosts","start":2,"end":"3"}`: {Title: "/etc/hosts (lines 2-3)", Locations: []consent.Location{{Path: "/etc/hosts", Line: 2}}},
	} {
		p := tools.NewReadFile(tools.FileOptions{}).Prepare(t.Context(), fileCall(t, dir, args))
		if p.Title != want.Title || cmp.Diff(p.Locations, want.Locations) != "" || !strings.HasPrefix(p.Line, "📝 read_file: ") {
			t.Errorf("%s: title %q, line %q, locations %v", args, p.Title, p.Line, p.Locations)
		}
	}
}

func TestReadFileIsCut(t *testing.T) {
	dir := t.TempDir()
	writeTestFile(t, dir, "a.txt", strings.Repeat("é", 100)+"\n")
	_, r := runFile(t, tools.NewReadFile(tools.FileOptions{MaxOutput: 40}), dir, `{"path":"a.txt"}`)
	if want := strings.Repeat("é", 40) + "\n[... 61 more characters]"; r.Text != want {
		t.Errorf("result %q", r.Text)
	}
}

func TestFilesThatAreNoText(t *testing.T) {
	dir := t.TempDir()
	png := "\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 1234)
	files := map[string]string{
		"logo.png": png, "nul.txt": "a\x00b\n", "latin.txt": "one\ntwo caf\xe9\n",
		"utf16.txt": "\xff\xfea\x00\n\x00", "garbage": "\x01\x02\xff\xfe\x03",
	}
	what := map[string]string{
		"logo.png":  "logo.png is binary (image/png, 1,242 bytes)",
		"nul.txt":   "nul.txt is binary (application/octet-stream, 4 bytes)",
		"latin.txt": "latin.txt is not UTF-8 text: line 2 has the byte 0xE9, 13 bytes (iconv -f WINDOWS-1252 -t UTF-8 may convert it)",
		"utf16.txt": "utf16.txt is UTF-16 text, 6 bytes: only UTF-8 is understood here (iconv -f UTF-16 -t UTF-8 converts it)",
		"garbage":   "garbage is binary (application/octet-stream, 5 bytes)",
	}
	for name, content := range files {
		path := writeTestFile(t, dir, name, content)
		o := tools.FileOptions{}
		for _, c := range []struct {
			tool tools.Tool
			args any
			ends string
		}{
			{tools.NewReadFile(o), map[string]any{"path": name}, " — look at it with a command (file, xxd, strings)"},
			{tools.NewWriteFile(o), map[string]any{"path": name, "content": "x"}, " and is not replaced by text — remove it first if that is meant"},
			{tools.NewEditFile(o), map[string]any{"path": name, "edits": []any{map[string]any{"old": "a", "new": "b"}}}, " and is not edited"},
		} {
			_, r := runFile(t, c.tool, dir, c.args)
			if want := what[name] + c.ends; r.Text != want || !r.Failed {
				t.Errorf("%s: %q\nwant %q", c.tool.Spec().Name, r.Text, want)
			}
		}
		wantFile(t, path, content)
	}
}

func TestLargeFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := writeTestFile(t, dir, "big.log", "x\n")
	if err := os.Truncate(path, 3*tools.MaxFileSize+tools.MaxFileSize/2); err != nil {
		t.Fatal(err)
	}
	const want = "big.log has 35.0 MiB, the file tools take up to 10 MiB — work on parts of it with a command (grep, head, tail, sed)"
	o := tools.FileOptions{}
	for _, c := range []struct {
		tool tools.Tool
		args string
	}{
		{tools.NewReadFile(o), `{"path":"big.log","start":1,"end":2}`},
		{tools.NewWriteFile(o), `{"path":"big.log","content":""}`},
		{tools.NewEditFile(o), `{"path":"big.log","edits":[{"old":"x","new":"y"}]}`},
	} {
		if _, r := runFile(t, c.tool, dir, c.args); r.Text != want || !r.Failed {
			t.Errorf("%s: %q", c.tool.Spec().Name, r.Text)
		}
	}
}
