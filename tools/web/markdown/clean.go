package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// held is what an element is or holds.
type held struct {
	text  bool // main, article or h1: what class or id point at stays then
	block bool
}

func (h *held) add(o held) {
	h.text = h.text || o.text
	h.block = h.block || o.block
}

// clean takes out of the tree all that isn't the text of the page (tools.fr.md, Retiré). It visits
// each node once, the insides first, since what an element holds decides whether it stays. An
// element that Markdown doesn't know becomes a div when it holds a block (row Élément inconnu).
func clean(doc *html.Node) { cleanChildren(doc, false) }

// cleanChildren cleans what n holds; article says whether n is in an article or main.
func cleanChildren(n *html.Node, article bool) held {
	var all held
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		switch c.Type {
		case html.TextNode:
		case html.ElementNode:
			h, stays := cleanElement(c, article)
			if stays {
				all.add(h)
			} else {
				n.RemoveChild(c)
			}
		default:
			n.RemoveChild(c)
		}
		c = next
	}
	return all
}

// cleanElement cleans an element and reports whether it stays.
func cleanElement(n *html.Node, article bool) (held, bool) {
	tag := n.DataAtom
	if alwaysRemoved(tag) || tag == atom.Footer && !article || marked(n, markHidden) {
		return held{}, false
	}
	h := held{block: isBlock(tag)}
	switch tag {
	case atom.Main, atom.Article:
		h.text, article = true, true
	case atom.H1:
		h.text = true
	}
	h.add(cleanChildren(n, article))
	if marked(n, markAd) && !h.text {
		return held{}, false
	}
	if h.block && !isBlock(tag) && !isInline(tag) {
		n.DataAtom, n.Data = atom.Div, "div"
	}
	return h, true
}

// marked reports whether the sieve left a mark on n.
func marked(n *html.Node, mark string) bool {
	for i := range n.Attr {
		if n.Attr[i].Key == mark {
			return true
		}
	}
	return false
}

// alwaysRemoved reports whether an element is removed wherever it stands. Those that the sieve
// takes out already are here too.
func alwaysRemoved(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Meta, atom.Link, atom.Base, atom.Title, atom.Svg,
		atom.Canvas, atom.Iframe, atom.Object, atom.Embed, atom.Nav, atom.Aside, atom.Dialog, atom.Button, atom.Select,
		atom.Textarea, atom.Noframes, atom.Noembed:
		return true
	}
	return false
}

// isBlock reports whether an element begins and ends a block of text (supplement 15).
func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.Html, atom.Body, atom.Address, atom.Article, atom.Blockquote, atom.Center, atom.Dd, atom.Details, atom.Dir, atom.Div,
		atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form, atom.H1, atom.H2, atom.H3,
		atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Legend, atom.Li, atom.Listing, atom.Main,
		atom.Menu, atom.Ol, atom.P, atom.Plaintext, atom.Pre, atom.Search, atom.Section, atom.Summary, atom.Ul, atom.Xmp,
		atom.Table, atom.Caption, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Nav, atom.Aside, atom.Dialog:
		return true
	}
	return false
}

// isInline reports whether Markdown has something for an element inside a line.
func isInline(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.Strong, atom.B, atom.Em, atom.I, atom.Del, atom.S, atom.Strike, atom.Code, atom.Kbd, atom.Samp, atom.Tt,
		atom.Br, atom.Img, atom.Input:
		return true
	}
	return false
}
