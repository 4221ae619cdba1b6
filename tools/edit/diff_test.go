package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mini-me/mm/tools/edit"
)

func TestReport(t *testing.T) {
	text := "package main\n\nfunc main() {\n\tcount := 1\n\tprint(count)\n}\n" + strings.Repeat("\n", 5) + "// end\n"
	tests := []struct {
		name   string
		edits  []edit.Edit
		dryRun bool
		want   string
	}{
		{"one", []edit.Edit{{"count := 1", "count := 2\n\tcount++"}}, false,
			`main.go: 1 edit applied · lines +2 -1 · first changed line 4
  1 │ package main
  2 │
  3 │ func main() {
- 4 │ 	count := 1
+ 4 │ 	count := 2
+ 5 │ 	count++
  6 │ 	print(count)
  7 │ }
  8 │`},
		{"two, one tolerant, dry run", []edit.Edit{{"// end\n", ""}, {"    print(count)\n", "    print(7)\n"}}, true,
			`main.go: 2 edits would apply (dry run: nothing written) · lines +1 -2 · first changed line 5 · 1 matched ignoring whitespace
   2 │
   3 │ func main() {
   4 │ 	count := 1
-  5 │ 	print(count)
+  5 │ 	print(7)
   6 │ }
   7 │
   8 │
   9 │
  10 │
  11 │
- 12 │ // end`},
		{"two parts, no final line end", []edit.Edit{{"// end\n", "// end"}, {"package main", "package app"}}, false,
			`main.go: 2 edits applied · lines +2 -2 · first changed line 1
-  1 │ package main
+  1 │ package app
   2 │
   3 │ func main() {
   4 │ 	count := 1
…
   9 │
  10 │
  11 │
- 12 │ // end
+ 12 │ // end
\ No newline at end of file`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, err := edit.Apply("main.go", text, tt.edits)
			if err != nil {
				t.Fatal(err)
			}
			d := edit.Compare(text, r.Text)
			if diff := cmp.Diff(tt.want, edit.Report(r.Header("main.go", d, tt.dryRun), d, 0)); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWritten(t *testing.T) {
	for _, tt := range []struct {
		old, new string
		created  bool
		want     string
	}{
		{"", "a\nb\n", true, "x: created · lines +2 -0 · first changed line 1\n+ 1 │ a\n+ 2 │ b"},
		{"", "", true, "x: created · lines +0 -0"},
		{"a\nb\n", "", false, "x: replaced · lines +0 -2 · first changed line 1\n- 1 │ a\n- 2 │ b"},
		{"a\r\nb\r\n", "a\nb\r\n", false, "x: replaced · lines +1 -1 · first changed line 1\n- 1 │ a␍\n+ 1 │ a\n  2 │ b␍"},
		{"a\r\n", "b\r\n", false, "x: replaced · lines +1 -1 · first changed line 1\n- 1 │ a\n+ 1 │ b"},
	} {
		d := edit.Compare(tt.old, tt.new)
		if got := edit.Report(edit.Written("x", d, tt.created), d, 0); got != tt.want {
			t.Errorf("%q to %q:\n%s\nwant:\n%s", tt.old, tt.new, got, tt.want)
		}
	}
}

func TestDiffIsLimited(t *testing.T) {
	var new strings.Builder
	for i := range 50 {
		fmt.Fprintf(&new, "%d\n", i)
	}
	new.WriteString(strings.Repeat("x", 1000))
	d := edit.Compare("", new.String())
	lines := d.Format(10)
	if len(lines) != 11 || lines[10] != "[... 41 more lines of the diff]" {
		t.Errorf("%d lines, the last one %q", len(lines), lines[len(lines)-1])
	}
	if all := d.Format(0); len(all) != 51 || !strings.Contains(all[50], "xxx[... 600 more characters]\n\\ No newline") {
		t.Errorf("%d lines, the last one %q", len(all), all[len(all)-1])
	}
}

// A change in a large file costs what the change costs.
func TestDiffOfALargeFile(t *testing.T) {
	old := largeFile()
	new := strings.Replace(old, "key-7777", "key-seven", 1)
	d := edit.Compare(old, new)
	if d.Added != 1 || d.Removed != 1 || d.First != 77772 || len(d.Lines) != 8 || d.Lines[0].Number != 77769 {
		t.Errorf("+%d -%d, first %d, %d lines from %d", d.Added, d.Removed, d.First, len(d.Lines), d.Lines[0].Number)
	}
}
