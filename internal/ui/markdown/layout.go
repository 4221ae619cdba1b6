package markdown

import (
	"strings"

	"github.com/mini-me/mm/internal/ui/cells"
)

// Line is a line on the screen.
type Line []Span

// Layout lays the part out for a width in cells. Below 8 cells it takes 8; a table takes three cells
// a column at least.
func (p *Part) Layout(width int, m cells.Measure) []Line {
	width = max(width, 8)
	first, rest := p.first, p.rest
	room := width - cells.Width(first, m)
	if room < 8 { // deep in lists: the text matters more than where it hangs
		first, rest = shorten(first), ""
		room = width - cells.Width(first, m)
	}
	lines := p.body(room, m)
	if len(lines) == 0 {
		lines = []Line{nil}
	}
	for i := range lines {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		if prefix != "" {
			lines[i] = append(Line{{prefix, Mark}}, lines[i]...)
		}
	}
	return lines
}

// shorten keeps the marker of a prefix that takes too much room.
func shorten(prefix string) string {
	f := strings.Fields(prefix)
	if len(f) == 0 || len(f[len(f)-1]) > 3 || strings.HasSuffix(prefix, "  ") {
		return ""
	}
	return f[len(f)-1] + " "
}

func (p *Part) body(width int, m cells.Measure) []Line {
	switch p.Kind {
	case Heading:
		base := Title | Bold
		if p.level > 2 {
			base = Title
		}
		return wrap(inline(p.text, base), width, m)
	case Rule:
		return []Line{{{strings.Repeat("─", min(width, 40)), Mark}}}
	case Table:
		return p.table(width, m)
	case Code:
		return p.code(width, m)
	}
	return wrap(inline(p.text, 0), width, m)
}

// codeIndent sets code off from the text around it.
const codeIndent = "  "

func (p *Part) code(width int, m cells.Measure) []Line {
	var out []Line
	in := codeIndent
	if width < 24 {
		in = ""
	}
	for _, spans := range highlight(p.rows, p.Language()) {
		for _, l := range chop(spans, width-len(in), m) {
			out = append(out, append(Line{{in, 0}}, l...))
		}
	}
	return out
}

func spansWidth(spans []Span, m cells.Measure) int {
	n := 0
	for _, s := range spans {
		n += cells.Width(s.Text, m)
	}
	return n
}

// chop breaks text wherever a line is full: code keeps its blanks.
func chop(spans []Span, width int, m cells.Measure) []Line {
	w := wrapper{width: max(1, width), measure: m}
	for _, s := range spans {
		w.characters(strings.ReplaceAll(s.Text, "\t", "    "), s.Style)
	}
	return append(w.lines, w.line)
}
