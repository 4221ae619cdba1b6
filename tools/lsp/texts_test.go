//go:build linux || darwin

package lsp_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/lsp"
)

const threeLines = `
-- main.txt --
func main() {
	greet("x")
	return 12345678
}
-- sub/x.md --
-- empty.txt --
`

// TestRefusals: no server is started for what makes no sense.
func TestRefusals(t *testing.T) {
	t.Parallel()
	p := newFake(t, "mute", threeLines)
	for args, want := range map[string]string{
		`"action": "definition", "path": "sub/x.md", "symbol": "x"`:            `[lsp: no language server for "sub/x.md" — configured: fake (.txt)]`,
		`"action": "definition", "path": "main.txt", "symbol": "foo"`:          `[lsp: "foo" not found in main.txt]`,
		`"action": "definition", "path": "main.txt", "symbol": "pkg.foo()', "`: `[lsp: "foo" not found in main.txt]`,
		`"action": "hover", "path": "main.txt", "symbol": "greet", "line": 3`:  `[lsp: "greet" not found on line 3 of main.txt — it is on line 2]`,
		`"action": "hover", "path": "main.txt", "line": 3, "column": 40`:       `[lsp: column 40 is past the end of line 3 (16 characters)]`,
		`"action": "hover", "path": "main.txt", "line": "9", "column": "1"`:    `[lsp: line 9 is past the end of main.txt (4 lines)]`,
		`"action": "hover", "path": "main.txt", "symbol": "greet", "line": 9`:  `[lsp: line 9 is past the end of main.txt (4 lines)]`,
		`"action": "hover", "path": "empty.txt", "line": 2, "column": 1`:       `[lsp: line 2 is past the end of empty.txt (1 lines)]`,
		`"action": "hover", "path": "nothing.txt", "symbol": "x"`:              `[lsp: nothing.txt does not exist]`,
		`"action": "hover", "path": "sub", "symbol": "x"`:                      `[lsp: no language server for "sub" — configured: fake (.txt)]`,
		`"action": "hover", "path": "main.txt"`:                                `[lsp: hover needs symbol, or line and column — call lsp again with {"action": "hover", "path": "main.txt", "symbol": "<the identifier>"}]`,
		`"action": "definition", "path": "main.txt", "line": 2`:                `[lsp: definition needs symbol, or line and column — call lsp again with {"action": "definition", "path": "main.txt", "symbol": "<the identifier>"}]`,
		`"action": "rename", "path": "main.txt", "symbol": "greet"`:            `[lsp: rename needs new_name — call lsp again with {"action": "rename", "path": "main.txt", "symbol": "greet", "new_name": "<the new identifier>"}; do not use edit_file for a rename]`,
		`"action": "rename", "path": "main.txt", "line": 2, "column": 3`:       `[lsp: rename needs new_name — call lsp again with {"action": "rename", "path": "main.txt", "line": 2, "column": 3, "new_name": "<the new identifier>"}; do not use edit_file for a rename]`,
		`"action": "rename", "path": "main.txt", "new_name": "\"'"`:            `[lsp: rename needs new_name — call lsp again with {"action": "rename", "path": "main.txt", "symbol": "<the identifier>", "new_name": "<the new identifier>"}; do not use edit_file for a rename]`,
		`"action": "explain", "path": "main.txt"`:                              `[lsp: unknown action "explain" — use definition, references, hover, symbols, diagnostics or rename]`,
		`"path": "main.txt"`:             `[lsp: unknown action "" — use definition, references, hover, symbols, diagnostics or rename]`,
		`"action": "symbols"`:            `[lsp: path is empty — give the path of a file, relative to the working folder]`,
		`"action": "symbols", "path": 5`: `[lsp: path must be a string, not a number]`,
		`"action": "hover", "path": "main.txt", "line": "two", "column": 1`: `[lsp: the arguments are not valid: "two" is not a line or column number]`,
	} {
		p.expect(args, want)
	}
	p.write("folder.txt/x", "")
	p.expect(`"action": "symbols", "path": "folder.txt"`, `[lsp: folder.txt is a folder]`)
	if err := os.Truncate(p.path("empty.txt"), 11<<20); err != nil {
		t.Fatal(err)
	}
	p.expect(`"action": "symbols", "path": "empty.txt"`, `[lsp: empty.txt is too large]`)
	if pids := p.tool.Pids(); len(pids) > 0 {
		t.Errorf("servers were started: %v", pids)
	}
}

