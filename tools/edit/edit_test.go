package edit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mini-me/mm/tools/edit"
)

const mainGo = "package main\n\nfunc main() {\n\tcount := 1\n\tprint(count)\n}\n"

// refused returns the text of a refusal.
func refused(t *testing.T, text string, edits ...edit.Edit) string {
	t.Helper()
	r, err := edit.Apply("main.go", text, edits)
	var refusal *edit.Refusal
	if !errors.As(err, &refusal) {
		t.Fatalf("applied, or no refusal: %v\n%s", err, r.Text)
	}
	if r.Text != "" {
		t.Errorf("a refusal comes with text %q", r.Text)
	}
	return err.Error()
}

// The example of tools.fr.md, character by character.
func TestRefusalOfTheReference(t *testing.T) {
	const want = `main.go: edit #1: old text not found — it must match the file exactly, including indentation and line breaks:
│ func main() {
│ 	count := 2
│ 	print(count)
│ }
the closest the file comes to it — copy these lines:
│ 3 │ func main() {
│ 4 │ 	count := 1
│ 5 │ 	print(count)
│ 6 │ }`
	got := refused(t, mainGo, edit.Edit{Old: "func main() {\n\tcount := 2\n\tprint(count)\n}", New: "x"})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("refusal (-want +got):\n%s", diff)
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name, text string
		edits      []edit.Edit
		want       string
	}{
		{"ambiguous", "a\nx\nb\n" + strings.Repeat("\n", 7) + "x\n", []edit.Edit{{"x", "y"}},
			"main.go: edit #1: old text appears 2 times (lines 2, 11) — to change ONE of them, include its surrounding lines in old until the text is unique; to change several, send one edit per place…"},
		{"overlapping occurrences count", "aaa\n", []edit.Edit{{"aa", "b"}},
			"main.go: edit #1: old text appears 2 times (lines 1, 1) — to change ONE of them, include its surrounding lines in old until the text is unique; to change several, send one edit per place…"},
		{"many places", strings.Repeat("x\n", 30), []edit.Edit{{"x", "y"}},
			"main.go: edit #1: old text appears 30 times (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, …) — to change ONE of them, include its surrounding lines in old until the text is unique; to change several, send one edit per place…"},
		{"no edits", "a\n", nil,
			`main.go: no edits — send at least one: "edits": [{"old": "text to find", "new": "text to put there"}]`},
		{"empty old", "a\n", []edit.Edit{{"", "b"}},
			"main.go: edit #1: old is empty — give the text to replace; write_file writes a whole file"},
		{"same", "a\n", []edit.Edit{{"a", "a"}},
			"main.go: edit #1: old and new are the same — nothing would change"},
		{"white space alone", "a\n", []edit.Edit{{" \n ", "b"}},
			"main.go: edit #1: old text not found — it must match the file exactly, including indentation and line breaks:\n│\n│\nthe cause: old is white space alone"},
		{"overlap", "abcdef\n", []edit.Edit{{"abcd", "1"}, {"cdef", "2"}},
			"main.go: edit #2: overlaps edit #1 (line 1) — make one edit of the two\nnothing was written: correct this and send all 2 edits again"},
		{"nested", "a\nb\nc\n", []edit.Edit{{"b", "1"}, {"a\nb\nc", "2"}},
			"main.go: edit #1: lies inside edit #2 (lines 1-3) — make one edit of the two\nnothing was written: correct this and send all 2 edits again"},
		{"nested, same start", "abc\n", []edit.Edit{{"ab", "1"}, {"abc", "2"}},
			"main.go: edit #2: contains edit #1 (line 1) — make one edit of the two\nnothing was written: correct this and send all 2 edits again"},
		{"repeated", "abc\n", []edit.Edit{{"ab", "1"}, {"ab", "1"}},
			"main.go: edit #2: repeats edit #1 (line 1) — send each change once\nnothing was written: correct this and send all 2 edits again"},
		{"two inside a wide one", "abcdefgh\n", []edit.Edit{{"abcdefgh", "1"}, {"b", "2"}, {"g", "3"}},
			"main.go: edit #2: lies inside edit #1 (line 1) — make one edit of the two\nmain.go: edit #3: lies inside edit #1 (line 1) — make one edit of the two\nnothing was written: correct this and send all 3 edits again"},
		{"all faults at once", "a\nb\nb\n", []edit.Edit{{"zz", "1"}, {"b", "2"}, {"a", "3"}},
			"main.go: edit #1: old text not found — it must match the file exactly, including indentation and line breaks:\n│ zz\nmain.go: edit #2: old text appears 2 times (lines 2, 3) — to change ONE of them, include its surrounding lines in old until the text is unique; to change several, send one edit per place…\nnothing was written: correct this and send all 3 edits again"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, refused(t, tt.text, tt.edits...)); diff != "" {
				t.Errorf("refusal (-want +got):\n%s", diff)
			}
		})
	}
}

