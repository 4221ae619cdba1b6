package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxNumber is the largest number of a list item (CommonMark: at most nine digits).
const maxNumber = 999_999_999

// list is a list that is being written.
type list struct {
	ordered bool
	number  int // of the next item
	begun   bool
	tight   bool // the first item stands on the line below the text before
	loose   bool // the last item had blank lines
	width   int  // of the last item's mark
}

// list writes a list. Below the text of an item it stands on the next line; one that begins with
// another number than 1 needs a blank line, or it is read as text.
func (w *writer) list(n *html.Node) {
	w.flush()
	l := list{ordered: n.DataAtom == atom.Ol, number: 1}
	if l.ordered {
		if first, err := strconv.Atoi(strings.TrimSpace(attr(n, "start"))); err == nil && first >= 0 && first <= maxNumber {
			l.number = first
		}
	}
	l.tight = w.last == paragraph && len(w.prefix) > 0 && (!l.ordered || l.number == 1)
	w.items(n, &l)
}

// items writes the items in n, which is the list or an element that stands between it and them.
func (w *writer) items(n *html.Node, l *list) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && !hasVisible(c.Data):
		case c.DataAtom == atom.Li:
			w.item(l, func() { w.children(c) })
		case c.Type == html.ElementNode && !isList(c.DataAtom) && holdsItem(c):
			w.items(c, l)
		case l.begun && !w.cell:
			// Content between items belongs to the item before; so do lists that aren't in one.
			w.more(l, func() { w.node(c) })
		case isList(c.DataAtom):
			w.node(c)
		default:
			w.item(l, func() { w.node(c) })
		}
	}
}

func isList(tag atom.Atom) bool {
	return tag == atom.Ul || tag == atom.Ol || tag == atom.Menu || tag == atom.Dir
}

func holdsItem(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Li {
			return true
		}
	}
	return false
}

// item writes an item. One without content is left out.
func (w *writer) item(l *list, content func()) {
	mark := "- "
	if l.ordered {
		mark = strconv.Itoa(l.number) + ". "
	}
	begin := func() { w.begin(otherBlock) }
	if l.begun && !l.loose || !l.begun && l.tight {
		begin = func() { w.beginTight(otherBlock) }
	}
	outer := w.task
	w.task = noTask
	if w.o.TaskList {
		w.task = mayTask
	}
	wrote, loose := w.contain(begin, mark, strings.Repeat(" ", len(mark)), content)
	w.task = outer
	if wrote {
		l.begun, l.loose, l.width = true, loose, len(mark)
		l.number = min(l.number+1, maxNumber)
	}
}

// more writes content that stands after an item as part of it.
func (w *writer) more(l *list, content func()) {
	if len(w.prefix)+l.width > maxPrefix {
		content()
		w.flush()
		return
	}
	outer := w.loose
	w.prefix = append(w.prefix, strings.Repeat(" ", l.width)...)
	w.last, w.loose = paragraph, false
	content()
	w.flush()
	l.loose = l.loose || w.loose
	w.prefix = w.prefix[:len(w.prefix)-l.width]
	w.last, w.loose = otherBlock, outer
}
