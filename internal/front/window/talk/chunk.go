package talk

import (
	"strings"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui/cells"
)

// A chunk of a plain text has at most so many lines and bytes, so that drawing one is quick.
const (
	chunkLines = 50
	chunkBytes = 8 << 10
)

// chunks splits a text into pieces that are drawn on their own. Lines of more than chunkBytes are cut.
func chunks(text string) []string {
	text = strings.TrimRight(text, "\n")
	if text == "" {
		return nil
	}
	var out []string
	begin, lines := 0, 0
	for i := 0; i < len(text); {
		end := strings.IndexByte(text[i:], '\n')
		switch {
		case end < 0:
			end = len(text) - i
		default:
			end++
		}
		end = min(end, chunkBytes)
		for i+end < len(text) && text[i+end]&0xc0 == 0x80 {
			end--
		}
		if lines == chunkLines || i+end-begin > chunkBytes {
			out = append(out, strings.TrimSuffix(text[begin:i], "\n"))
			begin, lines = i, 0
		}
		i += end
		lines++
	}
	return append(out, text[begin:])
}

// block of lines in one style, broken to a width.
func plainLines(text string, width int, m cells.Measure, words bool, prefix string, st paint.Style) []paint.Line {
	var out []paint.Line
	room := max(1, width-cells.Width(prefix, m))
	for line := range strings.SplitSeq(text, "\n") {
		for _, row := range cells.Break(line, room, m, words) {
			out = append(out, paint.Text(prefix+row, st, m))
		}
	}
	return out
}
