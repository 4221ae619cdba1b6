package window

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
	"github.com/mini-me/mm/internal/ui/form"
)

// asked is a form of ask_user: its options stand at the bottom of the conversation, the question
// where the input is otherwise (tools.fr.md, ask_user, Fenêtre).
type asked struct {
	*form.Form
	since time.Time
	top   int // first option that is shown
}

func newAsked(f ui.Form, now time.Time) *asked { return &asked{Form: form.New(f), since: now} }

// key takes a key.
func (a *asked) key(k tea.KeyPressMsg) {
	name := k.String()
	if a.Press(name) {
		return
	}
	if b := a.Box(); b != nil {
		editKey(b, k)
	}
}

// options draws the lines to choose from, at most height.
func (a *asked) options(width, height int, m cells.Measure) []paint.Line {
	var out []paint.Line
	marked, multi := 0, a.Question().Type == ui.Multi
	digits := a.Question().Type == ui.Choice
	for i, o := range a.Options() {
		if o.Marked {
			marked = i
		}
		out = append(out, option(i, o, multi, digits, width, m))
	}
	if height < 1 {
		return nil
	}
	a.top = max(0, min(a.top, len(out)-height))
	a.top = max(min(a.top, marked), marked-height+1)
	return out[a.top:min(len(out), a.top+height)]
}

// option is one line: the marked one reversed and behind "❯".
func option(i int, o form.Option, multi, digits bool, width int, m cells.Measure) paint.Line {
	text := "  "
	st := paint.Plain
	if o.Marked {
		text, st = "❯ ", paint.Reverse
	}
	switch {
	case multi && o.Ticked:
		text += "[x] "
	case multi:
		text += "[ ] "
	case digits && i < 9:
		text += strconv.Itoa(i+1) + ". "
	}
	return paint.Text(cells.Cut(text+ui.CleanLine(o.Text), width, m), st, m)
}

// view draws the question, with its box when a text is asked for, in at most height lines; x and y are
// where the cursor is, y is -1 for nowhere.
func (a *asked) view(width, height int, m cells.Measure) (lines []paint.Line, x, y int) {
	text := "❓ " + ui.Clean(a.Question().Text)
	if i, n := a.Place(); n > 1 {
		text += fmt.Sprintf(" (%d/%d)", i, n)
	}
	for l := range strings.SplitSeq(text, "\n") {
		for _, row := range cells.Break(l, width, m, true) {
			lines = append(lines, paint.Text(row, paint.Bold, m))
		}
	}
	y = -1
	if b := a.Box(); b != nil {
		var rows []paint.Line
		if rows, x, y = box(b, sign, width, max(1, height/2), m); len(lines)+len(rows) > height {
			lines = lines[max(0, len(lines)-max(1, height-len(rows))):]
		}
		y += len(lines)
		lines = append(lines, rows...)
	}
	if len(lines) > height {
		lines = lines[:height]
	}
	return lines, x, y
}

// help says which keys answer.
func (a *asked) help() string {
	switch a.Question().Type {
	case ui.Multi:
		return "↑↓ Space ticks · Enter sends · Esc declines"
	case ui.Confirm:
		return "y n · Enter · Esc declines"
	case ui.Free:
		return "Enter sends · Esc declines"
	}
	return "↑↓ 1-9 · Enter · Esc declines"
}
