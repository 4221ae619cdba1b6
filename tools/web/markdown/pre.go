package markdown

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// pre writes a code block. Its fence is longer than any run of backticks in the code.
func (w *writer) pre(n *html.Node) {
	w.flush()
	w.text = appendCode(w.text[:0], n)
	code := strings.TrimRight(verbatim(string(w.text)), " \t\n")
	for i := 0; i < len(code); i++ { // blank lines before the first
		if code[i] == '\n' {
			code, i = code[i+1:], -1
		} else if !isBlank(code[i]) {
			break
		}
	}
	if code == "" {
		return
	}
	if w.cell {
		w.codeInCell(code)
		return
	}
	fence := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	w.begin(otherBlock)
	w.out = append(w.out, fence...)
	w.out = append(w.out, languageOf(n)...)
	for line := range strings.SplitSeq(code, "\n") {
		if line == "" {
			w.out = append(w.out, '\n')
			w.out = append(w.out, strings.TrimRight(string(w.prefix), " ")...)
			continue
		}
		w.newline()
		w.out = append(w.out, line...)
	}
	w.newline()
	w.out = append(w.out, fence...)
}

// verbatim returns text of a code block, with line ends as Markdown has them.
func verbatim(s string) string {
	s = visible(s)
	if strings.ContainsAny(s, "\r\f") {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\f", " ").Replace(s)
	}
	return s
}

// codeInCell writes the lines of a code block as inline code, since a cell is one line.
func (w *writer) codeInCell(code string) {
	for line := range strings.SplitSeq(code, "\n") {
		if !hasVisible(line) {
			continue
		}
		w.code++
		w.addText(line)
		w.code--
		w.flush()
	}
}

// appendCode appends the text of a code block. Blocks in it stand on lines of their own.
func appendCode(out []byte, n *html.Node) []byte {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch {
		case c.Type == html.TextNode:
			out = append(out, c.Data...)
		case c.DataAtom == atom.Br:
			out = append(out, '\n')
		case isBlock(c.DataAtom):
			out = lineStart(out)
			before := len(out)
			out = appendCode(out, c)
			if len(out) > before || c.DataAtom == atom.P {
				out = lineStart(out)
			}
		default:
			out = appendCode(out, c)
		}
	}
	return out
}

func lineStart(out []byte) []byte {
	if len(out) > 0 && out[len(out)-1] != '\n' {
		return append(out, '\n')
	}
	return out
}

// languageOf returns the language that a pre, or the code in it, names.
func languageOf(n *html.Node) string {
	for n != nil {
		if lang := attr(n, "class"); lang != "" {
			return visible(lang)
		}
		child := n.FirstChild
		for child != nil && child.DataAtom != atom.Code {
			child = child.NextSibling
		}
		n = child
	}
	return ""
}

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest := 0
	for i := strings.IndexByte(s, c); i >= 0 && i < len(s); i++ {
		run := 0
		for i < len(s) && s[i] == c {
			run++
			i++
		}
		longest = max(longest, run)
	}
	return longest
}