// TestTitles: how calls are shown.
func TestTitles(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", threeLines)
	for args, want := range map[string]string{
		`"action": "definition", "path": "./main.txt", "symbol": "greet"`:                     "🔎 lsp: definition main.txt greet",
		`"action": "hover", "path": "main.txt", "line": 2, "column": 3`:                       "🔎 lsp: hover main.txt:2:3",
		`"action": "hover", "path": "main.txt", "symbol": "greet", "line": 2`:                 "🔎 lsp: hover main.txt:2 greet",
		`"action": "rename", "path": "main.txt", "symbol": "greet", "new_name": "hello"`:      "🔎 lsp: rename main.txt greet → hello",
		`"action": "rename", "path": "main.txt", "symbol": "greet 1 12 hello"`:                "🔎 lsp: rename main.txt greet → hello",
		`"action": "rename", "path": "main.txt", "line": 2, "column": 3, "new_name": "hello"`: "🔎 lsp: rename main.txt:2:3 → hello",
		`"action": " Symbols", "file_path": "main.txt", "symbol": "greet"`:                    "🔎 lsp: symbols main.txt",
		`"action": "diagnostics", "path": "main.txt", "line": 2`:                              "🔎 lsp: diagnostics main.txt",
	} {
		plan := p.prepare(args)
		if plan.Line != want || "🔎 lsp: "+plan.Title != want {
			t.Errorf("%s: %q, %q", args, plan.Line, plan.Title)
		}
		asks, kind, as := consent.Never, consent.KindRead, ""
		if strings.Contains(args, "rename") {
			asks, kind, as = consent.UnlessYolo, consent.KindEdit, "rename"
		}
		if plan.Asks != asks || plan.Kind != kind || plan.RejectedAs != as {
			t.Errorf("%s: asks %v, kind %q, rejected as %q", args, plan.Asks, plan.Kind, plan.RejectedAs)
		}
		if plan.Refused == "" && plan.Locations[0].Path != p.path("main.txt") {
			t.Errorf("%s: locations %v", args, plan.Locations)
		}
	}
	if got := tools.Rejected("rename"); got != "[rename rejected by the user]" {
		t.Error(got)
	}
}

// TestNew: which servers there are, and how they are told of.
func TestNew(t *testing.T) {
	t.Parallel()
	missing := lsp.Server{Name: "none", Command: "no-such-language-server", Extensions: []string{".x"}}
	other := lsp.Server{Name: "other", Command: t.TempDir() + "/server", Extensions: []string{".x"}}
	tool, warnings := lsp.New(lsp.Options{Servers: []lsp.Server{missing, other}})
	want := []string{"lsp server none (no-such-language-server) not found on the PATH — skipped", "lsp server other (" + other.Command + ") not found on the PATH — skipped"}
	if tool != nil || tool.Names() != nil || !cmp.Equal(warnings, want) {
		t.Errorf("%v, %q", tool, warnings)
	}
	tool.Close() // of none

	fake, second := fakeServer(""), fakeServer("")
	second.Name, second.Extensions = "second", []string{".tar.txt", ".b"}
	tool, warnings = lsp.New(lsp.Options{Servers: []lsp.Server{missing, fake, second}})
	defer tool.Close()
	if got := tool.Names(); !cmp.Equal(got, []string{"fake", "second"}) || len(warnings) != 1 {
		t.Errorf("%q, %q", got, warnings)
	}
	spec := tool.Spec()
	if !strings.Contains(spec.Description, "Servers available: fake (.txt), second (.tar.txt, .b). ") {
		t.Error(spec.Description)
	}
	for _, action := range []string{"definition", "references", "hover", "symbols", "diagnostics", "rename"} {
		if !strings.Contains(spec.Description, action) || !strings.Contains(string(spec.Parameters), `"`+action+`"`) {
			t.Errorf("%s isn't told of", action)
		}
	}
	if spec.Name != "lsp" || spec.Counter != (tools.Counter{Icon: "🔎", Noun: "lsp call"}) || !json.Valid(spec.Parameters) {
		t.Errorf("%+v", spec)
	}
	if n := len(spec.Description) + len(spec.Parameters); n > 900 {
		t.Errorf("the declaration takes %d bytes of each request", n)
	}
}

// TestServersOwnPath: a command is looked for where the server's environment says.
func TestServersOwnPath(t *testing.T) {
	t.Parallel()
	p := &project{t: t, dir: t.TempDir()}
	p.write("bin/tool-server", "#!/bin/sh\nexec "+shellQuote(testBinary(t))+" "+fakeArg+" \"$@\"\n")
	chmod(t, p.path("bin/tool-server"))
	s := lsp.Server{Name: "own", Command: "tool-server", Args: []string{""}, Extensions: []string{".txt"}, Env: map[string]string{"PATH": p.path("bin") + ":/usr/bin:/bin"}}
	p.write("a.txt", "x\n")
	p.start(s)
	p.expect(`"action": "symbols", "path": "a.txt"`, "[lsp: no symbols found in a.txt]")
}
