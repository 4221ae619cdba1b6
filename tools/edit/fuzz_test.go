package edit_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mini-me/mm/tools/edit"
)

// An accepted edit changes exactly its regions and can be taken back; a refusal says something; the
// diff counts what changed.
func FuzzApply(f *testing.F) {
	for _, c := range corpus(f) {
		if c.FileBefore == nil {
			continue
		}
		e := append(c.edits(), edit.Edit{}, edit.Edit{})
		f.Add(*c.FileBefore, e[0].Old, e[0].New, e[1].Old, e[1].New)
	}
	f.Add("\ufeffa\r\n\tb\n", "a\n b", "c", "", "")
	f.Add("a\rb\n\n \n", " b\n", "\t", "a", "")
	f.Fuzz(func(t *testing.T, text, old1, new1, old2, new2 string) {
		if !utf8.ValidString(text) {
			t.Skip()
		}
		edits := []edit.Edit{{Old: old1, New: new1}}
		if old2 != "" {
			edits = append(edits, edit.Edit{Old: old2, New: new2})
		}
		r, err := edit.Apply("f", text, edits)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f: edit #") {
				t.Fatalf("refusal %q", err)
			}
			return
		}
		checkResult(t, text, edits, r)
		checkDiff(t, text, r.Text)
	})
}

// A region retyped with other white space is found, and nothing else is touched.
func FuzzRetyped(f *testing.F) {
	f.Add("func a() {\n\tb()\n}\n", uint(0), uint(3), "  ", " ", "x\ny")
	f.Add("a\r\n  b\r\n\r\n    c\r\n", uint(1), uint(3), "\t", "\r", "")
	f.Fuzz(func(t *testing.T, text string, from, n uint, before, after, new string) {
		if !utf8.ValidString(text) || squeeze(before+after) != "" || strings.ContainsAny(before+after, "\n") {
			t.Skip()
		}
		lines := strings.Split(text, "\n")
		from %= uint(len(lines))
		to := min(from+n%8, uint(len(lines)))
		for i := from; i < to; i++ {
			lines[i] = before + strings.TrimSpace(lines[i]) + after
		}
		edits := []edit.Edit{{Old: strings.Join(lines[from:to], "\n"), New: new}}
		r, err := edit.Apply("f", text, edits)
		if err == nil {
			checkResult(t, text, edits, r)
			checkDiff(t, text, r.Text)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\n")
	f.Add("", "a")
	f.Add("a\r\nb", "a\nb\n")
	f.Fuzz(checkDiff)
}

// checkDiff rebuilds both texts from the lines of their diff.
func checkDiff(t *testing.T, old, new string) {
	d := edit.Compare(old, new)
	if old == new {
		if len(d.Lines) > 0 || d.First > 0 {
			t.Fatal("equal texts have a diff")
		}
		return
	}
	if d.Added+d.Removed == 0 || d.First == 0 {
		t.Fatalf("no change counted between %q and %q", old, new)
	}
	added, removed := 0, 0
	olds, news := strings.SplitAfter(old, "\n"), strings.SplitAfter(new, "\n")
	for _, l := range d.Lines {
		from := news
		switch l.Op {
		case edit.Gap:
			continue
		case edit.Added:
			added++
		case edit.Removed:
			removed++
			from = olds
		}
		text := strings.TrimSuffix(strings.TrimSuffix(from[l.Number-1], "\n"), "\r")
		if got := strings.TrimSuffix(l.Text, "␍"); got != text && l.Text != text {
			t.Fatalf("line %d is %q in the diff and %q in the text", l.Number, l.Text, text)
		}
		if l.Unended == strings.HasSuffix(from[l.Number-1], "\n") {
			t.Fatalf("line %d: unended is %v", l.Number, l.Unended)
		}
	}
	if added != d.Added || removed != d.Removed || added-removed != count(new)-count(old) {
		t.Fatalf("+%d -%d in the lines, +%d -%d counted; %d and %d lines", added, removed, d.Added, d.Removed, count(old), count(new))
	}
}

func count(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
