// Package edit finds the text that a model wants to replace, and replaces it. It knows nothing of
// files: it takes text and gives text, or a [Refusal] that the model can act on.
//
// An old text is looked for in three passes, from strict to tolerant, and the first pass that finds
// anything decides: byte for byte, without the white space around it, and without the white space
// at the ends of each of its lines (at least two). Whatever the pass, the text must be there once.
// Nothing else is forgiven: a near miss is refused with its likely cause and the nearest lines,
// since an edit at the wrong place costs more than another try.
//
// After a tolerant match the new text gets the indentation and the line ends of the file; lines
// that the edit leaves as they were keep their very bytes. Bytes outside of the regions of
// [Result.Changes] never change.
package edit

import (
	"cmp"
	"slices"
	"strings"
)

// Edit replaces Old, which must stand in the text exactly once, by New.
type Edit struct{ Old, New string }

// Change is one region of the original text and what takes its place.
type Change struct {
	Edit       int // index of the edit that asked for it
	Start, End int // bytes of the original text, End not included
	New        string
}

// Result is what accepted edits come to.
type Result struct {
	Text string
	// Changes are in the order of the text; they don't overlap.
	Changes []Change
	// Tolerant counts the edits that matched only with white space ignored.
	Tolerant int
}

// Refusal is the text that tells a model why edits can't be applied and what to do.
type Refusal struct{ Text string }

func (r *Refusal) Error() string { return r.Text }

// Apply resolves all edits on text as it is, never on what another edit makes of it. If one can't
// be applied none is, and the error is a *Refusal that tells of all that are at fault. name is
// what the refusal calls the file.
func Apply(name, text string, edits []Edit) (Result, error) {
	if len(edits) == 0 {
		return Result{}, &Refusal{name + `: no edits — send at least one: "edits": [{"old": "text to find", "new": "text to put there"}]`}
	}
	d := newDocument(text)
	var r Result
	var faults []string
	for i, e := range edits {
		c, tolerant, fault := d.resolve(e)
		if fault != "" {
			faults = append(faults, editName(name, i)+fault)
			continue
		}
		c.Edit = i
		r.Changes = append(r.Changes, c)
		if tolerant {
			r.Tolerant++
		}
	}
	slices.SortStableFunc(r.Changes, func(a, b Change) int { return cmp.Compare(a.Start, b.Start) })
	faults = append(faults, d.overlaps(name, r.Changes)...)
	if len(faults) > 0 {
		return Result{}, refusal(faults, len(edits))
	}
	r.Text = splice(text, r.Changes)
	return r, nil
}

// resolve finds e in the document; a fault is the rest of a refusal after "edit #N: ".
func (d *document) resolve(e Edit) (c Change, tolerant bool, fault string) {
	switch e.Old {
	case "":
		return c, false, "old is empty — give the text to replace; write_file writes a whole file"
	case e.New:
		return c, false, "old and new are the same — nothing would change"
	}
	m := d.find(e.Old)
	switch len(m.spans) {
	case 0:
		return c, false, d.notFound(e)
	case 1:
		return d.replace(m, e), m.pass != exact, ""
	}
	return c, false, d.ambiguous(m)
}

// splice makes the changes, which are in order and don't overlap.
func splice(text string, changes []Change) string {
	var b strings.Builder
	at := 0
	for _, c := range changes {
		b.WriteString(text[at:c.Start])
		b.WriteString(c.New)
		at = c.End
	}
	b.WriteString(text[at:])
	return b.String()
}
