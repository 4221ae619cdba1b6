package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// grid writes a Markdown table. A row may be shorter than the header, but not longer.
func (w *writer) grid(n *html.Node) {
	w.caption(n)
	g := grid{w: w}
	columns := g.count(n)
	if columns == 0 {
		return
	}
	start, filled := w.here(), false
	outer := w.task
	w.begin(otherBlock)
	first := true
	rows(n, func(row *html.Node) {
		if !g.hasCells(row) {
			return
		}
		if !first {
			w.newline()
		}
		written, any := g.row(row)
		filled = filled || any
		if first {
			w.out = append(w.out, strings.Repeat("  |", columns-written)...)
			w.newline()
			w.out = append(w.out, '|')
			w.out = append(w.out, strings.Repeat(" --- |", columns)...)
		}
		first = false
	})
	w.task = outer
	if !filled {
		w.back(start)
	}
}

// grid is a table that is being written, with the cells that reach down from rows above.
type grid struct {
	w       *writer
	carried []carry // by column
	below   int     // how many of them reach into the next row
	spans   []spans // of all cells, in order, as far as the budget allows
	next    int     // of spans
}

// carry is a cell that covers the rows below.
type carry struct {
	rows       int // so many more
	all        int // rows that the cell covers
	cell       int // its place in spans
	start, end int // its text in the output
}

type spans struct{ columns, rows int }

// reset forgets the cells of the rows above.
func (g *grid) reset() { g.carried, g.below, g.next = g.carried[:0], 0, 0 }

// hasCells reports whether a row has cells, its own or ones that reach down into it.
func (g *grid) hasCells(row *html.Node) bool {
	if g.below > 0 {
		return true
	}
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			return true
		}
	}
	return false
}

// put notes what covers a column below this row.
func (g *grid) put(column int, c carry) {
	if column == len(g.carried) {
		g.carried = append(g.carried, carry{})
	}
	g.carried[column] = c
	if c.rows > 0 {
		g.below++
	}
}

// take reports whether a cell above covers the column, and uses up one of its rows.
func (g *grid) take(column int) bool {
	if column >= len(g.carried) || g.carried[column].rows == 0 {
		return false
	}
	c := &g.carried[column]
	if c.rows--; c.rows == 0 {
		g.below--
	}
	return true
}

// count returns how many columns the table has, and notes the spans of its cells. Merged cells are
// copied as long as all copies of a page stay in proportion to it.
func (g *grid) count(n *html.Node) int {
	most := 0
	rows(n, func(row *html.Node) {
		if !g.hasCells(row) {
			return
		}
		column := 0
		cells(row, func(c *html.Node) {
			column = g.skip(column)
			s := spans{1, 1}
			if g.w.o.Tables == Flatten && g.w.budget > 0 {
				s = spans{span(c, "colspan", maxColumns), span(c, "rowspan", maxRows)}
			}
			for range s.columns {
				g.put(column, carry{rows: s.rows - 1, all: s.rows, cell: len(g.spans)})
				g.w.budget -= copyCost
				column++
			}
			g.spans = append(g.spans, s)
		})
		most = max(most, g.skip(column))
	})
	g.reset()
	return most
}

// skip passes over columns that a cell above covers. Without budget the cell ends here.
func (g *grid) skip(column int) int {
	for g.take(column) {
		c := &g.carried[column]
		if g.w.budget -= copyCost; g.w.budget < 0 && c.rows > 0 {
			s := &g.spans[c.cell]
			s.rows = min(s.rows, c.all-c.rows)
			c.rows = 0
			g.below--
		}
		column++
	}
	return column
}

// row writes a row and returns how many cells it has, and whether there is anything in them.
func (g *grid) row(row *html.Node) (column int, filled bool) {
	w := g.w
	w.out = append(w.out, '|')
	above := func() {
		for g.take(column) {
			g.copy(g.carried[column].start, g.carried[column].end)
			column++
		}
	}
	cells(row, func(c *html.Node) {
		above()
		s := g.spans[g.next]
		g.next++
		start, end := w.tableCell(c)
		filled = filled || end > start
		for i := range s.columns {
			if i > 0 {
				g.copy(start, end)
			}
			g.put(column, carry{rows: s.rows - 1, start: start, end: end})
			column++
		}
	})
	above()
	return column, filled
}

// copy writes a merged cell once more.
func (g *grid) copy(start, end int) {
	w := g.w
	w.out = append(w.out, ' ')
	if w.budget -= end - start; w.budget >= 0 {
		w.out = append(w.out, w.out[start:end]...)
	}
	w.out = append(w.out, " |"...)
}
