package markdown

import (
	"bytes"

	"golang.org/x/net/html"
)

// kind is what the last block of a container was, as far as the next one must know.
type kind uint8

const (
	noBlock   kind = iota // nothing was written in the container yet
	paragraph             // a list may follow on the next line
	otherBlock
)

// maxPrefix is how wide the marks of quotes and list items in front of a line may get. Deeper ones
// are written without marks: each line of a page that is nested without end would be wider than the
// page.
const maxPrefix = 40

// writer writes the Markdown of a tree.
type writer struct {
	o    Options
	base *base
	out  []byte

	// Containers: what each line begins with, and how far the innermost one is.
	prefix []byte
	last   kind
	loose  bool // the container has blank lines

	// Table cells have one line; sep is what joins blocks in it.
	cell bool
	sep  string

	line     line // the inline content that waits to be written
	style    style
	links    []link
	anchorAt int // number of the link that is open, from 1; 0 for none
	emit     emitter

	strong, em, strike, code int // open elements of each kind

	task   task
	budget int // bytes that copies of merged cells may still take
	url    []byte
	text   []byte // scratch for code blocks
}

// task says whether a check box may begin a list item here.
type task uint8

const (
	noTask  task = iota
	mayTask      // at the beginning of an item
)

func newWriter(o Options, b *base, size int) *writer {
	return &writer{o: o, base: b, out: make([]byte, 0, size/4+64), budget: 256<<10 + 2*size}
}

// finish returns the Markdown, ended by one line end.
func (w *writer) finish() string {
	out := bytes.TrimRight(w.out, " \n")
	if len(out) == 0 {
		return ""
	}
	return string(append(out, '\n'))
}

// place is a point that the output can be taken back to.
type place struct {
	out   int
	last  kind
	loose bool
}

func (w *writer) here() place { return place{len(w.out), w.last, w.loose} }

func (w *writer) back(p place) {
	w.out, w.last, w.loose = w.out[:p.out], p.last, p.loose
}

// begin goes to where the next block is written: a blank line below the last one, or where the
// container begins.
func (w *writer) begin(k kind) {
	if w.cell {
		if w.last != noBlock {
			w.out = append(w.out, w.sep...)
		}
		w.last, w.sep = k, "<br>"
		return
	}
	if w.last != noBlock {
		w.out = append(w.out, '\n')
		w.out = append(w.out, bytes.TrimRight(w.prefix, " ")...)
		w.newline()
		w.loose = true
	}
	w.last = k
}

// beginTight is begin without the blank line, for lists below a line of text.
func (w *writer) beginTight(k kind) {
	if w.last != noBlock {
		w.newline()
	}
	w.last = k
}

func (w *writer) newline() {
	w.out = append(w.out, '\n')
	w.out = append(w.out, w.prefix...)
}

// contain writes a container (a quote or a list item): begin goes to its place, mark stands before
// its first line, prefix before the others. It writes nothing when nothing is in it, and reports
// whether it wrote, and whether the content has blank lines of its own.
func (w *writer) contain(begin func(), mark, prefix string, content func()) (wrote, loose bool) {
	w.flush()
	start := w.here()
	if w.cell || len(w.prefix)+len(prefix) > maxPrefix {
		content()
		w.flush()
		return len(w.out) > start.out, true
	}
	begin()
	outer := w.loose
	w.out = append(w.out, mark...)
	w.prefix = append(w.prefix, prefix...)
	w.last, w.loose = noBlock, false
	content()
	w.flush()
	wrote, loose = w.last != noBlock, w.loose
	w.prefix = w.prefix[:len(w.prefix)-len(prefix)]
	if !wrote {
		w.back(start)
		return false, false
	}
	w.last, w.loose = otherBlock, outer
	return wrote, loose
}

func (w *writer) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}
