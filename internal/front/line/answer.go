package line

import (
	"github.com/mini-me/mm/internal/ui/cells"
	"github.com/mini-me/mm/internal/ui/markdown"
)

// answer is an answer that streams: Markdown of which what can't change any more is printed, and the
// rest stands in the live region.
type answer struct {
	doc    markdown.Doc
	done   int // parts that were printed
	frozen int // rows of the next part that were printed, since the region had no room for them
}

// write takes a piece. It returns rows to print, and those that may still change: at most room.
func (a *answer) write(s string, width, room int, m cells.Measure) (printed, open []string) {
	a.doc.Write(s)
	parts := a.doc.Parts()
	// An unfinished line can still turn the part above it into something else: a table, a heading.
	last := len(parts) - 1
	if len(s) > 0 && s[len(s)-1] != '\n' {
		last--
	}
	for a.done < last {
		printed = append(printed, a.next(width, m)...)
	}
	return a.freeze(printed, width, room, m)
}

// next prints the first part that isn't printed.
func (a *answer) next(width int, m cells.Measure) []string {
	rows := a.rows(a.done, width, m)
	rows = rows[min(a.frozen, len(rows)):]
	a.done, a.frozen = a.done+1, 0
	return rows
}

// rows are those of a part, with the empty one above it.
func (a *answer) rows(i, width int, m cells.Measure) []string {
	p := a.doc.Parts()[i]
	var out []string
	if p.Gap && i > 0 {
		out = append(out, "")
	}
	for _, l := range p.Layout(width, m) {
		out = append(out, render(l))
	}
	return out
}

// freeze prints the rows of open parts for which there is no room.
func (a *answer) freeze(printed []string, width, room int, m cells.Measure) (_, open []string) {
	for {
		open = nil
		for i := a.done; i < len(a.doc.Parts()); i++ {
			rows := a.rows(i, width, m)
			if i == a.done {
				rows = rows[min(a.frozen, len(rows)):]
			}
			open = append(open, rows...)
		}
		over := len(open) - room
		if over <= 0 {
			return printed, open
		}
		first := a.rows(a.done, width, m)
		here := min(over, len(first)-a.frozen)
		if here <= 0 { // the part was laid out in fewer rows before
			a.done, a.frozen = a.done+1, 0
			continue
		}
		printed = append(printed, first[a.frozen:a.frozen+here]...)
		a.frozen += here
		if a.frozen >= len(first) && a.done < len(a.doc.Parts())-1 {
			a.done, a.frozen = a.done+1, 0
		}
	}
}

// end prints what is left.
func (a *answer) end(width int, m cells.Measure) []string {
	var out []string
	for a.done < len(a.doc.Parts()) {
		out = append(out, a.next(width, m)...)
	}
	return out
}
