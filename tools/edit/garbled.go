package edit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// garbling is a way in which models garble a text.
type garbling struct {
	text string
	// undo takes it off old, or makes old and the document alike. It keeps the lines of a
	// document, so that places found stay true.
	undo func(string) string
	// both means that the document is changed too.
	both bool
	// sure reports whether the shape of old alone tells, also when it isn't found without it; nil: never.
	sure func(d *document, old, undone string) bool
}

// garblings are tried in this order.
func garblings() []garbling {
	return []garbling{
		{text: "old has line numbers or a gutter in front of its lines", undo: cutGutter, sure: numbered},
		{text: "old is wrapped in a code fence or in tags", undo: cutFence, sure: wrapped},
		{text: "old has the markers of a diff or of another edit format (-, +, @@, <<<<<<< SEARCH)", undo: cutMarkers, sure: marked},
		{text: `old has escapes (\n \t \" \\) written out where the file has the characters themselves`, undo: unescape, sure: oneLine},
		{text: `HTML entities: &lt; &gt; &amp; &quot; are other text than < > & "`, undo: unescapeHTML, both: true},
		{text: `quotes or dashes of another kind: “ ” ‘ ’ – — … are other characters than " ' - ...`, undo: plainPunctuation, both: true},
		{text: "spaces of another kind or invisible characters: a non-breaking space is not a space", undo: plainSpaces, both: true},
		{text: "accents in another Unicode form: é as one character is not e with a combining accent", undo: composed, both: true},
		{text: "the backslashes differ", undo: noBackslashes, both: true},
		{text: "the spaces or tabs inside a line differ", undo: innerSpaces, both: true},
		{text: "upper and lower case differ", undo: strings.ToLower, both: true},
	}
}

// undo tries each garbling alone, then all that apply together. It returns what it found out, and
// old without those whose shape is sure.
func (d *document) undo(old string) (why, string) {
	all, doc := old, d
	var names, sure []string
	cleaned := old
	for _, g := range garblings() {
		tried, in := g.apply(old, d)
		if tried == old && in == d || trimEdges(tried) == "" {
			continue
		}
		if w, ok := in.foundAt(tried, g.text); ok {
			return w, old
		}
		if g.sure != nil && g.sure(d, old, tried) {
			sure = append(sure, g.text)
			cleaned = g.undo(cleaned)
		}
		all, doc = g.apply(all, doc)
		names = append(names, g.text)
	}
	if len(names) > 1 {
		if w, ok := doc.foundAt(all, strings.Join(names, "; ")); ok {
			return w, old
		}
	}
	if len(sure) == 0 && d.find(old).inWord {
		sure = append(sure, "the file has it only as a part of a longer word")
	}
	return why{cause: strings.Join(sure, "; "), first: -1}, cleaned
}

// apply returns old and the document without the garbling; the same ones where nothing changes.
func (g garbling) apply(old string, d *document) (string, *document) {
	undone := g.undo(old)
	if !g.both {
		return undone, d
	}
	text := g.undo(d.text)
	if text == d.text || strings.Count(text, "\n") != strings.Count(d.text, "\n") {
		return undone, d
	}
	return undone, newDocument(text)
}

// foundAt reports whether old stands in the document, with its lines when that is one place.
func (d *document) foundAt(old, cause string) (why, bool) {
	spans := d.find(old).spans
	switch len(spans) {
	case 0:
		return why{}, false
	case 1:
		first, last := d.linesOf(spans[0])
		return why{cause: cause, first: first, last: last}, true
	}
	cause += fmt.Sprintf("; without that it appears %d times (lines %s): make it unique too", len(spans), d.startLines(spans))
	return why{cause: cause, first: -1}, true
}

// numbered reports whether the numbers that old has in front of its lines count up.
func numbered(_ *document, old, _ string) bool {
	last, n := 0, 0
	for _, l := range strings.Split(old, "\n") {
		if blank(l) {
			continue
		}
		i, err := strconv.Atoi(regexp.MustCompile(`\d+`).FindString(l))
		if err != nil || n > 0 && i <= last {
			return strings.HasPrefix(strings.TrimSpace(old), "│")
		}
		last, n = i, n+1
	}
	return n > 1 || strings.HasPrefix(strings.TrimSpace(old), "│")
}

// wrapped reports whether the first line of old is of its own making.
func wrapped(d *document, old, _ string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(old), "\n")
	return !strings.Contains(d.text, strings.TrimRight(first, "abcdefghijklmnopqrstuvwxyz"))
}

// marked reports whether old is plainly a diff; a list has lines with "-" too.
func marked(_ *document, old, _ string) bool {
	return strings.Contains(old, "<<<<<<<") || strings.HasPrefix(old, "@@") || strings.Contains(old, "\n@@") ||
		strings.HasPrefix(old, "-") && strings.Contains(old, "\n+")
}

// oneLine reports whether several lines were written as one, and half of them are there.
func oneLine(d *document, old, undone string) bool {
	if strings.Contains(strings.TrimSpace(old), "\n") || !strings.Contains(strings.TrimSpace(undone), "\n") {
		return false
	}
	_, near := d.nearest(undone)
	return near
}
