package window

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
	"github.com/mini-me/mm/internal/ui/edit"
)

// input is the line that is typed, with what was typed before.
type input struct {
	buf     *edit.Buffer
	history []string
	at      int    // in the history; its length for the new line
	draft   string // the new line while the history is looked at
}

func newInput() input { return input{buf: &edit.Buffer{}} }

// maxHistory is how many lines are kept.
const maxHistory = 500

// key takes a key that edits. It reports false for keys that mean something else.
func (i *input) key(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "alt+enter", "shift+enter", "ctrl+j":
		i.buf.Insert("\n")
		return true
	case "up":
		if !i.buf.Up() {
			i.recall(-1)
		}
		return true
	case "down":
		if !i.buf.Down() {
			i.recall(1)
		}
		return true
	}
	return editKey(i.buf, k)
}

// editKey carries out the keys that all boxes know.
func editKey(b *edit.Buffer, k tea.KeyPressMsg) bool {
	switch k.String() {
	case "left", "ctrl+b":
		b.Left()
	case "right", "ctrl+f":
		b.Right()
	case "alt+left", "ctrl+left", "alt+b":
		b.WordLeft()
	case "alt+right", "ctrl+right", "alt+f":
		b.WordRight()
	case "home", "ctrl+a":
		b.Home()
	case "end", "ctrl+e":
		b.End()
	case "backspace", "ctrl+h", "shift+backspace":
		b.Backspace()
	case "delete", "ctrl+d":
		b.Delete()
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		b.DeleteWord()
	case "ctrl+k":
		b.KillLine()
	case "ctrl+u":
		b.KillBefore()
	case "ctrl+y":
		b.Yank()
	default:
		if k.Text == "" {
			return false
		}
		b.Insert(ui.Clean(k.Text))
	}
	return true
}

// paste puts in a text. What could steer the terminal is made visible, as everywhere.
func (i *input) paste(text string) { i.buf.Insert(ui.Clean(text)) }

// enter returns the text and begins a new line. A line that ends in a backslash goes on instead.
func (i *input) enter() (line string, ok bool) {
	if before, _ := i.buf.Before(); strings.HasSuffix(before, `\`) {
		i.buf.ReplaceBefore(1, "\n")
		return "", false
	}
	line = strings.TrimRight(i.buf.Text(), " \n")
	if n := len(i.history); strings.TrimSpace(line) != "" && (n == 0 || i.history[n-1] != line) {
		i.history = append(i.history, line)
		if n >= maxHistory {
			i.history = i.history[1:]
		}
	}
	i.at, i.draft = len(i.history), ""
	i.buf.Set("")
	return line, true
}

// recall goes through what was typed before.
func (i *input) recall(step int) {
	to := i.at + step
	if to < 0 || to > len(i.history) {
		return
	}
	if i.at == len(i.history) {
		i.draft = i.buf.Text()
	}
	i.at = to
	if to == len(i.history) {
		i.buf.Set(i.draft)
		return
	}
	i.buf.Set(i.history[to])
}

// prompt stands before the input's first row.
const prompt = "> "

// view draws the input in at most height rows; x and y are where the cursor is.
func (i *input) view(width, height int, m cells.Measure) (lines []paint.Line, x, y int) {
	return box(i.buf, prompt, width, height, m)
}

// box draws a text that is typed behind a prompt.
func box(b *edit.Buffer, prompt string, width, height int, m cells.Measure) (lines []paint.Line, x, y int) {
	w := cells.Width(prompt, m)
	b.Layout(width-w, m)
	rows, x, y := b.Rows(height)
	for n, row := range rows {
		head := paint.Text(prompt, paint.Bold, m)
		if n > 0 {
			head = paint.Text(strings.Repeat(" ", w), paint.Plain, m)
		}
		lines = append(lines, head.Add(row, paint.Plain, m))
	}
	return lines, min(x+w, width-1), y
}