func TestApply(t *testing.T) {
	tests := []struct {
		name, text, old, new, want string
		tolerant                   int
	}{
		// Exact matches: new as written.
		{"as written", "\ta\n\tb\n", "a\n\tb", "x\n    y", "\tx\n    y\n", 0},
		{"joins lines when new lacks the line end", "a\nb\n", "a\n", "x", "xb\n", 0},
		{"CRLF for new in a CRLF file", "a\r\nb\r\n", "a", "x\ny", "x\r\ny\r\nb\r\n", 0},
		{"CRLF in new stays one line end", "a\r\nb\r\n", "a", "x\r\ny", "x\r\ny\r\nb\r\n", 0},
		{"LF is added behind a CR that stays", "a\r\nb", "\n", "\n\n", "a\r\n\r\nb", 0},
		{"mixed line ends: as written", "a\r\nb\n", "a", "x\ny", "x\ny\r\nb\n", 0},
		{"a byte order mark can be found", "\ufeffa\n", "\ufeffa", "b", "b\n", 0},

		// The edges.
		{"the same padding is taken from new", "f(\n\tx)\n", "   x)\n", "   y)\n", "f(\n\ty)\n", 1},
		{"padding that only new lacks", "\tx = 1\n", "    x = 1\n", "x = 2", "\tx = 2\n", 1},
		{"a part of the padding", "\tx = 1\nz\n", "\n    x = 1\n\n", "    x = 2\n", "\tx = 2\nz\n", 1},
		{"new goes deeper", "\tx()\n", "    x()\n", "    if a {\n        x()\n    }\n", "\tif a {\n\t\tx()\n\t}\n", 1},
		{"new goes deeper without its base", "\tx()\n", "    x()\n", "if a {\n    x()\n}\n", "\tif a {\n\t\tx()\n\t}\n", 1},
		{"new has the indentation of the file", "\tx()\n", "    x()\n", "\tif a {\n\t\tx()\n\t}\n", "\tif a {\n\t\tx()\n\t}\n", 1},
		{"blank lines that new adds", "\tx()\n", "    x()\n", "    x()\n\n\n", "\tx()\n\n\n", 1},
		{"blank lines of blanks", "\tx()\n\ty()\n", "    x()\n", "    x()\n    \n    z()\n", "\tx()\n\n\tz()\n\ty()\n", 1},
		{"inside of a line", "a = f(x)\n", " f(x)\t", " g(y)\t", "a = g(y)\n", 1},
		{"nothing on the line stays", "a\n\tx()\nb\n", "    x()\n", "", "a\nb\n", 1},
		{"nothing on the line, its end stays", "a\n\tx()\nb\n", "    x()", "", "a\n\nb\n", 1},
		{"new is a blank line", "a\n\tx()\nb\n", "    x()\n", "\n", "a\n\nb\n", 1},
		{"something after it on the line", "a\n\tx(); y()\n", "    x(); ", "", "a\n\t y()\n", 1},
		{"no-break spaces as indentation", "    x()\n", "\u00a0\u00a0x()", "\u00a0\u00a0y()", "    y()\n", 1},
		{"a byte order mark before old", "a\nb\n", "\ufeffa\nb\n", "\ufeffc\nb\n", "c\nb\n", 1},

		// The indentation.
		{"byte order mark before the first line stays", "\ufeffa {\n\tb\n}\n", "a {\n  b\n}", "c {\n  b\n}", "\ufeffc {\n\tb\n}\n", 1},
		{"lines left as they were keep their bytes", "a  \r\n\tb \n\tc\r\n", "a\n  b\n  c", "a\n  b\n  d", "a  \r\n\tb \n\td\r\n", 1},
		{"trailing blanks that the file doesn't have", "a\nb\nc\n", "a  \nb  \nc  ", "a  \nx  \nc  ", "a\nx\nc\n", 1},
		{"trailing blanks that new adds", "\ta\n\tb\n", "  a\n  b", "  a  \n  b", "\ta  \n\tb\n", 1},
		{"only the first line lacks its base", "\tif a {\n\t\tb()\n\t}\n", "if a {\n        b()\n    }", "if a {\n        b()\n        c()\n    }", "\tif a {\n\t\tb()\n\t\tc()\n\t}\n", 1},
		{"only the first line of new lacks its base", "\tif a {\n\t\tb()\n\t}\n", "    if a {\n        b()\n    }", "if a {\n        c()\n    }", "\tif a {\n\t\tc()\n\t}\n", 1},
		{"new lacks its base", "\tif a {\n\t\tb()\n\t}\n", "    if a {\n        b()\n    }", "if a {\n    c()\n}", "\tif a {\n\t\tc()\n\t}\n", 1},
		{"new wraps lines", "\ta()\n\tb()\n", "    a()\n    b()\n", "    if x {\n        a()\n        b()\n    }\n", "\tif x {\n\t\ta()\n\t\tb()\n\t}\n", 1},
		{"new goes less deep", "\tif x {\n\t\ta()\n\t\tb()\n\t}\n", "    if x {\n        a()\n        b()\n    }\n", "    a()\n    b()\n", "\ta()\n\tb()\n", 1},
		{"two deeper at once, three for four", "class A:\n    def f(self):\n        return 1\n", "   def f(self):\n      return 1", "   def f(self):\n      if x:\n         if y:\n            return 2\n      return 1", "class A:\n    def f(self):\n        if x:\n            if y:\n                return 2\n        return 1\n", 1},
		{"blanks behind a step stay", "f(a,\n    b)\n", "f(a,\n\tb)", "f(a,\n\t  b,\n\tc)", "f(a,\n      b,\n    c)\n", 1},
		{"CRLF", "a {\r\n\tb\r\n}\r\n", "a {\n    b\n}\n", "a {\n    b\n    c\n}\n", "a {\r\n\tb\r\n\tc\r\n}\r\n", 1},
		{"CRLF in old and new, LF in the file", "a {\n\tb\n}\n", "a {\r\n    b\r\n}\r\n", "a {\r\n    c\r\n    b\r\n}\r\n", "a {\n\tc\n\tb\n}\n", 1},
		{"empty lines around", "\ta\n\tb\n", "\n\n  a\n  b\n\n", "\n\n  a\n  c\n\n", "\ta\n\tc\n", 1},
		{"the block goes, with its line end", "x\n\ta\n\tb\ny\n", "  a\n  b\n", "", "x\ny\n", 1},
		{"the block goes, its line end stays", "x\n\ta\n\tb\ny\n", "  a\n  b", "", "x\n\ny\n", 1},
		{"no final line end", "x\n\ta\n\tb", "  a\n  b\n", "  c\n", "x\n\tc", 1},
		{"a file without indentation takes that of new", "a\nb\n", "a \nb \n", "a\n  c\nb\n", "a\n  c\nb\n", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := edit.Apply("x", tt.text, []edit.Edit{{Old: tt.old, New: tt.new}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Text != tt.want || r.Tolerant != tt.tolerant {
				t.Errorf("text %q\nwant %q\n%d tolerant, want %d", r.Text, tt.want, r.Tolerant, tt.tolerant)
			}
		})
	}
}

// What models really send in old. Each refusal names the cause.
func TestCauses(t *testing.T) {
	const text = "package main\n\nfunc main() {\n\tname := \"Ann\"\n\tif a < b && c {\n\t\tprint(name, `\\d+`)\n\t}\n\treturn // it's été\n}\n"
	tests := []struct{ name, old, new, cause, shows string }{
		{"numbers", "4 |     name := \"Ann\"\n5 |     if a < b && c {", "x", "old has line numbers or a gutter in front of its lines", "│ 5 │ \tif a < b && c {"},
		{"cat -n", "     4\t\tname := \"Ann\"", "x", "old has line numbers or a gutter in front of its lines", "│ 4 │ \tname := \"Ann\""},
		{"arrows", "4→\tname := \"Ann\"\n5→\tif a < b && c {", "x", "old has line numbers", "│ 4 │ \tname := \"Ann\""},
		{"gutter of a refusal", "│ 4 │ \tname := \"Ann\"\n│ 5 │ \tif a < b && c {", "x", "old has line numbers or a gutter", "│ 4 │ \tname := \"Ann\""},
		{"gutter without numbers", "│ \tname := \"Ann\"\n│ \tif a < b && c {", "x", "old has line numbers or a gutter", "│ 4 │ \tname := \"Ann\""},
		{"lines of a diff of ours", "- 4 │ \tname := \"Ann\"\n  5 │ \tif a < b && c {", "x", "old has line numbers or a gutter", "│ 4 │ \tname := \"Ann\""},
		{"numbers and a stale line", "4 |     name := \"Bob\"\n5 |     if a < b && c {", "x", "old has line numbers", "the closest the file comes to it — copy these lines:\n│ 4 │ \tname := \"Ann\""},
		{"fence", "```go\n\tname := \"Ann\"\n```", "x", "old is wrapped in a code fence or in tags", "│ 4 │ \tname := \"Ann\""},
		{"tags", "<old>\n\tname := \"Ann\"\n</old>", "x", "old is wrapped in a code fence or in tags", "│ 4 │ \tname := \"Ann\""},
		{"diff", "@@ -4 +4 @@\n-\tname := \"Ann\"\n+\tname := \"Bob\"", "x", "old has the markers of a diff or of another edit format", "│ 4 │ \tname := \"Ann\""},
		{"search block", "<<<<<<< SEARCH\n\tname := \"Ann\"\n=======\n\tname := \"Bob\"\n>>>>>>> REPLACE", "x", "old has the markers of a diff or of another edit format", "│ 4 │ \tname := \"Ann\""},
		{"escapes", `\tname := \"Ann\"\n\tif a < b && c {`, "x", `old has escapes (\n \t \" \\) written out`, "│ 5 │ \tif a < b && c {"},
		{"unicode escapes", `it's \u00e9t\u00e9`, "x", "old has escapes", "│ 8 │ \treturn // it's été"},
		{"escapes and a stale line", `\tname := \"Bob\"\n\tif a < b && c {`, "x", "old has escapes", "the closest the file comes to it"},
		{"entities", "if a &lt; b &amp;&amp; c {", "x", "HTML entities", "│ 5 │ \tif a < b && c {"},
		{"smart quotes", "name := “Ann”", "x", "quotes or dashes of another kind", "│ 4 │ \tname := \"Ann\""},
		{"apostrophe", "return // it’s été", "x", "quotes or dashes of another kind", "│ 8 │"},
		{"no-break space", "name\u00a0:= \"Ann\"", "x", "spaces of another kind or invisible characters", "│ 4 │"},
		{"zero width", "na\u200bme := \"Ann\"", "x", "spaces of another kind or invisible characters", "│ 4 │"},
		{"decomposed", "it's e\u0301te\u0301", "x", "accents in another Unicode form", "│ 8 │"},
		{"backslashes", "print(name, `d+`)", "x", "the backslashes differ", "│ 6 │"},
		{"inner spaces", "name  := \"Ann\"", "x", "the spaces or tabs inside a line differ", "│ 4 │"},
		{"case", "Name := \"Ann\"", "x", "upper and lower case differ", "│ 4 │"},
		{"two at once", "4 | name := “Ann”", "x", "old has line numbers or a gutter in front of its lines; quotes or dashes", "│ 4 │"},
		{"elided", "func main() {\n\t...\n\treturn // it's été", "x", "old leaves lines out (...)", "│ 8 │ \treturn"},
		{"elided in a comment", "func main() {\n\t// ... existing code ...\n\treturn // it's été", "x", "old leaves lines out (...)", "│ 8 │ \treturn"},
		{"left out", "func main() {\n\tname := \"Ann\"\n\t\tprint(name, `\\d+`)\n", "x", "old leaves out 1 line that the file has in between", "│ 5 │ \tif a"},
		{"blank line", "package main\nfunc main() {", "x", "the blank lines differ", "│ 1 │ package main\n│ 2 │\n│ 3 │ func main() {"},
		{"made before", "name := \"Eve\"", "name := \"Ann\"", "the file already has new (line 4): this edit may have been made before", ""},
		{"word", "  ame := \"Ann\"", "x", "the file has it only as a part of a longer word", ""},
		{"several after undoing", "“a”", "x", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := refused(t, text, edit.Edit{Old: tt.old, New: tt.new})
			_, rest, _ := strings.Cut(got, "\nthe cause: ")
			if !strings.HasPrefix(rest, tt.cause) {
				t.Errorf("cause %q is missing:\n%s", tt.cause, got)
			}
			if !strings.Contains(rest, tt.shows) {
				t.Errorf("%q is missing:\n%s", tt.shows, got)
			}
		})
	}
	got := refused(t, "say \"x\"\nsay \"x\"\n", edit.Edit{Old: "say “x”", New: "y"})
	if want := "without that it appears 2 times (lines 1, 2): make it unique too"; !strings.Contains(got, want) {
		t.Errorf("%q is missing:\n%s", want, got)
	}
}

