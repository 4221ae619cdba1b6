package markdown

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxColumns is how many columns a merged cell may cover (HTML: colspan is at most 1000).
const maxColumns = 1000

// maxRows is how many rows a merged cell may cover (HTML: rowspan is at most 65534).
const maxRows = 65534

// copyCost is about what a copy of a merged cell takes beside its text.
const copyCost = 10

// table writes a table: as a Markdown table, whose first row is the header; as raw HTML when it has
// merged cells or a table in it and the options say so; inside a cell as text.
func (w *writer) table(n *html.Node) {
	w.flush()
	switch {
	case w.cell:
		w.tableInCell(n)
	case w.o.Tables == HTML && isComplex(n):
		w.raw(n)
	default:
		w.grid(n)
	}
}

// isComplex reports whether Markdown can't express a table.
func isComplex(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Table:
			return true
		case atom.Td, atom.Th:
			if span(c, "colspan", maxColumns) > 1 || span(c, "rowspan", maxRows) > 1 {
				return true
			}
		}
		if isComplex(c) {
			return true
		}
	}
	return false
}

func span(n *html.Node, key string, most int) int {
	v := attr(n, key)
	if v == "" {
		return 1
	}
	i, err := strconv.Atoi(strings.TrimSpace(v))
	if err != nil || i < 1 {
		return 1
	}
	return min(i, most)
}

// rows calls f for each row of a table.
func rows(n *html.Node, f func(row *html.Node)) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Tr:
			f(c)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			rows(c, f)
		}
	}
}

// cells calls f for each cell of a row.
func cells(row *html.Node, f func(cell *html.Node)) {
	for c := row.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Td || c.DataAtom == atom.Th {
			f(c)
		}
	}
}

// caption writes the captions of a table.
func (w *writer) caption(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Caption {
			w.children(c)
			w.flush()
		}
	}
}

// tableCell writes a cell and returns where its text is.
func (w *writer) tableCell(c *html.Node) (start, end int) {
	w.out = append(w.out, ' ')
	start = len(w.out)
	last, loose := w.last, w.loose
	w.cell, w.last, w.sep = true, noBlock, "<br>"
	w.children(c)
	w.flush()
	w.cell, w.last, w.loose = false, last, loose
	end = len(w.out)
	w.out = append(w.out, " |"...)
	return start, end
}

// tableInCell writes a table inside a cell: its cells are joined by blanks.
func (w *writer) tableInCell(n *html.Node) {
	w.caption(n)
	first := true
	rows(n, func(row *html.Node) {
		cells(row, func(c *html.Node) {
			if !first {
				w.sep = " "
			}
			before := len(w.out)
			w.children(c)
			w.flush()
			w.sep = "<br>"
			first = first && len(w.out) == before
		})
	})
}
