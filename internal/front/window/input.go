package window

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/front/line/prompt"
	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
	"github.com/mini-me/mm/internal/ui/edit"
)

// input is the line that is typed, with what was typed before.
type input struct {
	buf     *edit.Buffer
	history *prompt.History
	at      int    // in the history, counted from 1 for the newest; 0 for the new line
	draft   string // the new line while the history is looked at
}

func newInput(history string) input {
	return input{buf: &edit.Buffer{}, history: prompt.OpenHistory(history)}
}

// key takes a key that edits. It reports false for keys that mean something else.
func (i *input) key(k tea.KeyPressMsg) bool {
	switch k.String() {
	case "alt+enter", "shift+enter", "ctrl+j":
		i.buf.Insert("\n")
		return true
	case "up":
		if !i.buf.Up() {
			i.recall(1)
		}
		return true
	case "down":
		if !i.buf.Down() {
			i.recall(-1)
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
	i.history.Add(line)
	i.at, i.draft = 0, ""
	i.buf.Set("")
	return line, true
}

// recall goes through what was typed before.
func (i *input) recall(step int) {
	to := i.at + step
	if to < 0 || to > i.history.Len() {
		return
	}
	if i.at == 0 {
		i.draft = i.buf.Text()
	}
	i.at = to
	if to == 0 {
		i.buf.Set(i.draft)
		return
	}
	i.buf.Set(ui.Clean(i.history.At(to - 1)))
}

// sign stands before the input's first row.
const sign = "> "

// view draws the input in at most height rows; x and y are where the cursor is.
func (i *input) view(width, height int, m cells.Measure) (lines []paint.Line, x, y int) {
	return box(i.buf, sign, width, height, m)
}

// box draws a text that is typed behind a sign.
func box(b *edit.Buffer, sign string, width, height int, m cells.Measure) (lines []paint.Line, x, y int) {
	w := cells.Width(sign, m)
	b.Layout(width-w, m)
	rows, x, y := b.Rows(height)
	for n, row := range rows {
		head := paint.Text(sign, paint.Bold, m)
		if n > 0 {
			head = paint.Text(strings.Repeat(" ", w), paint.Plain, m)
		}
		lines = append(lines, head.Add(row, paint.Plain, m))
	}
	return lines, min(x+w, width-1), y
}
