package markdown

import "golang.org/x/net/html/atom"

// drawing follows the inside of an svg element, which is left out whole. It ends where HTML5 leaves
// such an element: at its end tag, at an end tag of an element around it, or at a tag that can't be
// in one.
type drawing struct {
	tags   []drawn // open elements, the svg first
	html   int     // how many of them hold HTML
	beyond int     // open elements that aren't followed, since there are too many
}

type drawn struct {
	id   tagID
	html bool // foreignObject, desc, title
}

// maxDrawn is how many nested elements of a drawing are followed.
const maxDrawn = 256

func (d *drawing) open() bool { return len(d.tags) > 0 }

func (d *drawing) begin(l *lexer, selfClosing bool) {
	if selfClosing {
		return
	}
	d.tags = append(d.tags[:0], drawn{id: tagID(atom.Svg)})
	d.html, d.beyond = 0, 0
	d.tell(l)
}

// tell lets the lexer know whether it reads SVG or HTML inside of it.
func (d *drawing) tell(l *lexer) {
	svg := d.open() && d.html == 0
	l.cdata = svg
	if svg {
		l.rawTag = ""
	}
}

// start reports whether a start tag is part of the drawing.
func (d *drawing) start(l *lexer, tag atom.Atom, name []byte, selfClosing bool) bool {
	defer d.tell(l)
	switch {
	case d.html == 0 && breaksOut(tag):
		d.tags = d.tags[:0]
		return false
	case selfClosing && d.html == 0, isVoid(tag):
	case len(d.tags) == maxDrawn:
		d.beyond++
	default:
		t := drawn{id: idOf(tag, name), html: tag == atom.ForeignObject || tag == atom.Desc || tag == atom.Title || tag == atom.Foreignobject}
		if t.html {
			d.html++
		}
		d.tags = append(d.tags, t)
	}
	return true
}

// end reports whether an end tag is part of the drawing.
func (d *drawing) end(l *lexer, tag atom.Atom, name []byte) bool {
	defer d.tell(l)
	if d.beyond > 0 {
		d.beyond--
		return true
	}
	id := idOf(tag, name)
	for i := len(d.tags) - 1; i >= 0; i-- {
		if d.tags[i].id == id {
			d.close(i)
			return true
		}
	}
	if d.html > 0 || tag == 0 {
		return true // a stray one
	}
	d.tags = d.tags[:0]
	return false
}

// close ends the open elements from the i-th on.
func (d *drawing) close(i int) {
	for _, t := range d.tags[i:] {
		if t.html {
			d.html--
		}
	}
	d.tags = d.tags[:i]
}

// breaksOut reports whether the start tag ends SVG (HTML5, rules for parsing tokens in foreign
// content).
func breaksOut(tag atom.Atom) bool {
	switch tag {
	case atom.B, atom.Big, atom.Blockquote, atom.Body, atom.Br, atom.Center, atom.Code, atom.Dd, atom.Div, atom.Dl, atom.Dt,
		atom.Em, atom.Embed, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head, atom.Hr, atom.I, atom.Img,
		atom.Li, atom.Listing, atom.Menu, atom.Meta, atom.Nobr, atom.Ol, atom.P, atom.Pre, atom.Ruby, atom.S, atom.Small,
		atom.Span, atom.Strong, atom.Strike, atom.Sub, atom.Sup, atom.Table, atom.Tt, atom.U, atom.Ul, atom.Var:
		return true
	}
	return false
}
