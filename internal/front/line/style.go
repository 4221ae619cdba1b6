package line

import (
	"strings"

	"github.com/mini-me/mm/internal/ui/markdown"
)

// The styles, as SGR sequences. Only the terminal's own colours: they can be read on dark and light.
const (
	faint  = "\x1b[2m"
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	cyan   = "\x1b[36m"
)

// sgr is how a span of Markdown is drawn.
func sgr(s markdown.Style) string {
	var codes []string
	for _, x := range []struct {
		style markdown.Style
		code  string
	}{
		{markdown.Bold, "1"}, {markdown.Italic, "3"}, {markdown.Strike, "9"}, {markdown.Mono, "36"},
		{markdown.Link, "4"}, {markdown.URL, "2"}, {markdown.Title, "35"}, {markdown.Mark, "2"},
		{markdown.Keyword, "34"}, {markdown.String, "32"}, {markdown.Comment, "2"}, {markdown.Number, "33"},
	} {
		if s&x.style != 0 {
			codes = append(codes, x.code)
		}
	}
	if len(codes) == 0 {
		return ""
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// render is a laid out line with its styles.
func render(l markdown.Line) string {
	var b strings.Builder
	for _, s := range l {
		style := sgr(s.Style)
		b.WriteString(style + s.Text)
		if style != "" {
			b.WriteString(off)
		}
	}
	return b.String()
}
