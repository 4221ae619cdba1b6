package markdown

import (
	"slices"

	"golang.org/x/net/html/atom"
)

// maxClones is how many formatting elements the parser may open again in a page before those that
// aren't closed are left out. One costs about 200 bytes; without a bound, 400 different open <b> and
// a million <p>, five megabytes, are 80 gigabytes.
const maxClones = 300_000

// maxActive bounds how many of them can be active at once: the parser keeps three alike, there are
// twelve names, and the sieve leaves three forms of each (plain, hidden, advertisement).
const maxActive = 12 * 3 * 3

// maxOpen bounds how many tags are followed inside an open formatting element.
const maxOpen = 1 << 10

// loose follows formatting elements and tells those that are closed beyond doubt, with only plain,
// well-nested tags between, from those that may stay active: HTML5 opens these again in each block
// and text that comes after ("reconstruct the active formatting elements").
type loose struct {
	open   []openTag // since the outermost formatting element that is open, that one included
	tags   []int32   // the loose ones, by their number among all formatting start tags
	next   int32     // number of the next formatting start tag
	clones int       // how many are opened again, at most
	drop   []int32   // those to leave out, in ascending order; nil when none are
}

type openTag struct {
	id     tagID
	number int32 // -1 when it isn't a formatting element
}

// tagID tells tags apart: an atom, or a hash of a name that has none.
type tagID uint64

func idOf(tag atom.Atom, name []byte) tagID {
	if tag != 0 {
		return tagID(tag)
	}
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range name {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return tagID(h | 1<<63)
}

// tangled reports whether the page must be read again without its loose elements.
func (l *loose) tangled() bool { return l.drop == nil && l.clones > maxClones }

// reopen notes a place where the parser opens the active formatting elements again.
func (l *loose) reopen() { l.clones += min(len(l.tags), maxActive) }

// start notes a start tag and reports whether the parser is to see it.
func (l *loose) start(id tagID, tag atom.Atom) bool {
	l.reopen()
	if isVoid(tag) {
		return true
	}
	number := int32(-1)
	switch {
	case isFormatting(tag):
		number = l.next
		l.next++
		if _, found := slices.BinarySearch(l.drop, number); found {
			return false
		}
	case len(l.open) == 0:
		return true
	}
	if len(l.open) == maxOpen || hidesFormatting(tag) {
		l.loosen()
		return true
	}
	l.open = append(l.open, openTag{id, number})
	return true
}

// end notes an end tag.
func (l *loose) end(id tagID) {
	n := len(l.open)
	if n == 0 {
		return
	}
	if l.open[n-1].id != id {
		l.loosen()
		return
	}
	l.open = l.open[:n-1]
}

// loosen gives up following: whatever is open may stay active.
func (l *loose) loosen() {
	for _, t := range l.open {
		if t.number >= 0 {
			l.tags = append(l.tags, t.number)
		}
	}
	l.open = l.open[:0]
}

// isFormatting reports whether HTML5 opens the element again where it isn't closed. Of a and nobr
// only one can be active: a start tag closes the one before.
func isFormatting(tag atom.Atom) bool {
	switch tag {
	case atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}

// hidesFormatting reports whether an end tag inside the element may not close a formatting element
// that began outside of it (HTML5: markers, scopes, and modes that ignore tags).
func hidesFormatting(tag atom.Atom) bool {
	switch tag {
	case atom.Table, atom.Caption, atom.Colgroup, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th,
		atom.Applet, atom.Object, atom.Marquee, atom.Template, atom.Button, atom.Select, atom.Option, atom.Optgroup,
		atom.Html, atom.Head, atom.Body, atom.Frameset, atom.Plaintext:
		return true
	}
	return false
}

// isVoid reports whether the element has no end tag that the sieve would see.
func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Basefont, atom.Bgsound, atom.Br, atom.Col, atom.Embed, atom.Frame, atom.Hr, atom.Image, atom.Img,
		atom.Input, atom.Keygen, atom.Link, atom.Meta, atom.Param, atom.Source, atom.Textarea, atom.Track, atom.Wbr:
		return true
	}
	return false
}
