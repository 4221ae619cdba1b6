package markdown

import "golang.org/x/net/html/atom"

// maxLevels is how deep elements are nested in a page that is read again for being nested too deep.
// The parser stops at 512 open elements, and adds some of its own (tbody, open formatting).
const maxLevels = 120

// levels follows how deep tags are nested, for pages that are nested deeper than the parser goes.
type levels struct {
	open []tagID
	// beyond counts start tags that were left out, so that their end tags are too.
	beyond map[tagID]int

	skip   tagID // an element that was left out with its text
	nested int   // how many of that name are open; 0 when none is
}

func (l *levels) skipping() bool { return l.nested > 0 }

// start notes a start tag and reports whether the parser is to see it. gone says that the element
// is removed with its text: where it is left out, its text must be as well.
func (l *levels) start(id tagID, tag atom.Atom, gone, flat bool) bool {
	if l.nested > 0 {
		if id == l.skip {
			l.nested++
		}
		return false
	}
	if isVoid(tag) {
		return !flat || tag == atom.Br
	}
	if flat {
		if gone {
			l.skip, l.nested = id, 1
		}
		return !gone && isBlock(tag)
	}
	if n := len(l.open); n > 0 && l.open[n-1] == id && closesItself(tag) {
		return true
	}
	if len(l.open) < maxLevels {
		l.open = append(l.open, id)
		return true
	}
	if gone {
		l.skip, l.nested = id, 1
		return false
	}
	if l.beyond == nil {
		l.beyond = map[tagID]int{}
	}
	l.beyond[id]++
	return false
}

// end notes an end tag and reports whether the parser is to see it.
func (l *levels) end(id tagID, tag atom.Atom, flat bool) bool {
	if l.nested > 0 {
		if id == l.skip {
			l.nested--
		}
		return false
	}
	if flat {
		return isBlock(tag)
	}
	if l.beyond[id] > 0 {
		l.beyond[id]--
		return false
	}
	for i := len(l.open) - 1; i >= 0; i-- {
		if l.open[i] == id {
			l.open = l.open[:i]
			break
		}
	}
	return true
}

// closesItself reports whether a start tag ends an open element of the same name.
func closesItself(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Li, atom.Dt, atom.Dd, atom.Option, atom.Optgroup, atom.Tr, atom.Td, atom.Th, atom.Tbody, atom.Thead, atom.Tfoot, atom.A:
		return true
	}
	return false
}
