package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// node writes a node: text and inline elements go to the line at hand, a block ends it.
func (w *writer) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.addText(n.Data)
	case html.ElementNode:
		w.element(n)
	default:
		w.children(n)
	}
}

func (w *writer) element(n *html.Node) {
	tag := n.DataAtom
	if w.line.into && isBlock(tag) {
		w.flush()
		w.children(n)
		w.flush()
		return
	}
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading(n, int(n.Data[1]-'0'))
	case atom.Blockquote:
		w.contain(func() { w.begin(otherBlock) }, "> ", "> ", func() { w.children(n) })
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		w.list(n)
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		w.pre(n)
	case atom.Hr:
		w.rule()
	case atom.Table:
		w.table(n)
	default:
		if isBlock(tag) {
			w.flush()
			w.children(n)
			w.flush()
			return
		}
		w.inline(n)
	}
}

// heading writes its content on one line. A link around it isn't part of it: it goes to the next
// text that it holds.
func (w *writer) heading(n *html.Node, level int) {
	w.flush()
	if w.cell {
		w.children(n)
		w.flush()
		return
	}
	outer := w.style
	w.style = w.style.without(linkStyle)
	w.line.level, w.line.into = level, true
	w.children(n)
	w.line.into = false
	w.flush()
	w.line.level = 0
	w.style = outer
}

// rule writes a line across. At the beginning of an item it separates nothing, and its mark would be
// read with the item's.
func (w *writer) rule() {
	w.flush()
	if w.cell || w.last == noBlock && len(w.prefix) > 0 {
		return
	}
	w.begin(otherBlock)
	w.out = append(w.out, "---"...)
}

func attr(n *html.Node, key string) string {
	v, _ := lookup(n, key)
	return v
}

func lookup(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}
