package edit

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// why is what can be said about an old that was not found.
type why struct {
	cause string
	// first and last are the lines of the document to show; first is -1 when there are none.
	first, last int
	// close means that half of old is there word for word.
	close bool
}

// explain looks for the reason why old isn't there, and for the lines that were meant. A cause is
// named when old is found once it is undone, or when its shape alone leaves no doubt.
func (d *document) explain(e Edit) why {
	if trimEdges(e.Old) == "" {
		return why{cause: "old is white space alone", first: -1}
	}
	w, undone := d.undo(e.Old)
	if w.cause == "" {
		w = d.elided(e.Old)
	}
	near, isNear := d.nearest(e.Old)
	if !isNear && undone != e.Old {
		near, isNear = d.nearest(undone)
	}
	if w.cause == "" && isNear {
		w = near.skipped()
	}
	if w.cause == "" {
		w = d.already(e)
	}
	if isNear && w.first < 0 {
		w.first, w.last = near.first, near.last
	}
	w.close = isNear
	return w
}

// skipped tells what the lines near old have more or less than old, when all of old is there.
func (r region) skipped() why {
	w := why{first: r.first, last: r.last}
	switch {
	case !r.whole:
	case r.more > 0:
		w.cause = fmt.Sprintf("old leaves out %s that the file has in between", count(r.more, "line"))
	default:
		w.cause = "the blank lines differ"
	}
	return w
}

// elided recognises an old that leaves lines out with "...", and finds its parts.
func (d *document) elided(old string) why {
	parts := [][]string{nil}
	for _, l := range strings.Split(withNewlines(old, "\n"), "\n") {
		if isEllipsis(l) {
			parts = append(parts, nil)
		} else {
			parts[len(parts)-1] = append(parts[len(parts)-1], l)
		}
	}
	w := why{first: -1}
	if len(parts) == 1 {
		return w
	}
	w.cause = "old leaves lines out (...) — every line must be there; or make one edit for each part"
	first, last := -1, -1
	for _, p := range parts {
		part := strings.Join(p, "\n")
		if trimEdges(part) == "" {
			continue
		}
		spans := d.find(part).spans
		if len(spans) == 0 {
			return w
		}
		from, to := d.linesOf(spans[0])
		if len(spans) > 1 || from <= last {
			return w
		}
		if first < 0 {
			first = from
		}
		last = to
	}
	w.first, w.last = first, last
	return w
}

// isEllipsis reports whether a line stands for lines left out: "...", "// ...", "# ... rest of the
// code ...".
func isEllipsis(line string) bool {
	s := strings.TrimSpace(line)
	for _, comment := range []string{"//", "#", "--", "/*", "<!--", ";", "%"} {
		if rest, ok := strings.CutPrefix(s, comment); ok {
			s = strings.TrimSpace(rest)
			break
		}
	}
	rest, ok := strings.CutPrefix(s, "...")
	if ok { // "...args" and "...(x)" are code
		r, _ := utf8.DecodeRuneInString(rest)
		return r != '(' && !wordRune(r)
	}
	return strings.HasPrefix(s, "…") || strings.HasPrefix(s, "[...")
}

// already tells when new is in the document: the edit may have been made before. Short texts are
// found everywhere and say nothing.
func (d *document) already(e Edit) why {
	w := why{first: -1}
	if utf8.RuneCountInString(trimEdges(e.New)) < 8 {
		return w
	}
	if spans := d.find(e.New).spans; len(spans) > 0 {
		first, last := d.linesOf(spans[0])
		w.cause = fmt.Sprintf("the file already has new (%s): this edit may have been made before", lineRange(first, last))
	}
	return w
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
