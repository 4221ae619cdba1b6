package prompt

import (
	"fmt"
	"strings"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// maxMenu is how many candidates are shown at a time.
const maxMenu = 6

// View is the editor as it is drawn: rows of at most width cells, and the cursor's place in them.
// Dim marks rows that are drawn faint.
type View struct {
	Rows []string
	Dim  []bool
	X, Y int
}

func (v *View) add(row string, dim bool) {
	v.Rows = append(v.Rows, row)
	v.Dim = append(v.Dim, dim)
}

// View lays the editor out behind a prompt.
func (e *Editor) View(prompt string, width, height int, m cells.Measure) View {
	width = max(width, 4)
	if e.search != nil {
		return e.searchView(width, m)
	}
	var v View
	own, lead := Lead(prompt, width, m)
	for _, r := range own {
		v.add(r, false)
	}
	hang := cells.Width(lead, m)
	e.buf.Layout(width-hang, m)
	rows, x, y := e.buf.Rows(max(1, height-len(v.Rows)))
	v.X, v.Y = hang+x, len(v.Rows)+y
	for i, r := range rows {
		if i > 0 {
			lead = strings.Repeat(" ", hang)
		}
		v.add(lead+ui.Clean(r), false)
	}
	e.menuView(&v, width, m)
	return v
}

// Lead splits a prompt for a width: rows of its own where it is long, and what stands before the first
// row of the text.
func Lead(prompt string, width int, m cells.Measure) (rows []string, lead string) {
	if cells.Width(prompt, m)+16 <= width || cells.Width(prompt, m)*2 <= width {
		return nil, prompt
	}
	return cells.Break(strings.TrimRight(prompt, " ?"), width, m, true), "? "
}

func (e *Editor) searchView(width int, m cells.Measure) View {
	s, found := e.search, ""
	if s.at >= 0 && s.text != "" {
		found = e.History.At(s.at)
	}
	var v View
	ask := "search: " + ui.CleanLine(s.text)
	if cells.Width(ask, m) >= width {
		ask = cells.Cut(ask, width-1, m)
	}
	v.add(ask, false)
	v.X = min(cells.Width(ask, m), width-1)
	switch {
	case s.text == "":
		v.add(cells.Cut("Ctrl-R older · Enter takes it", width, m), true)
	case s.at < 0:
		v.add(cells.Cut("nothing found", width, m), true)
	default:
		v.add(cells.Cut(ui.CleanLine(found), width, m), false)
	}
	return v
}

// menuView draws the candidates around the one that is put in.
func (e *Editor) menuView(v *View, width int, m cells.Measure) {
	if e.menu == nil {
		return
	}
	list := e.menu.list
	from := max(0, min(e.menu.at-maxMenu+2, len(list)-maxMenu))
	widest := 0
	for _, c := range list {
		widest = max(widest, cells.Width(c.label(), m))
	}
	for i := from; i < min(from+maxMenu, len(list)); i++ {
		mark := "  "
		if i == e.menu.at {
			mark = "❯ "
		}
		row := mark + list[i].label()
		if help := ui.CleanLine(list[i].Help); help != "" {
			row = cells.Pad(row, widest+4, m) + help
		}
		v.add(cells.Cut(row, width, m), true)
	}
	if more := len(list) - from - maxMenu; more > 0 {
		v.add(cells.Cut(fmt.Sprintf("  … %d more", more), width, m), true)
	}
}
