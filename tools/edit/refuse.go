package edit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits of what a refusal repeats. A model's context is small, and the reason must fit in it.
const (
	shownLines   = 40  // of old, and of the file
	shownNumbers = 20  // line numbers of an ambiguous old
	shownWidth   = 400 // characters of a line
)

func editName(name string, i int) string { return fmt.Sprintf("%s: edit #%d: ", name, i+1) }

// refusal joins the faults of a call. Models tend to repair the edit at fault and to send it
// alone, so it says that the others are still to be done.
func refusal(faults []string, edits int) *Refusal {
	text := strings.Join(faults, "\n")
	if edits > 1 {
		text += fmt.Sprintf("\nnothing was written: correct this and send all %d edits again", edits)
	}
	return &Refusal{text}
}

// overlaps tells of changes, in the order of the text, that touch the same bytes.
func (d *document) overlaps(name string, changes []Change) []string {
	var faults []string
	for i := 1; i < len(changes); i++ {
		a, b := changes[i-1], changes[i]
		if b.Start >= a.End {
			continue
		}
		how := "overlaps edit #%d (%s) — make one edit of the two"
		switch {
		case a.Start == b.Start && a.End == b.End:
			how = "repeats edit #%d (%s) — send each change once"
		case b.End <= a.End:
			how = "lies inside edit #%d (%s) — make one edit of the two"
		case a.Start == b.Start:
			how = "contains edit #%d (%s) — make one edit of the two"
		}
		first, last := d.linesOf(span{a.Start, a.End})
		faults = append(faults, editName(name, b.Edit)+fmt.Sprintf(how, a.Edit+1, lineRange(first, last)))
		if a.End > b.End { // the wider one may reach the next change too
			changes[i] = a
		}
	}
	return faults
}

// ambiguous is the fault of an old with several places.
func (d *document) ambiguous(m match) string {
	return fmt.Sprintf("old text appears %d times (lines %s) — to change ONE of them, include its surrounding lines in old until the text is unique; to change several, send one edit per place…", len(m.spans), d.startLines(m.spans))
}

// startLines lists the numbers of the lines in which spans begin.
func (d *document) startLines(spans []span) string {
	var at []string
	for _, s := range spans[:min(len(spans), shownNumbers)] {
		at = append(at, strconv.Itoa(d.lineAt(s.start)+1))
	}
	if len(spans) > shownNumbers {
		at = append(at, "…")
	}
	return strings.Join(at, ", ")
}

// notFound is the fault of an old that is nowhere, with its cause and the nearest lines as far as
// they can be told.
func (d *document) notFound(e Edit) string {
	var b strings.Builder
	b.WriteString("old text not found — it must match the file exactly, including indentation and line breaks:")
	old := strings.Split(strings.TrimSuffix(withNewlines(e.Old, "\n"), "\n"), "\n")
	for _, l := range old[:min(len(old), shownLines)] {
		b.WriteString("\n" + gutter("", l))
	}
	if n := len(old) - shownLines; n > 0 {
		fmt.Fprintf(&b, "\n│ [... %d more lines]", n)
	}
	why := d.explain(e)
	if why.cause != "" {
		b.WriteString("\nthe cause: " + why.cause)
	}
	switch {
	case why.first < 0:
	case why.close:
		b.WriteString("\nthe closest the file comes to it — copy these lines:" + d.excerpt(why.first, why.last))
	default:
		fmt.Fprintf(&b, "\nwhat the file has there (%s) — copy these lines:%s", lineRange(why.first, why.last), d.excerpt(why.first, why.last))
	}
	return b.String()
}

// excerpt shows lines of the document with their numbers.
func (d *document) excerpt(first, last int) string {
	var b strings.Builder
	for i := first; i <= min(last, first+shownLines-1); i++ {
		b.WriteString("\n" + gutter(strconv.Itoa(i+1), d.content(i)))
	}
	if n := last - first + 1 - shownLines; n > 0 {
		fmt.Fprintf(&b, "\n│ [... %d more lines]", n)
	}
	return b.String()
}

// gutter sets a line apart from the text around it.
func gutter(number, text string) string {
	if n := utf8.RuneCountInString(text); n > shownWidth {
		text = string([]rune(text)[:shownWidth]) + fmt.Sprintf("[... %d more characters]", n-shownWidth)
	}
	if number != "" {
		number += " │ "
	}
	return strings.TrimRight("│ "+number+text, " ")
}

// lineRange names lines given by their indexes.
func lineRange(first, last int) string {
	if first == last {
		return fmt.Sprintf("line %d", first+1)
	}
	return fmt.Sprintf("lines %d-%d", first+1, last+1)
}
