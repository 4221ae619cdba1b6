package markdown

import "github.com/mini-me/mm/internal/ui/cells"

// wrapper breaks spans into lines.
type wrapper struct {
	width   int
	measure cells.Measure

	lines []Line
	line  Line
	at    int // cells of the line

	word  Line
	wordW int
	space Span // before the word
}

// wrap breaks text between words. Wide characters may stand at a line's end without a blank.
func wrap(spans []Span, width int, m cells.Measure) []Line {
	w := wrapper{width: max(1, width), measure: m}
	for _, s := range spans {
		w.span(s)
	}
	w.flush()
	if len(w.line) > 0 || len(w.lines) == 0 {
		w.lines = append(w.lines, w.line)
	}
	return w.lines
}

func (w *wrapper) span(s Span) {
	text := s.Text
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t':
			w.flush()
			w.space = Span{w.space.Text + " ", s.Style}
			i++
			continue
		case c == '\n':
			w.flush()
			w.space = Span{}
			w.newline()
			i++
			continue
		}
		if n := ascii(text[i:]); n > 0 {
			w.grow(text[i:i+n], n, s.Style)
			i += n
			continue
		}
		cluster, n := cells.Cluster(text[i:], w.measure)
		if n > 1 {
			w.flush()
			w.grow(cluster, n, s.Style)
			w.flush()
		} else {
			w.grow(cluster, n, s.Style)
		}
		i += len(cluster)
	}
}

// ascii counts the plain characters at the beginning of a text. The last one before something else
// isn't among them: a mark may follow that belongs to it.
func ascii(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return max(0, i-1)
		}
		if s[i] <= ' ' || s[i] == 0x7f {
			return i
		}
	}
	return len(s)
}

func (w *wrapper) grow(s string, n int, st Style) {
	w.word = add(w.word, s, st)
	w.wordW += n
}

func add(l Line, s string, st Style) Line {
	if n := len(l); n > 0 && l[n-1].Style == st {
		l[n-1].Text += s
		return l
	}
	return append(l, Span{s, st})
}

// flush puts the word on the line, or on the next one.
func (w *wrapper) flush() {
	if w.wordW == 0 && len(w.word) == 0 {
		return
	}
	gap := len(w.space.Text)
	switch {
	case w.at+gap+w.wordW <= w.width:
		if gap > 0 && w.at > 0 || gap > 0 && len(w.lines) == 0 {
			w.line = add(w.line, w.space.Text, w.space.Style)
			w.at += gap
		}
	case w.at > 0:
		w.newline()
	}
	if w.at+w.wordW > w.width {
		for _, s := range w.word {
			w.characters(s.Text, s.Style)
		}
	} else {
		for _, s := range w.word {
			w.line = add(w.line, s.Text, s.Style)
		}
		w.at += w.wordW
	}
	w.word, w.wordW, w.space = nil, 0, Span{}
}

func (w *wrapper) newline() {
	w.lines = append(w.lines, w.line)
	w.line, w.at = nil, 0
}

// characters puts text on the line and breaks it where the line is full.
func (w *wrapper) characters(text string, st Style) {
	for len(text) > 0 {
		if n := min(ascii(text)+blank(text), w.width-w.at); n > 0 {
			w.line = add(w.line, text[:n], st)
			w.at += n
			text = text[n:]
			continue
		}
		cluster, n := cells.Cluster(text, w.measure)
		if w.at+n > w.width && w.at > 0 {
			w.newline()
			continue
		}
		w.line = add(w.line, cluster, st)
		w.at += n
		text = text[len(cluster):]
	}
}

// blank is 1 when a text that begins with a blank can be taken as it is.
func blank(s string) int {
	if s[0] == ' ' && (len(s) == 1 || s[1] < 0x80) {
		return 1
	}
	return 0
}