// Shapes that are not what they seem: nothing is claimed about them.
func TestNoFalseCauses(t *testing.T) {
	for _, old := range []string{
		"- one\n- two",
		"| a | b |\n| c | d |",
		"1: x\n1: y",
		"f(...args)\n...rest",
		"&notanentity",
		`C:\new\table`,
	} {
		if got := refused(t, mainGo, edit.Edit{Old: old, New: "something else"}); strings.Contains(got, "the cause") || strings.Contains(got, "copy these lines") {
			t.Errorf("%q: %s", old, got)
		}
	}
}

// A brace is everywhere: it is no sign that the place is the right one.
func TestHintNeedsATellingLine(t *testing.T) {
	got := refused(t, mainGo, edit.Edit{Old: "func other() {\n}", New: "x"})
	if strings.Contains(got, "closest") {
		t.Errorf("points at an innocent place:\n%s", got)
	}
}

// Of places that have equally many lines of old, the one that looks most like it.
func TestHintChoosesTheMostSimilar(t *testing.T) {
	text := "a {\n\tlog()\n\twalk(x)\n}\n\nb {\n\tlog()\n\trunning(y)\n}\n"
	got := refused(t, text, edit.Edit{Old: "\tlog()\n\trunning(z)", New: "x"})
	if !strings.HasSuffix(got, "│ 7 │ \tlog()\n│ 8 │ \trunning(y)") {
		t.Errorf("hint:\n%s", got)
	}
}

func TestRefusalStaysShort(t *testing.T) {
	long := strings.Repeat("x", 5000)
	got := refused(t, strings.Repeat("y\n", 500), edit.Edit{Old: long + "\n" + strings.Repeat("z\n", 500), New: "x"})
	if len(got) > 4000 || !strings.Contains(got, "[... 4600 more characters]") || !strings.Contains(got, "│ [... 461 more lines]") {
		t.Errorf("%d bytes:\n%.3000s", len(got), got)
	}
}
