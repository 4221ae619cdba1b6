package markdown

import "strings"

// emitter writes the pieces of one line of inline content. White space is kept back until
// something follows, marks are opened as late and closed as early as they can be: this is how
// blanks move out of marks, how marks without text vanish and how neighbours join.
type emitter struct {
	w     *writer
	out   []byte // the writer's output while the line is written
	from  int    // where the block begins in out
	start int    // where the line of Markdown begins in out

	space  bool    // white space waits
	breaks int     // so many line breaks wait
	keeps  []style // of the white space that waits

	open    []opened // marks that are open, outermost first
	cur     style    // what the text so far is marked with
	settled bool     // all marks of cur are open

	at  lineAt
	dot int  // where the dot of "1." is, with at == afterDot
	url bool // the last thing was a bare URL

	codeEnd int    // where the last inline code ends in out
	code    []byte // inline code that waits
	coded   style  // its marks
	blanks  bool   // white space waits in it
}

// opened is an open mark.
type opened struct {
	mark  mark
	link  int
	start int  // where the mark is in out
	text  int  // where its content begins
	first bool // it begins a line
	code  bool // it stands right behind code
	bang  bool // it stands right behind "!"
	run   int  // length of the run of stars it is a part of
	safe  int  // behind the last letter or digit that is directly in it; 0 when there is none
}

// writeLine writes the line at hand as a paragraph, a heading or a part of a cell.
func (w *writer) writeLine() {
	k := paragraph
	if w.line.level > 0 {
		k = otherBlock
	}
	start := w.here()
	w.begin(k)
	if w.line.level > 0 {
		w.out = append(w.out, "######"[:w.line.level]...)
		w.out = append(w.out, ' ')
	}
	e := &w.emit
	*e = emitter{w: w, out: w.out, from: len(w.out), start: len(w.out), open: e.open[:0], keeps: e.keeps[:0], code: e.code[:0], settled: true}
	if w.cell || w.line.level > 0 {
		e.at = inside
	}
	for i := range w.line.pieces {
		e.piece(&w.line.pieces[i])
	}
	e.endCode()
	e.transition(0, ' ', true)
	e.endDot()
	w.out, e.out = e.out, nil
	if len(w.out) == e.from {
		w.back(start)
	}
}

func (e *emitter) piece(p *piece) {
	if p.kind == codePiece {
		e.addCode(p)
		return
	}
	e.endCode()
	switch p.kind {
	case textPiece:
		e.text(p.text, p.style)
	case breakPiece:
		e.lineBreak(p.style)
	case imagePiece:
		e.content('!', p.style)
		e.at = inside
		e.out = append(e.out, "!["...)
		e.plain(p.text)
		e.out = append(e.out, "]("...)
		e.destination(p.url)
		e.out = append(e.out, ')')
	case urlPiece:
		if e.before(0) == letter {
			e.blank(p.style)
		}
		e.w.url = appendDestination(e.w.url[:0], e.w.base.resolve(nil, p.url))
		e.text(string(e.w.url), p.style)
		e.url = true
	case boxPiece:
		e.out = append(e.out, p.text...)
		e.at = inside
		e.blank(p.style)
	}
}

// content goes to where something visible, which begins with first, is written.
func (e *emitter) content(first rune, st style) {
	switch {
	case st != e.cur || !e.settled || len(e.open) > 0 && (e.space || e.breaks > 0):
		e.transition(st, first, false)
	case e.space || e.breaks > 0:
		e.writeSpace()
	}
	if e.at == afterDot {
		e.at = inside
	}
	e.url = false
}

// blank notes white space.
func (e *emitter) blank(st style) {
	e.space = true
	if n := len(e.keeps); n == 0 || e.keeps[n-1] != st {
		e.keeps = append(e.keeps, st)
	}
}

// lineBreak notes a line break. A heading has only one line.
func (e *emitter) lineBreak(st style) {
	e.blank(st)
	if e.w.line.level == 0 {
		e.breaks++
	}
}

// kept reports whether the i-th open mark holds all the white space that waits.
func (e *emitter) kept(i int) bool {
	for _, st := range e.keeps {
		if !st.holds(e.open[i]) {
			return false
		}
	}
	return true
}

// writeSpace writes the white space that waits. At the beginning of a block it counts for nothing.
func (e *emitter) writeSpace() {
	switch {
	case len(e.out) == e.from:
	case e.breaks > 0 && e.w.cell:
		e.out = append(e.out, strings.Repeat("<br>", e.breaks)...)
	case e.breaks > 0:
		e.endDot()
		for range e.breaks {
			e.out = append(e.out, '\\', '\n')
			e.out = append(e.out, e.w.prefix...)
		}
		e.at, e.start = atStart, len(e.out)
	default:
		e.endDot()
		e.out = append(e.out, ' ')
		e.at = inside
	}
	e.space, e.breaks, e.keeps = false, 0, e.keeps[:0]
}

func (e *emitter) destination(ref string) {
	e.w.url = e.w.base.resolve(e.w.url[:0], ref)
	e.out = appendDestination(e.out, e.w.url)
}
