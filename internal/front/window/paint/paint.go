// Package paint colours text for the window. It uses the sixteen colours of the terminal's own palette
// and no background, so that the same text can be read on dark and on light; bold, faint, underline
// and reverse carry what has to be seen without colours as well. The renderer takes out what the
// terminal can't do, and all colours with NO_COLOR.
package paint

import (
	"strings"

	"github.com/mini-me/mm/internal/ui/cells"
	"github.com/mini-me/mm/internal/ui/markdown"
)

// Style is the escape sequence that turns a style on; "" is plain.
type Style string

// The styles.
const (
	Plain     Style = ""
	Bold      Style = "\x1b[1m"
	Faint     Style = "\x1b[2m"
	Reverse   Style = "\x1b[7m"
	Underline Style = "\x1b[4m"
	Red       Style = "\x1b[31m"
	Green     Style = "\x1b[32m"
	Yellow    Style = "\x1b[33m"
	Blue      Style = "\x1b[34m"
	Magenta   Style = "\x1b[35m"
	Cyan      Style = "\x1b[36m"
	BoldRed   Style = "\x1b[1;31m"
	Match     Style = "\x1b[1;7m"
)

// off ends any style.
const off = "\x1b[m"

// On returns text in the style.
func (s Style) On(text string) string {
	if s == Plain || text == "" {
		return text
	}
	return string(s) + text + off
}

// Agent is the colour of the i-th agent of a team. The names stand beside it: colours repeat.
func Agent(i int) Style {
	return [...]Style{Cyan, Magenta, Green, Blue, Yellow, Red}[i%6]
}

// Line is a line of the screen and its width in cells.
type Line struct {
	Text  string
	Width int
}

// Text is a line in one style.
func Text(s string, st Style, m cells.Measure) Line { return Line{st.On(s), cells.Width(s, m)} }

// Add appends text in a style.
func (l Line) Add(s string, st Style, m cells.Measure) Line {
	return Line{l.Text + st.On(s), l.Width + cells.Width(s, m)}
}

// Pad fills the line up to a width.
func (l Line) Pad(width int) string {
	if n := width - l.Width; n > 0 {
		return l.Text + strings.Repeat(" ", n)
	}
	return l.Text
}

// Markdown paints a line of laid out Markdown. Under is the style of text that has none.
func Markdown(line markdown.Line, under Style, m cells.Measure) Line {
	var b strings.Builder
	width := 0
	for _, s := range line {
		b.WriteString(span(s.Style, under).On(s.Text))
		width += cells.Width(s.Text, m)
	}
	return Line{b.String(), width}
}

// span is the style of a piece of Markdown.
func span(st markdown.Style, under Style) Style {
	if st == 0 {
		return under
	}
	var codes []string
	for _, c := range [...]struct {
		bit  markdown.Style
		code string
	}{
		{markdown.Bold, "1"}, {markdown.Italic, "3"}, {markdown.Strike, "9"}, {markdown.Link, "4"},
		{markdown.Mono, "36"}, {markdown.URL, "2"}, {markdown.Title, "34"}, {markdown.Mark, "2"},
		{markdown.Keyword, "35"}, {markdown.String, "32"}, {markdown.Comment, "2;3"}, {markdown.Number, "36"},
	} {
		if st&c.bit != 0 {
			codes = append(codes, c.code)
		}
	}
	return Style("\x1b[" + strings.Join(codes, ";") + "m")
}
