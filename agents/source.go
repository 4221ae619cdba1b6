package agents

import (
	"strings"
	"unicode/utf8"
)

// source is a file's text by lines, for places in it. Lines end where YAML ends them: at LF, CR,
// CRLF, and at the line ends of Unicode.
type source struct {
	text   string
	lines  []string // without their ends
	starts []int    // offsets of the lines in text
}

func newSource(text string) source {
	s := source{text: text}
	for start := 0; ; {
		rest := text[start:]
		i := strings.IndexAny(rest, "\n\r\u0085\u2028\u2029")
		if i < 0 {
			s.lines, s.starts = append(s.lines, rest), append(s.starts, start)
			return s
		}
		s.lines, s.starts = append(s.lines, rest[:i]), append(s.starts, start)
		_, size := utf8.DecodeRuneInString(rest[i:])
		if strings.HasPrefix(rest[i:], "\r\n") {
			size = 2
		}
		start += i + size
	}
}

// clamp keeps a place inside the file: one after a line's last character is the furthest.
func (s source) clamp(line, column int) (int, int) {
	line = min(max(line, 1), len(s.lines))
	return line, min(max(column, 1), utf8.RuneCountInString(s.lines[line-1])+1)
}

// at gives the place of an offset.
func (s source) at(offset int) (line, column int) {
	line = 1
	for line < len(s.lines) && s.starts[line] <= offset {
		line++
	}
	start := s.starts[line-1]
	return s.clamp(line, utf8.RuneCountInString(s.text[start:max(start, min(offset, len(s.text)))])+1)
}

// after finds a text at or after a place; without it, it gives that place.
func (s source) after(line, column int, text string) (int, int) {
	line, column = s.clamp(line, column)
	skip := column - 1
	for l := line; l <= len(s.lines); l++ {
		rest := string([]rune(s.lines[l-1])[skip:])
		if i := strings.Index(rest, text); i >= 0 {
			return l, skip + utf8.RuneCountInString(rest[:i]) + 1
		}
		skip = 0
	}
	return line, column
}

// content gives the place of the first text after a number of lines that is no comment.
func (s source) content(skip int) (line, column int) {
	for i := skip; i < len(s.lines); i++ {
		text := strings.TrimLeft(s.lines[i], " \t")
		if strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "#") {
			return s.clamp(i+1, len(s.lines[i])-len(text)+1)
		}
	}
	return s.clamp(skip+1, 1)
}
