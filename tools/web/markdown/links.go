package markdown

import (
	"strings"

	"golang.org/x/net/html"
)

// anchor writes a link. One around blocks marks the first text in it that isn't a heading, so that
// headings stay what they are and the URL is there once.
func (w *writer) anchor(n *html.Node) {
	href, leads := lookup(n, "href")
	href = cleanRef(href)
	if !leads || isScript(href) || w.anchorAt > 0 {
		w.children(n)
		return
	}
	outer := w.style
	w.links = append(w.links, link{href: href})
	w.anchorAt = len(w.links)
	w.style = w.style.with(linkStyle) | style(w.anchorAt)<<linkShift
	w.children(n)
	l := w.links[w.anchorAt-1]
	w.anchorAt, w.style = 0, outer
	if l.linked {
		return
	}
	if l.text { // in headings only
		w.flush()
		defer w.flush()
	}
	w.seen()
	w.add(piece{kind: urlPiece, style: w.style, url: href})
}

// image writes an image, or its alt where the source is in the page itself or isn't there.
func (w *writer) image(n *html.Node) {
	src, alt := cleanRef(attr(n, "src")), visible(attr(n, "alt"))
	if s := scheme(src); src == "" || strings.EqualFold(s, "data") || strings.EqualFold(s, "javascript") {
		if hasVisible(alt) {
			w.addText(alt)
		}
		return
	}
	w.seen()
	w.add(piece{kind: imagePiece, style: w.style, text: alt, url: src})
}
