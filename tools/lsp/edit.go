package lsp

import (
	"fmt"
	"slices"
	"strings"
)

// applyEdits puts edits into a text. They all refer to the text as it was; edits that overlap or
// lie outside of it don't fit it, and nothing is applied then.
func applyEdits(s string, edits []textEdit) (string, error) {
	if i := strings.IndexByte(s, '\r'); i >= 0 && loneReturn(s[i:]) {
		// Some servers count lines at these, some don't, and none says which.
		return "", fmt.Errorf("it has carriage returns without line feeds, where servers disagree about line numbers — change its line ends first")
	}
	t := newText(s)
	type cut struct {
		from, to int
		text     string
	}
	cuts := make([]cut, 0, len(edits))
	for _, e := range edits {
		from, ok := t.offset(e.Range.Start)
		to, ok2 := t.offset(e.Range.End)
		if !ok || !ok2 || from > to {
			return "", fmt.Errorf("the edit at line %d doesn't fit it, it has %d lines", e.Range.Start.Line+1, t.count())
		}
		cuts = append(cuts, cut{from, to, e.NewText})
	}
	slices.SortStableFunc(cuts, func(a, b cut) int {
		if a.from != b.from {
			return a.from - b.from
		}
		return a.to - b.to
	})
	var b strings.Builder
	at := 0
	for _, c := range cuts {
		if c.from < at {
			return "", fmt.Errorf("two edits overlap on line %d", t.at(c.from).Line+1)
		}
		b.WriteString(s[at:c.from])
		b.WriteString(c.text)
		at = c.to
	}
	b.WriteString(s[at:])
	return b.String(), nil
}

// loneReturn reports whether there is a carriage return without a line feed.
func loneReturn(s string) bool {
	return strings.Count(s, "\r") != strings.Count(s, "\r\n")
}
