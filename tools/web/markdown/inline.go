package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mark is a kind of inline markup.
type mark uint8

const (
	strongStyle mark = 1 + iota
	emStyle
	strikeStyle
	linkStyle
)

// style is what text is marked with: up to four marks, outermost in the lowest bits, four bits each,
// and the number of the link (from 1) above them.
type style uint64

const linkShift = 16

func (s style) with(m mark) style {
	for i := 0; i < linkShift; i += 4 {
		if s>>i&15 == 0 {
			return s | style(m)<<i
		}
	}
	return s
}

func (s style) has(m mark) bool {
	for i := 0; i < linkShift; i += 4 {
		if mark(s>>i&15) == m {
			return true
		}
	}
	return false
}

// without takes a mark out, and the link's number with the link.
func (s style) without(m mark) style {
	var out style
	for i := 0; i < linkShift; i += 4 {
		if k := mark(s >> i & 15); k != 0 && k != m {
			out = out.with(k)
		}
	}
	if m != linkStyle {
		out |= s >> linkShift << linkShift
	}
	return out
}

func (s style) link() int { return int(s >> linkShift) }

// link is an a element that leads somewhere.
type link struct {
	href   string
	text   bool // it has text or an image
	linked bool // some of that is marked as the link's
}

// pieceKind is what a piece of a line is.
type pieceKind uint8

const (
	textPiece  pieceKind = iota
	codePiece            // text of inline code
	breakPiece           // br
	imagePiece           // text is the alt, url the source
	urlPiece             // a link without text: its own URL
	boxPiece             // the check box of a list item; text is its Markdown
)

// piece is a part of a line, with the marks it stands in.
type piece struct {
	kind  pieceKind
	style style
	text  string
	url   string
}

// line is inline content that waits for the end of its block.
type line struct {
	pieces  []piece
	visible bool // there is something to see in it
	level   int  // of the heading it is, 0 when it is a paragraph
	into    bool // a heading goes on across blocks in it
}

func (w *writer) add(p piece) { w.line.pieces = append(w.line.pieces, p) }

// seen notes that something visible was added to the line.
func (w *writer) seen() {
	w.line.visible, w.task = true, noTask
	if n := w.style.link(); n > 0 {
		w.links[n-1].linked = true
	}
	if w.anchorAt > 0 {
		w.links[w.anchorAt-1].text = true
	}
}

// flush ends the line and writes it as a block of its own. Inside a heading blocks don't end it.
func (w *writer) flush() {
	l := &w.line
	if l.into {
		w.add(piece{text: " ", style: w.style})
		return
	}
	if len(l.pieces) == 0 {
		return
	}
	if l.visible {
		w.writeLine()
	}
	l.pieces, l.visible = l.pieces[:0], false
	if n := w.style.link(); n > 0 && w.links[n-1].linked {
		w.style = w.style.without(linkStyle)
	}
}

func (w *writer) addText(s string) {
	if hasVisible(s) {
		w.seen()
	} else if len(w.line.pieces) == 0 {
		return
	}
	kind := textPiece
	if w.code > 0 {
		kind = codePiece
	}
	w.add(piece{kind: kind, style: w.style, text: visible(s)})
}

// inline writes an element inside a line.
func (w *writer) inline(n *html.Node) {
	switch n.DataAtom {
	case atom.Strong, atom.B:
		w.styled(n, strongStyle, &w.strong)
	case atom.Em, atom.I:
		w.styled(n, emStyle, &w.em)
	case atom.Del, atom.S, atom.Strike:
		if w.o.Strikethrough {
			w.styled(n, strikeStyle, &w.strike)
			return
		}
		w.children(n)
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		w.code++
		w.children(n)
		w.code--
	case atom.A:
		w.anchor(n)
	case atom.Img, atom.Image:
		w.image(n)
	case atom.Br:
		w.add(piece{kind: breakPiece, style: w.style})
	case atom.Input:
		w.box(n)
	default:
		w.children(n)
	}
}

// styled writes an element that marks its text. In code nothing is marked.
func (w *writer) styled(n *html.Node, m mark, open *int) {
	outer := w.style
	if *open == 0 && w.code == 0 {
		w.style = w.style.with(m)
	}
	*open++
	w.children(n)
	*open--
	if w.style.link() == outer.link() {
		w.style = outer
	} else {
		w.style = w.style.without(m)
	}
}

// box writes the check box of a list item.
func (w *writer) box(n *html.Node) {
	if w.task != mayTask || w.cell {
		return
	}
	w.task = noTask
	text := "[ ]"
	if _, checked := lookup(n, "checked"); checked {
		text = "[x]"
	}
	w.add(piece{kind: boxPiece, text: text})
}
