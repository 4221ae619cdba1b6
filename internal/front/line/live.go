package line

import (
	"fmt"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/front/line/prompt"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// live is what is drawn where a person types in the editor: what was printed, and below it the live
// region. The printer's lock guards it.
type live struct {
	s    *screen
	size func() (columns, rows int) // of the terminal now

	above  strings.Builder // to be printed
	open   string          // a plain line that hasn't ended
	style  string          // its style
	answer *answer         // Markdown that streams; nil for none
	rows   []string        // of it, that may still change

	phase  string // what the turn waits for
	since  time.Time
	frame  int
	hidden bool   // a person is waited for: nothing spins
	asked  string // what the person is asked, shown above the prompt once
	pushed bool   // other output has pushed the question up

	prompt string
	input  prompt.View
}

// room is how many rows the unfinished part of an output may take.
func (l *live) room() int { return max(3, l.s.rows/2) }

// text adds to an answer.
func (l *live) text(s string) {
	if l.open != "" {
		l.endLine()
	}
	if l.answer == nil {
		l.answer = &answer{}
	}
	var printed []string
	printed, l.rows = l.answer.write(s, l.s.columns, l.room(), l.s.m)
	l.print(printed)
}

func (l *live) print(rows []string) {
	l.pushed = true
	for _, r := range rows {
		l.above.WriteString(r + "\n")
	}
}

// write adds to the plain line at the bottom.
func (l *live) write(s, style string) {
	if l.answer != nil || l.open != "" && l.style != style {
		l.endLine()
	}
	l.style = style
	for {
		line, rest, ended := strings.Cut(s, "\n")
		l.open += line
		if !ended {
			break
		}
		l.print([]string{l.styled(l.open)})
		l.open, s = "", rest
	}
	// What there is no room for is printed, broken where the terminal would break it.
	rows := cells.Break(l.open, l.s.columns, l.s.m, false)
	if over := len(rows) - l.room(); over > 0 {
		for _, r := range rows[:over] {
			l.print([]string{l.styled(r)})
		}
		l.open = strings.Join(rows[over:], "")
	}
}

func (l *live) styled(s string) string { return l.s.styled(row{s, l.style}) }

// line prints a line of its own, which may hold styles.
func (l *live) line(s string) {
	l.endLine()
	l.print([]string{s})
}

// endLine prints what hasn't ended.
func (l *live) endLine() {
	if l.answer != nil {
		l.print(l.answer.end(l.s.columns, l.s.m))
		l.answer, l.rows = nil, nil
	}
	if l.open != "" {
		l.print([]string{l.styled(l.open)})
		l.open = ""
	}
}

// spinner are the frames of what turns while something is waited for.
const spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

// status is the row that says what is waited for, "" for none.
func (l *live) status(now time.Time) string {
	if l.hidden && l.pushed {
		return cells.Cut(l.asked, l.s.columns, l.s.m)
	}
	if l.phase == "" || l.hidden {
		return ""
	}
	frames := []rune(spinner)
	text := fmt.Sprintf("%c %s", frames[l.frame%len(frames)], ui.CleanLine(l.phase))
	if d := now.Sub(l.since); d >= 2*time.Second {
		text += fmt.Sprintf(" · %d s", int(d.Seconds()))
	}
	return cells.Cut(text, l.s.columns, l.s.m)
}

// wait notes what is waited for.
func (l *live) wait(phase string, now time.Time) {
	if phase != l.phase {
		l.phase, l.since = phase, now
	}
}

// fit takes the terminal's size: it may have changed since something was drawn.
func (l *live) fit() {
	if columns, rows := l.size(); columns != l.s.columns || rows != l.s.rows {
		l.s.resize(columns, rows)
	}
}

// draw shows it all.
func (l *live) draw(now time.Time) {
	l.fit()
	var rows []row
	if l.open != "" {
		for _, r := range cells.Break(l.open, l.s.columns, l.s.m, false) {
			rows = append(rows, row{r, l.style})
		}
	}
	for _, r := range l.rows {
		rows = append(rows, row{text: r})
	}
	if s := l.status(now); s != "" {
		rows = append(rows, row{s, faint})
	}
	y := len(rows) + l.input.Y
	for i, r := range l.input.Rows {
		style := ""
		if l.input.Dim[i] {
			style = faint
		}
		rows = append(rows, row{r, style})
	}
	above := l.above.String()
	l.above.Reset()
	l.s.draw(above, rows, l.input.X, y)
}
