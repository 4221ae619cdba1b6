package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// marks reads a run of *, _ or ~ (CommonMark 6.2: what it may begin and end).
func (p *parser) marks(i int) int {
	s := p.src
	c, n := s[i], run(s[i:])
	if c == '~' && n != 2 {
		return 0
	}
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	after, _ := utf8.DecodeRuneInString(s[i+n:])
	if i == 0 {
		before = ' '
	}
	if i+n == len(s) {
		after = ' '
	}
	left := !unicode.IsSpace(after) && (!punct(after) || unicode.IsSpace(before) || punct(before))
	right := !unicode.IsSpace(before) && (!punct(before) || unicode.IsSpace(after) || punct(after))
	m := piece{text: s[i : i+n], mark: c, open: left, close: right, whole: n}
	if c == '_' {
		m.open = left && (!right || punct(before))
		m.close = right && (!left || punct(after))
	}
	p.pieces = append(p.pieces, m)
	return n
}

func punct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// emphasis pairs the marks and styles what stands between (CommonMark, "process emphasis").
func (p *parser) emphasis(from int) {
	for end := from; end < len(p.pieces); end++ {
		for c := &p.pieces[end]; c.close && c.text != ""; {
			begin := p.opener(from, end)
			if begin < 0 {
				break
			}
			p.pair(begin, end)
		}
	}
}

// lookBack bounds the search for an opening mark, so that a text of stars stays quick.
const lookBack = 1000

// opener finds the mark that the one at end closes.
func (p *parser) opener(from, end int) int {
	c := p.pieces[end]
	for i := end - 1; i >= max(from, end-lookBack); i-- {
		o := p.pieces[i]
		if o.mark != c.mark || !o.open || o.text == "" {
			continue
		}
		if (o.close || c.open) && (o.whole+c.whole)%3 == 0 && (o.whole%3 != 0 || c.whole%3 != 0) {
			continue
		}
		return i
	}
	return -1
}

// pair styles what stands between two marks and takes the marks away.
func (p *parser) pair(begin, end int) {
	o, c := &p.pieces[begin], &p.pieces[end]
	n, st := 1, Italic
	switch {
	case c.mark == '~':
		n, st = 2, Strike
	case len(o.text) >= 2 && len(c.text) >= 2:
		n, st = 2, Bold
	}
	o.text, c.text = o.text[n:], c.text[n:]
	for i := begin + 1; i < end; i++ {
		p.pieces[i].style |= st
		if p.pieces[i].mark != 0 { // what wasn't closed inside is text
			p.pieces[i].open = false
		}
	}
}

// spans are the pieces as they are drawn.
func (p *parser) spans(base Style) []Span {
	out := make([]Span, 0, len(p.pieces))
	for _, x := range p.pieces {
		if x.text == "" {
			continue
		}
		st := x.style | base
		if n := len(out); n > 0 && out[n-1].Style == st {
			out[n-1].Text += x.text
			continue
		}
		out = append(out, Span{x.text, st})
	}
	return out
}

// Plain is the part's text without marks.
func (p *Part) Plain() string {
	if p.Kind != Paragraph && p.Kind != Heading {
		return p.Source()
	}
	var b strings.Builder
	for _, s := range inline(p.text, 0) {
		b.WriteString(s.Text)
	}
	return b.String()
}
