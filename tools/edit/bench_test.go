package edit_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/tools/edit"
)

// largeFile is 100,000 lines of code-like text, with many lines alike.
func largeFile() string {
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "func handler%d(w io.Writer, r *Request) error {\n\tvalue, err := lookup(r, \"key-%d\")\n\tif err != nil {\n\t\treturn err\n\t}\n\tif value == nil {\n\t\treturn nil\n\t}\n\treturn write(w, value, %d)\n}\n", i, i, i)
	}
	return b.String()
}

// largeOlds are texts of 20 lines that aren't in largeFile.
func largeOlds() map[string]string {
	far := make([]string, 20)
	for i := range far {
		far[i] = fmt.Sprintf("    no such line %d", i)
	}
	text := strings.Split(largeFile(), "\n")
	half := append([]string{}, text[70_000:70_020]...)
	for i := 0; i < len(half); i += 2 {
		half[i] += " // changed"
	}
	common := make([]string, 20)
	for i := range common {
		common[i] = []string{"\tif err != nil {", "\t\treturn err", "\t}", "x"}[i%4]
	}
	return map[string]string{
		"nothing alike":     strings.Join(far, "\n"),
		"half of it alike":  strings.Join(half, "\n"),
		"everywhere a part": strings.Join(common, "\n"),
	}
}

// plainSearch is what any search costs: the text byte for byte, then line by line.
func plainSearch(text, old string) bool {
	if strings.Contains(text, old) {
		return true
	}
	want := strings.Split(old, "\n")
	for i, n := range want {
		want[i] = strings.TrimSpace(n)
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.TrimSpace(l) != want[0] {
			continue
		}
		j := 1
		for j < len(want) && i+j < len(lines) && strings.TrimSpace(lines[i+j]) == want[j] {
			j++
		}
		if j == len(want) {
			return true
		}
	}
	return false
}

// BenchmarkRefused looks for texts that a large file hasn't, beside a plain search for them.
func BenchmarkRefused(b *testing.B) {
	text := largeFile()
	for name, old := range largeOlds() {
		b.Run("plain search/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if plainSearch(text, old) {
					b.Fatal("found")
				}
			}
		})
		b.Run("edit/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := edit.Apply("large.go", text, []edit.Edit{{Old: old, New: "x"}}); err == nil {
					b.Fatal("applied")
				}
			}
		})
	}
}

// BenchmarkApplied edits a large file, once for each way of matching, and reports the change.
func BenchmarkApplied(b *testing.B) {
	text := largeFile()
	for name, old := range map[string]string{
		"exact":       "\treturn write(w, value, 7777)\n",
		"edges":       "    return write(w, value, 7777)\n",
		"indentation": "func handler7777(w io.Writer, r *Request) error {\n  value, err := lookup(r, \"key-7777\")\n",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				r, err := edit.Apply("large.go", text, []edit.Edit{{Old: old, New: "x\n"}})
				if err != nil {
					b.Fatal(err)
				}
				edit.Report("", edit.Compare(text, r.Text), 100)
			}
		})
	}
}

// A refused edit of a large file must not keep anybody waiting, nor texts made to be hard.
func TestLargeFilesAreQuick(t *testing.T) {
	text := largeFile()
	olds := largeOlds()
	for name, c := range map[string]struct{ text, old string }{
		"nothing alike":     {text, olds["nothing alike"]},
		"half of it alike":  {text, olds["half of it alike"]},
		"everywhere a part": {text, olds["everywhere a part"]},
		"blanks":            {strings.Repeat(" ", 1<<20), strings.Repeat(" ", 5000)},
		"letters":           {strings.Repeat("a", 5<<20), strings.Repeat("a", 5000) + "b"},
		"braces":            {strings.Repeat("}\n", 500_000), strings.Repeat("}\n", 2000) + "x\ny {"},
		"two lines over":    {strings.Repeat("a1\nb2\n", 250_000), strings.Repeat("a1\nb2\n", 1000) + "c3"},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			if _, err := edit.Apply("large.go", c.text, []edit.Edit{{Old: c.old, New: "x"}}); err == nil {
				t.Fatal("applied")
			}
			took := time.Since(start)
			t.Logf("%v", took)
			if took > 10*time.Second { // milliseconds; the limit is for busy machines and -race
				t.Errorf("took %v", took)
			}
		})
	}
}
