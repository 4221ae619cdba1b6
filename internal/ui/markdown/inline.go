package markdown

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style says how a span is drawn.
type Style uint16

// The styles. They add up: a link in a heading is both.
const (
	Bold Style = 1 << iota
	Italic
	Strike
	Mono // code within a line
	Link
	URL // a link's address, shown after its text
	Title
	Mark // bullets, bars, rules: what isn't the author's text
	Keyword
	String
	Comment
	Number
)

// Span is a piece of text in one style.
type Span struct {
	Text  string
	Style Style
}

// inline reads what stands inside a block.
func inline(s string, base Style) []Span {
	p := parser{src: s}
	p.scan()
	p.emphasis(0)
	return p.spans(base)
}

// piece is a text, or a run of marks that may become emphasis.
type piece struct {
	text        string
	style       Style
	mark        byte // *, _ or ~; 0 for text
	open, close bool // whether the run may begin and end emphasis
	whole       int  // its length at first
}

type parser struct {
	src    string
	pieces []piece
}

func (p *parser) text(s string, st Style) {
	if s == "" {
		return
	}
	if n := len(p.pieces); n > 0 && p.pieces[n-1].mark == 0 && p.pieces[n-1].style == st {
		p.pieces[n-1].text += s
		return
	}
	p.pieces = append(p.pieces, piece{text: s, style: st})
}

// special are the bytes at which something may begin.
const special = "\\`*_~[!<&\nh "

func (p *parser) scan() {
	s := p.src
	for i := 0; i < len(s); {
		j := strings.IndexAny(s[i:], special)
		if j < 0 {
			p.text(s[i:], 0)
			return
		}
		p.text(s[i:i+j], 0)
		i += j
		n := p.token(i)
		if n == 0 {
			n = 1
			p.text(s[i:i+1], 0)
		}
		i += n
	}
}

// token reads what begins at i and returns its length, 0 when it's only text.
func (p *parser) token(i int) int {
	s := p.src[i:]
	switch s[0] {
	case '\\':
		return p.escape(s)
	case '`':
		return p.mono(s)
	case '*', '_', '~':
		return p.marks(i)
	case '[':
		return p.link(s, "")
	case '!':
		if strings.HasPrefix(s, "![") {
			if n := p.link(s[1:], "🖼 "); n > 0 {
				return n + 1
			}
		}
	case '<':
		return p.angle(s)
	case '&':
		return p.entity(s)
	case '\n': // models mean a new line where they write one
		p.text("\n", 0)
		return 1 + indent(s[1:])
	case ' ':
		return p.blanks(s)
	case 'h':
		return p.bare(i)
	}
	return 0
}

// escape reads a backslash before punctuation or a line's end.
func (p *parser) escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	if s[1] == '\n' {
		p.text("\n", 0)
		return 2 + indent(s[2:])
	}
	if s[1] < utf8.RuneSelf && (unicode.IsPunct(rune(s[1])) || unicode.IsSymbol(rune(s[1]))) {
		p.text(s[1:2], 0)
		return 2
	}
	return 0
}

// blanks reads blanks; at a line's end they don't count.
func (p *parser) blanks(s string) int {
	n := indent(s)
	if n < len(s) && s[n] == '\n' {
		p.text("\n", 0)
		return n + 1 + indent(s[n+1:])
	}
	p.text(s[:n], 0)
	return n
}

// mono reads code between backticks.
func (p *parser) mono(s string) int {
	n := run(s)
	for at := n; at < len(s); {
		j := strings.IndexByte(s[at:], '`')
		if j < 0 {
			break
		}
		at += j
		m := run(s[at:])
		if m == n {
			code := strings.ReplaceAll(s[n:at], "\n", " ")
			if len(code) > 2 && code[0] == ' ' && code[len(code)-1] == ' ' && strings.TrimSpace(code) != "" {
				code = code[1 : len(code)-1]
			}
			p.text(code, Mono)
			return at + n
		}
		at += m
	}
	p.text(s[:n], 0)
	return n
}

// link reads [text](url): the text, and the address unless it says the same.
func (p *parser) link(s, icon string) int {
	end := matching(s, '[', ']')
	if end < 0 || end+1 >= len(s) || s[end+1] != '(' {
		return 0
	}
	n := matching(s[end+1:], '(', ')')
	if n < 0 {
		return 0
	}
	url, _, _ := strings.Cut(strings.TrimSpace(s[end+2:end+1+n]), ` "`)
	url = strings.Trim(url, "<>")
	label := s[1:end]
	p.text(icon, 0)
	for _, sp := range inline(label, Link) {
		p.text(sp.Text, sp.Style)
	}
	if url != "" && url != label && "mailto:"+label != url {
		p.text(" ("+url+")", URL)
	}
	return end + 1 + n + 1
}

// matching returns where the bracket that begins s is closed, -1 for nowhere near.
func matching(s string, open, closing byte) int {
	depth := 0
	for i := 0; i < len(s) && i < 4096; i++ {
		switch s[i] {
		case '\\':
			i++
		case open:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// angle reads <https://…> and <br>; other tags are text.
func (p *parser) angle(s string) int {
	end := strings.IndexByte(s, '>')
	if end < 0 || end > 2048 {
		return 0
	}
	switch in := s[1:end]; {
	case strings.EqualFold(strings.TrimRight(in, " /"), "br"):
		p.text("\n", 0)
	case (strings.Contains(in, "://") || strings.Contains(in, "@")) && !strings.ContainsAny(in, " \n\"=<"):
		p.text(in, Link)
	default:
		return 0
	}
	return end + 1
}

func (p *parser) entity(s string) int {
	end := strings.IndexByte(s[:min(len(s), 34)], ';')
	if end < 2 {
		return 0
	}
	t := html.UnescapeString(s[:end+1])
	if t == s[:end+1] || strings.ContainsFunc(t, func(r rune) bool { return r < ' ' || !unicode.IsGraphic(r) }) {
		return 0
	}
	p.text(t, 0)
	return end + 1
}

// bare reads an address that stands in the text as it is.
func (p *parser) bare(i int) int {
	s := p.src[i:]
	if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		return 0
	}
	if r, _ := utf8.DecodeLastRuneInString(p.src[:i]); i > 0 && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return 0
	}
	n := strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("<>`\"|", r) })
	if n < 0 {
		n = len(s)
	}
	url := strings.TrimRight(s[:n], ".,;:!?*_~'")
	for strings.HasSuffix(url, ")") && strings.Count(url, "(") < strings.Count(url, ")") {
		url = url[:len(url)-1]
	}
	p.text(url, Link)
	return len(url)
}
