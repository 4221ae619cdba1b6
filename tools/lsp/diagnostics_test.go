//go:build linux || darwin

package lsp_test

import (
	"testing"
)

const diagnosed = `
-- a.txt --
first é𝒳 greet
second
-- answers/diagnostics --
{"uri": "DIR/a.txt", "diagnostics": [
	{"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 6}}, "severity": 2, "message": "second\n  line", "source": "lint"},
	{"range": {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 12}}, "severity": 1, "message": "wrong", "source": "compiler"},
	{"range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 3}}, "severity": 4, "message": "unused"},
	{"range": {"start": {"line": 1, "character": 1}, "end": {"line": 1, "character": 3}}, "severity": 3, "message": "said", "source": "x"},
	{"range": {"start": {"line": 90, "character": 1}, "end": {"line": 90, "character": 3}}, "message": "elsewhere"}
]}
`

const fiveLines = `error a.txt:1:10 wrong [compiler]
warning a.txt:2:1 second line [lint]
info a.txt:2:2 said [x]
hint a.txt:2:3 unused
error a.txt:91:2 elsewhere`

const (
	diagnose = `"action": "diagnostics", "path": "a.txt"`
	clean    = `{"uri": "DIR/a.txt", "diagnostics": []}`
)

// TestDiagnostics: the four texts, and the one for a server that goes on silently.
func TestDiagnostics(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", diagnosed)
	p.expect(diagnose, "5 diagnostic(s) in a.txt:\n"+fiveLines)
	p.expect(diagnose, "5 diagnostic(s) in a.txt (as last published):\n"+fiveLines)
	p.write("answers/diagnostics", clean)
	p.write("a.txt", "good\n")
	p.expect(diagnose, "no diagnostics: a.txt is clean")
	p.expect(diagnose, "no diagnostics: a.txt is clean (as last published)")

	p = newFake(t, "", "-- a.txt --\n")
	const never = "no diagnostics received for a.txt within 3s (the server may still be at work: call again, or run the compiler)"
	p.expect(diagnose, never)
	p.expect(diagnose, never)

	p = newFake(t, "forgetful", diagnosed)
	p.expect(diagnose, "5 diagnostic(s) in a.txt:\n"+fiveLines)
	p.write("a.txt", "first é𝒳 greet\nsecond, changed\n")
	p.expect(diagnose, "5 diagnostic(s) in a.txt (as published before its last change: nothing newer came within 3s):\n"+fiveLines)
}

// TestDiagnosticsInTwoSteps: what comes first isn't all. typescript-language-server publishes what
// the syntax alone shows before it has looked at types.
func TestDiagnosticsInTwoSteps(t *testing.T) {
	t.Parallel()
	p := newFake(t, "two-step", diagnosed+"-- answers/syntax --\n"+clean+"\n")
	p.expect(diagnose, "5 diagnostic(s) in a.txt:\n"+fiveLines)
}

// TestDiagnosticsOfAnotherVersion: what a server publishes of an older text doesn't count.
func TestDiagnosticsOfAnotherVersion(t *testing.T) {
	t.Parallel()
	p := newFake(t, "", "-- a.txt --\nx\n-- answers/diagnostics --\n"+`{"uri": "DIR/a.txt", "version": 1, "diagnostics": []}`+"\n")
	p.expect(diagnose, "no diagnostics: a.txt is clean")
	p.write("a.txt", "y\n")
	p.expect(diagnose, "no diagnostics: a.txt is clean (as published before its last change: nothing newer came within 3s)")
}
