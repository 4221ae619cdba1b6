package markdown

import (
	"strings"

	"github.com/mini-me/mm/internal/ui/cells"
)

type align uint8

const (
	left align = iota
	right
	center
)

// delimiters reads the line under a table's header; nil when it isn't one.
func delimiters(s string) []align {
	if !strings.Contains(s, "-") || strings.Trim(s, "|-: ") != "" || !strings.ContainsAny(s, "|:") {
		return nil
	}
	var list []align
	for _, c := range rowCells(s) {
		if strings.Trim(c, ":") == "" || strings.Trim(strings.Trim(c, ":"), "-") != "" {
			return nil
		}
		switch l, r := c[0] == ':', c[len(c)-1] == ':'; {
		case l && r:
			list = append(list, center)
		case r:
			list = append(list, right)
		default:
			list = append(list, left)
		}
	}
	return list
}

// rowCells splits a row at its bars, except at those that are escaped or in code.
func rowCells(s string) []string {
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "|")
	var out []string
	begin, code := 0, false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '`':
			code = !code && strings.Contains(s[i+1:], "`")
		case '|':
			if !code {
				out = append(out, cell(s[begin:i]))
				begin = i + 1
			}
		}
	}
	if begin < len(s) && strings.TrimSpace(s[begin:]) != "" {
		out = append(out, cell(s[begin:]))
	}
	return out
}

func cell(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, `\|`, "|")) }

// table lays out the rows. Columns that don't fit share what there is; their cells are wrapped.
func (p *Part) table(width int, m cells.Measure) []Line {
	grid, header := p.grid()
	widths := p.columns(grid, width, m)
	var out []Line
	for i, row := range grid {
		out = append(out, p.tableRow(row, widths, m)...)
		if header && i == 0 {
			out = append(out, tableRule(widths))
		}
	}
	return out
}

// grid parses the cells; header says that the first row is the table's.
func (p *Part) grid() (grid [][][]Span, header bool) {
	header = !p.more
	for i, r := range p.rows {
		base := Style(0)
		if i == 0 && header {
			base = Bold
		}
		row := make([][]Span, len(p.align))
		for j, c := range rowCells(r) {
			if j < len(row) {
				row[j] = inline(c, base)
			}
		}
		grid = append(grid, row)
	}
	return grid, header
}

// columns shares the width: each column gets what it needs, wide ones less.
func (p *Part) columns(grid [][][]Span, width int, m cells.Measure) []int {
	want := make([]int, len(p.align))
	for _, row := range grid {
		for j, c := range row {
			want[j] = max(want[j], spansWidth(c, m), 1)
		}
	}
	room := width - 3*(len(want)-1)
	for {
		total, widest := 0, 0
		for j, w := range want {
			total += w
			if w > want[widest] {
				widest = j
			}
		}
		if total <= room || want[widest] <= 3 {
			return want
		}
		second := 3 // no further down than the next widest
		for j, w := range want {
			if j != widest && w < want[widest] {
				second = max(second, w)
			}
		}
		want[widest] = max(second, want[widest]-(total-room), 3)
		if want[widest] == second && second > 3 {
			want[widest]--
		}
	}
}

func (p *Part) tableRow(row [][]Span, widths []int, m cells.Measure) []Line {
	columns := make([][]Line, len(widths))
	height := 1
	for j, w := range widths {
		columns[j] = wrap(row[j], w, m)
		height = max(height, len(columns[j]))
	}
	out := make([]Line, height)
	for i := range out {
		for j, w := range widths {
			var c Line
			if i < len(columns[j]) {
				c = columns[j][i]
			}
			out[i] = append(out[i], padded(c, w, p.align[j], m, j == len(widths)-1)...)
			if j < len(widths)-1 {
				out[i] = append(out[i], Span{" │ ", Mark})
			}
		}
	}
	return out
}

func padded(c Line, width int, a align, m cells.Measure, last bool) Line {
	free := max(0, width-spansWidth(c, m))
	before := 0
	switch a {
	case right:
		before = free
	case center:
		before = free / 2
	}
	out := append(Line{}, c...)
	if before > 0 {
		out = append(Line{{strings.Repeat(" ", before), 0}}, out...)
	}
	if free > before && !last {
		out = append(out, Span{strings.Repeat(" ", free-before), 0})
	}
	return out
}

func tableRule(widths []int) Line {
	var b strings.Builder
	for j, w := range widths {
		if j > 0 {
			b.WriteString("─┼─")
		}
		b.WriteString(strings.Repeat("─", w))
	}
	return Line{{b.String(), Mark}}
}
