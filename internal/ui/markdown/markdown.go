// Package markdown reads Markdown as it streams and lays it out for a terminal.
//
// A Doc takes a text in pieces. It keeps Parts: a paragraph, a heading, some lines of code, some rows
// of a table. Whatever is appended later only touches the last Part, so what is laid out for the
// others stays good, and a text of 50,000 lines costs no more per piece than a short one. A Part is
// laid out when it is to be seen: Layout parses what stands inside it and wraps it to a width.
//
// It exists because the usual renderer (glamour, with goldmark and chroma) can't do that, and takes
// 20 ms and 5 MB in its packages' init at every start of mm, also of those that draw nothing.
//
// It reads CommonMark with tables, strikethrough and task lists as models write them; HTML stays
// text. It makes nothing safe to show: hand it what ui.Clean has returned.
package markdown

import "strings"

const (
	// maxPart bounds the bytes of a paragraph's part and of a line that hasn't ended, so that
	// laying out one part is quick whatever a model writes.
	maxPart = 8 << 10
	// maxCode and maxRows bound the lines of code and the rows of a table in one part.
	maxCode = 50
	maxRows = 100
)

// Kind is what a Part holds.
type Kind uint8

// The kinds.
const (
	Paragraph Kind = iota
	Heading
	Code
	Rule
	Table
)

// Part is a piece of a text that is laid out on its own.
type Part struct {
	Kind Kind
	// Gap says that an empty line stands above it.
	Gap bool
	// Rev changes when the part does, and is another one when another part takes its place.
	Rev int
	// Block numbers the block that it belongs to: the parts of a long code block share theirs.
	Block int

	level       int // of a heading
	info        string
	text        string // of a paragraph or heading
	rows        []string
	align       []align // of a table's columns
	more        bool    // it goes on with the block of the part before
	first, rest string  // what stands before its first line and the others
}

// Doc is a text and its parts.
type Doc struct {
	parts  []*Part
	blocks int
	rev    int // counts the writes
	state  state
	tail   string // the line that hasn't ended

	// What the tail has changed, to take it back when more of the line comes.
	before     state
	beforeLen  int
	beforeLast Part
	tailShown  bool
}

// state is where the reading stands after a line.
type state struct {
	in    []container // never changed in place
	fence fence
	para  bool // the last part is a paragraph that may go on
	table bool // the last part is a table that may go on
	blank bool // the line before was empty
}

// container is a quote or a list item that the line stands in.
type container struct {
	quote  bool
	indent int    // columns that a line of the item is indented by
	marker string // of an item whose first part hasn't come
	pad    int    // cells that the marker takes
}

type fence struct {
	open   bool
	char   byte
	n      int
	indent int
	depth  int // containers around it
}

// Parts are the parts so far. The last one may still change.
func (d *Doc) Parts() []*Part { return d.parts }

// Write appends a piece of text.
func (d *Doc) Write(s string) {
	d.rev++
	d.takeBack()
	text := d.tail + s
	for {
		line, rest, ended := strings.Cut(text, "\n")
		if !ended {
			break
		}
		d.line(line)
		text = rest
	}
	for len(text) > maxPart {
		cut := cutAt(text, maxPart)
		d.line(text[:cut])
		text = text[cut:]
	}
	d.tail = text
	d.showTail()
}

// cutAt returns where a text that is too long is cut: behind a blank if there is one.
func cutAt(s string, n int) int {
	if i := strings.LastIndexByte(s[:n], ' '); i > n/2 {
		return i + 1
	}
	for n > 0 && s[n]&0xc0 == 0x80 { // inside a character
		n--
	}
	return n
}

// showTail reads the unfinished line as if it had ended.
func (d *Doc) showTail() {
	if d.tail == "" {
		return
	}
	d.before, d.beforeLen, d.tailShown = d.state, len(d.parts), true
	if p := d.last(); p != nil {
		d.beforeLast = *p
	}
	d.line(d.tail)
}

// takeBack undoes showTail.
func (d *Doc) takeBack() {
	if !d.tailShown {
		return
	}
	d.tailShown = false
	for _, p := range d.parts[d.beforeLen:] {
		d.blocks = min(d.blocks, p.Block-1)
	}
	d.state, d.parts = d.before, d.parts[:d.beforeLen]
	if p := d.last(); p != nil {
		*p = d.beforeLast
		p.Rev = d.rev
	}
}

func (d *Doc) last() *Part {
	if len(d.parts) == 0 {
		return nil
	}
	return d.parts[len(d.parts)-1]
}

// Source is the part's text, without the marks around a block: for search and copy.
func (p *Part) Source() string {
	switch p.Kind {
	case Code, Table:
		return strings.Join(p.rows, "\n")
	case Rule:
		return "---"
	}
	return p.text
}

// Language is the language of a code block, "" when it tells none.
func (p *Part) Language() string {
	word, _, _ := strings.Cut(strings.TrimSpace(p.info), " ")
	return strings.ToLower(strings.Trim(word, "{}."))
}
