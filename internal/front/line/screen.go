package line

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/mini-me/mm/internal/ui/cells"
)

// row is a row of the live region: its text, and the escape sequence of its style.
type row struct{ text, style string }

// screen draws on a terminal in raw mode. What is printed stands above and scrolls away; the live
// region at the bottom (the unfinished part of an answer, what is waited for, the prompt) is drawn
// anew whenever something changes. The cursor is in the live region all the time.
//
// Each change is one write: terminals show it at once, without a flicker in between.
type screen struct {
	w             io.Writer
	columns, rows int
	m             cells.Measure
	colour        bool

	live []row // as drawn
	x, y int   // where the cursor is in it
}

func newScreen(w io.Writer, columns, rows int, colour bool) *screen {
	return &screen{w: w, columns: columns, rows: rows, m: ansi.WcWidth, colour: colour}
}

// Sequences. While the live region is drawn, lines don't wrap: a character that takes more cells than
// was thought must not move the rows below.
const (
	begin   = "\x1b[?2026h\x1b[?25l"
	commit  = "\x1b[?25h\x1b[?2026l"
	wrapOff = "\x1b[?7l"
	wrapOn  = "\x1b[?7h"
	below   = "\x1b[J"
	toEnd   = "\x1b[K"
	off     = "\x1b[m"
)

// draw prints finished lines above, each ended by a line end, and draws the live region.
func (s *screen) draw(above string, live []row, x, y int) {
	if n := len(live) - (s.rows - 1); n > 0 && s.rows > 1 { // the region never scrolls
		live, y = live[n:], max(0, y-n)
	}
	var b strings.Builder
	b.WriteString(begin)
	if above == "" && len(live) == len(s.live) {
		s.update(&b, live)
	} else {
		s.up(&b, s.y)
		b.WriteString("\r" + below)
		b.WriteString(strings.ReplaceAll(above, "\n", "\r\n"))
		b.WriteString(wrapOff)
		for i, r := range live {
			if i > 0 {
				b.WriteString("\r\n")
			}
			b.WriteString(s.styled(r))
		}
		b.WriteString(wrapOn)
		s.y = max(0, len(live)-1)
	}
	s.live = live
	s.cursor(&b, x, y)
	b.WriteString(commit)
	_, _ = io.WriteString(s.w, b.String())
}

// update draws the rows that have changed.
func (s *screen) update(b *strings.Builder, live []row) {
	b.WriteString(wrapOff)
	for i, r := range live {
		if r == s.live[i] {
			continue
		}
		s.cursor(b, 0, i)
		b.WriteString(toEnd + s.styled(r))
	}
	b.WriteString(wrapOn)
}

func (s *screen) styled(r row) string {
	if r.style == "" || r.text == "" || !s.colour {
		return r.text
	}
	return r.style + r.text + off
}

// cursor moves the cursor within the live region.
func (s *screen) cursor(b *strings.Builder, x, y int) {
	s.up(b, s.y-y)
	if n := y - s.y; n > 0 {
		fmt.Fprintf(b, "\x1b[%dB", n)
	}
	b.WriteString("\r")
	if x > 0 {
		fmt.Fprintf(b, "\x1b[%dC", x)
	}
	s.x, s.y = x, y
}

func (s *screen) up(b *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(b, "\x1b[%dA", n)
	}
}

// resize takes a new size. Most terminals break rows anew that are too long for a narrower window: the
// live region then takes more rows, and its beginning is further up.
func (s *screen) resize(columns, rows int) {
	up := 0
	for i := 0; i < s.y && i < len(s.live); i++ {
		up += s.height(s.live[i], columns)
	}
	if s.y < len(s.live) {
		up += s.x / max(columns, 1)
	}
	s.columns, s.rows = columns, rows
	s.y = min(up, rows-1)
	var b strings.Builder
	s.up(&b, s.y)
	b.WriteString("\r" + below)
	_, _ = io.WriteString(s.w, b.String())
	s.live, s.x, s.y = nil, 0, 0
}

func (s *screen) height(r row, columns int) int {
	return max(1, (cells.Width(ansi.Strip(r.text), s.m)+columns-1)/max(columns, 1))
}

// clear empties the terminal.
func (s *screen) clear() {
	_, _ = io.WriteString(s.w, "\x1b[H\x1b[2J")
	s.live, s.x, s.y = nil, 0, 0
}
