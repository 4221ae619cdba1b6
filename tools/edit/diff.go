package edit

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

// Op says what a line of a diff is.
type Op byte

// The lines of a diff, and the gap between two parts of it.
const (
	Same    Op = ' '
	Removed Op = '-'
	Added   Op = '+'
	Gap     Op = '~'
)

// DiffLine is one line of a diff.
type DiffLine struct {
	Op Op
	// Number counts lines from 1: in the old text for removed lines, else in the new one.
	Number int
	// Text is the line without its line end.
	Text string
	// Unended marks a last line that no line end closes.
	Unended bool
}

// Diff is the difference between two texts, by lines.
type Diff struct {
	Added, Removed int
	// First is the number of the first line that differs, 0 when none does.
	First int
	// Lines are the changed lines with three around them.
	Lines []DiffLine
}

// context is how many unchanged lines stand around changed ones.
const context = 3

// Compare makes the diff from old to new.
func Compare(old, new string) Diff {
	var d Diff
	if old == new {
		return d
	}
	cr := showsCR(old, new)
	a, b, skipped := window(old, new)
	unified, err := udiff.ToUnifiedDiff("", "", a, udiff.Lines(a, b), context)
	if err != nil { // the edits are those of Lines: in bounds and in order
		return d
	}
	for i, h := range unified.Hunks {
		if i > 0 {
			d.Lines = append(d.Lines, DiffLine{Op: Gap})
		}
		was, is := h.FromLine+skipped, h.ToLine+skipped
		for _, l := range h.Lines {
			switch l.Kind {
			case udiff.Delete:
				d.add(Removed, was, l.Content, cr)
				was++
			case udiff.Insert:
				d.add(Added, is, l.Content, cr)
				is++
			default:
				d.add(Same, is, l.Content, cr)
				was, is = was+1, is+1
			}
		}
	}
	return d
}

func (d *Diff) add(op Op, number int, content string, cr bool) {
	l := DiffLine{Op: op, Number: number}
	var ended bool
	l.Text, ended = strings.CutSuffix(content, "\n")
	l.Unended = !ended
	if text, ok := strings.CutSuffix(l.Text, "\r"); ok {
		l.Text = text
		if cr {
			l.Text += "␍"
		}
	}
	switch op {
	case Added:
		d.Added++
	case Removed:
		d.Removed++
	}
	if op != Same && d.First == 0 {
		d.First = number
	}
	d.Lines = append(d.Lines, l)
}

// showsCR reports whether carriage returns must be seen, since not all line ends are alike.
func showsCR(texts ...string) bool {
	crlf, lf := 0, 0
	for _, t := range texts {
		n := strings.Count(t, "\r\n")
		crlf += n
		lf += strings.Count(t, "\n") - n
	}
	return crlf > 0 && lf > 0
}

// window leaves out the lines at both ends that are the same, but for context, so that a small
// change of a large file is quick to show. skipped is how many lines are left out in front.
func window(old, new string) (a, b string, skipped int) {
	n := min(len(old), len(new))
	head := 0
	for head < n && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < n-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	for range context + 1 {
		head = strings.LastIndexByte(old[:max(head, 0)], '\n')
	}
	head++
	same := old[len(old)-tail:]
	end := 0
	for range context + 1 {
		i := strings.IndexByte(same[end:], '\n')
		if i < 0 {
			end = len(same)
			break
		}
		end += i + 1
	}
	cut := len(same) - end
	return old[head : len(old)-cut], new[head : len(new)-cut], strings.Count(old[:head], "\n")
}

// format is the line as it is shown: sign, number and text.
func (l DiffLine) format(width int) string {
	if l.Op == Gap {
		return "…"
	}
	s := strings.TrimRight(fmt.Sprintf("%c %*d │ %s", l.Op, width, l.Number, l.Text), " ")
	if l.Unended {
		s += "\n\\ No newline at end of file"
	}
	return s
}

// Format shows the lines of the diff, each "+ 12 │ text", at most maxLines of them (0: all), and
// long ones cut. What is left out is said.
func (d Diff) Format(maxLines int) []string {
	width := 1
	for _, l := range d.Lines {
		width = max(width, len(fmt.Sprint(l.Number)))
	}
	var out []string
	for i, l := range d.Lines {
		if maxLines > 0 && i == maxLines {
			return append(out, fmt.Sprintf("[... %d more lines of the diff]", len(d.Lines)-i))
		}
		if n := utf8.RuneCountInString(l.Text); n > shownWidth {
			l.Text = string([]rune(l.Text)[:shownWidth]) + fmt.Sprintf("[... %d more characters]", n-shownWidth)
		}
		out = append(out, l.format(width))
	}
	return out
}
