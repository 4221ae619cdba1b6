package edit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/mini-me/mm/tools/edit"
)

// block is made-up code: lines with how deep they are.
type block []struct {
	depth int
	text  string
}

func (b block) in(unit string) []string {
	var out []string
	for _, l := range b {
		if l.text == "" {
			out = append(out, "")
			continue
		}
		out = append(out, strings.Repeat(unit, l.depth)+l.text)
	}
	return out
}

func randomBlock(r *rand.Rand, n int) block {
	b := make(block, n)
	depth := 0
	for i := range b {
		b[i].depth, b[i].text = depth, fmt.Sprintf("line%d(%d)", i, r.IntN(100))
		switch {
		case r.IntN(8) == 0 && i > 0 && i < n-1:
			b[i].text = ""
		case r.IntN(3) == 0:
			depth++
		case r.IntN(3) == 0:
			depth = max(0, depth-1-r.IntN(2))
		}
	}
	return b
}

// A model retypes a region with another indentation, perhaps without its base, and changes lines in
// it. The file comes out as if the change had been made in its own style.
func TestRetypedRegionTakesTheStyleOfTheFile(t *testing.T) {
	units := []string{"\t", "  ", "    ", "   ", "        "}
	tolerant := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 1))
		code := randomBlock(r, 12+r.IntN(30))
		file, model := units[r.IntN(len(units))], units[r.IntN(len(units))]
		from := r.IntN(len(code) - 4)
		to := from + 2 + r.IntN(min(8, len(code)-from-2))
		old := slices.Clone(code[from:to])
		if old[0].text == "" || old[len(old)-1].text == "" {
			continue
		}
		changed := change(r, old)
		if changed.jumps() {
			continue
		}
		base := 0
		if r.IntN(3) == 0 { // the base is dropped from old and new alike
			base = least(old, changed)
		}
		want := strings.Join(slices.Concat(code[:from].in(file), changed.in(file), code[to:].in(file)), "\n") + "\n"
		text := strings.Join(code.in(file), "\n") + "\n"
		e := edit.Edit{
			Old: strings.Join(old.lifted(base).in(model), "\n") + "\n",
			New: strings.Join(changed.lifted(base).in(model), "\n") + "\n",
		}
		if e.Old == e.New {
			continue
		}
		got, err := edit.Apply("x", text, []edit.Edit{e})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got.Tolerant == 0 && (base > 0 || model != file) {
			continue // found byte for byte: as written
		}
		tolerant += got.Tolerant
		if got.Text != want {
			t.Fatalf("seed %d, %q in %q\nfile:\n%s\nold:\n%s\nnew:\n%s\ngot:\n%s\nwant:\n%s", seed, model, file, text, e.Old, e.New, got.Text, want)
		}
	}
	if tolerant < 1000 {
		t.Errorf("only %d tolerant matches were tried", tolerant)
	}
}

func (b block) lifted(by int) block {
	out := slices.Clone(b)
	for i := range out {
		out[i].depth -= by
	}
	return out
}

// jumps reports whether a line is more than one step deeper than the one before, as none is in code.
func (b block) jumps() bool {
	last := b[0].depth
	for _, l := range b {
		if l.text == "" {
			continue
		}
		if l.depth > last+1 {
			return true
		}
		last = l.depth
	}
	return false
}

func least(blocks ...block) int {
	n := 99
	for _, b := range blocks {
		for _, l := range b {
			if l.text != "" {
				n = min(n, l.depth)
			}
		}
	}
	return n
}

// change renames, inserts, removes and wraps lines, but leaves the depth of the first as it is.
func change(r *rand.Rand, old block) block {
	out := slices.Clone(old)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(out))
		l := out[i]
		switch r.IntN(4) {
		case 0:
			l.text = fmt.Sprintf("changed(%d)", r.IntN(100))
			out[i] = l
		case 1:
			l.text = fmt.Sprintf("inserted(%d)", r.IntN(100))
			out = slices.Insert(out, i+1, l)
		case 2:
			if len(out) > 2 && i > 0 && i < len(out)-1 {
				out = slices.Delete(out, i, i+1)
			}
		case 3:
			l.text = "wrap {"
			out = slices.Insert(out, i, l)
			out[i+1].depth++
		}
	}
	if out[0].text == "" {
		out[0].text = "first"
	}
	out[len(out)-1].text = "last"
	return out
}

// checkResult holds for whatever is accepted: the bytes outside of the changes are those of the
// text, what was replaced is old but for white space, and taking the changes back gives the text.
func checkResult(t *testing.T, text string, edits []edit.Edit, r edit.Result) {
	t.Helper()
	if len(r.Changes) != len(edits) {
		t.Fatalf("%d changes for %d edits", len(r.Changes), len(edits))
	}
	was, is := 0, 0 // behind the last change, in the text and in the result
	var back strings.Builder
	for _, c := range r.Changes {
		if c.Start < was || c.End < c.Start || c.End > len(text) {
			t.Fatalf("change [%d, %d) in a text of %d bytes, the last one ended at %d", c.Start, c.End, len(text), was)
		}
		same := c.Start - was
		if r.Text[is:is+same] != text[was:c.Start] {
			t.Fatalf("bytes before a change are not those of the text: %q, %q", r.Text[is:is+same], text[was:c.Start])
		}
		back.WriteString(r.Text[is : is+same])
		is += same
		if r.Text[is:is+len(c.New)] != c.New {
			t.Fatalf("the new text isn't where it should be")
		}
		is += len(c.New)
		back.WriteString(text[c.Start:c.End])
		was = c.End
		if a, b := squeeze(text[c.Start:c.End]), squeeze(edits[c.Edit].Old); a != b {
			t.Fatalf("replaced %q, which is not old %q", a, b)
		}
	}
	back.WriteString(r.Text[is:])
	if back.String() != text {
		t.Fatalf("taken back, the text is %q, not %q", back.String(), text)
	}
}

// squeeze takes all white space out.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '\ufeff' {
			return -1
		}
		return r
	}, s)
}
