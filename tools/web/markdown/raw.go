package markdown

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// raw writes a table as HTML: the table with its rows, each on its line, the attributes that stay,
// and in its cells the elements that Markdown knows. There is no blank line in it, which would end
// the HTML for a reader of Markdown.
func (w *writer) raw(n *html.Node) {
	start := w.here()
	w.begin(otherBlock)
	r := rawWriter{w: w}
	r.table(n, true)
	if !r.any {
		w.back(start)
	}
}

// rawWriter writes elements as HTML.
type rawWriter struct {
	w     *writer
	any   bool // there is text
	space bool // a blank waits
	lines int  // line breaks that wait: the border of a block that isn't written
	text  bool // text stands in the block at hand
	pre   int
	task  bool // a check box may begin a list item here
}

func (r *rawWriter) put(s string) { r.w.out = append(r.w.out, s...) }

// table writes a table; the outermost one has a line for each row.
func (r *rawWriter) table(n *html.Node, lines bool) {
	r.border()
	r.put("<table>")
	r.parts(n, lines)
	r.line(lines)
	r.put("</table>")
	r.border()
}

func (r *rawWriter) line(lines bool) {
	if lines {
		r.w.newline()
	}
}

// parts writes the captions and rows in a table or in a part of one.
func (r *rawWriter) parts(n *html.Node, lines bool) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Caption, atom.Tr:
			r.line(lines)
			r.element(c, c.Data, "")
		case atom.Thead, atom.Tfoot:
			r.line(lines)
			r.put("<" + c.Data + ">")
			r.parts(c, lines)
			r.line(lines)
			r.put("</" + c.Data + ">")
		case atom.Tbody: // the parser adds it
			r.parts(c, lines)
		}
	}
}

// border ends the text at hand: what follows stands in another block.
func (r *rawWriter) border() { r.space, r.lines, r.text = false, 0, false }

// element writes a block with its content.
func (r *rawWriter) element(n *html.Node, name, attrs string) {
	r.border()
	r.put("<" + name + attrs + ">")
	r.children(n)
	r.border()
	r.put("</" + name + ">")
}

func (r *rawWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.node(c)
	}
}

func (r *rawWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		r.write(n.Data)
	case html.ElementNode:
		r.tag(n)
	}
}

func (r *rawWriter) tag(n *html.Node) {
	switch tag := n.DataAtom; tag {
	case atom.Td, atom.Th:
		r.element(n, n.Data, r.spans(n))
	case atom.Table:
		r.table(n, false)
	case atom.P, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Ul, atom.Ol, atom.Li, atom.Pre:
		r.block(n)
	case atom.Hr:
		r.border()
		r.put("<hr>")
	case atom.Br:
		r.lines++
	case atom.Strong, atom.B, atom.Em, atom.I, atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		r.inline(n, n.Data, classAttr(n))
	case atom.Del, atom.S, atom.Strike:
		if r.w.o.Strikethrough {
			r.inline(n, n.Data, "")
		} else {
			r.children(n)
		}
	case atom.A:
		r.anchor(n)
	case atom.Img, atom.Image:
		r.image(n)
	case atom.Input:
		r.box(n)
	default:
		if isBlock(tag) {
			r.unwrap(n)
		} else {
			r.children(n)
		}
	}
}

// unwrap writes the content of a block that isn't kept on lines of its own.
func (r *rawWriter) unwrap(n *html.Node) {
	edge := func() {
		if r.text {
			r.lines = max(r.lines, 1)
		}
	}
	edge()
	r.children(n)
	edge()
}

// block writes a block that is kept, unless it is empty.
func (r *rawWriter) block(n *html.Node) {
	before, any := len(r.w.out), r.any
	r.any = false
	attrs := ""
	switch n.DataAtom {
	case atom.Pre:
		attrs = classAttr(n)
		r.pre++
		defer func() { r.pre-- }()
	case atom.Ol:
		if first := attr(n, "start"); first != "" {
			attrs = ` start="` + escapeValue(first) + `"`
		}
	case atom.Li:
		r.task = r.w.o.TaskList
	}
	r.element(n, n.Data, attrs)
	if !r.any {
		r.w.out = r.w.out[:before]
	}
	r.any = r.any || any
}
