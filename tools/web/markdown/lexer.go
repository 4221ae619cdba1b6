package markdown

import (
	"bytes"

	"golang.org/x/net/html/atom"
)

// token is what a piece of a page is.
type token uint8

const (
	endOfPage token = iota
	textToken
	startToken
	selfClosingToken
	endToken
	commentToken
	doctypeToken
)

// lexer cuts a page into the same tokens as html.Tokenizer, which FuzzLexer holds it to. It is there
// because that one copies each name and value: for the sieve, which drops most of them, this is
// where half of the time and memory of a conversion would go.
type lexer struct {
	page  []byte
	pos   int
	raw   []byte // the token as it stands in the page
	name  []byte // of a tag, in lower case
	tag   atom.Atom
	attrs []attribute // of a start tag, with all that stand there

	rawTag string // the element whose end tag ends the text that comes; "" when it is HTML
	cdata  bool   // SVG or MathML: <![CDATA[ begins text
}

// attribute is one of a tag; its value is as it stands in the page, with its references.
type attribute struct{ key, val []byte }

// next reads the next token.
func (l *lexer) next() token {
	start := l.pos
	if l.rawTag != "" {
		end := l.rawEnd()
		l.rawTag = ""
		if end > start {
			return l.take(textToken, end)
		}
	}
	for i := start; ; {
		lt := bytes.IndexByte(l.page[i:], '<')
		if lt < 0 || i+lt+1 == len(l.page) {
			return l.last()
		}
		i += lt
		c := l.page[i+1]
		if !isLetter(c) && c != '/' && c != '!' && c != '?' {
			i++
			continue
		}
		switch {
		case i > start:
			return l.take(textToken, i)
		case isLetter(c):
			return l.startTag()
		case c == '/':
			return l.endTag()
		case c == '!':
			return l.declaration()
		}
		return l.take(commentToken, l.after('>', i+1))
	}
}

// take ends the token at end.
func (l *lexer) take(t token, end int) token {
	l.raw, l.pos = l.page[l.pos:end], end
	return t
}

// last is what is left at the end of the page.
func (l *lexer) last() token {
	if l.pos == len(l.page) {
		return endOfPage
	}
	return l.take(textToken, len(l.page))
}

// after returns the place behind the first c at or after i, or the end of the page.
func (l *lexer) after(c byte, i int) int {
	if n := bytes.IndexByte(l.page[i:], c); n >= 0 {
		return i + n + 1
	}
	return len(l.page)
}

func (l *lexer) startTag() token {
	i := l.readName(l.pos + 1)
	end := l.readAttrs(i)
	if end < 0 {
		l.pos = len(l.page)
		return endOfPage // a tag that isn't ended is none
	}
	switch l.tag {
	case atom.Iframe, atom.Noembed, atom.Noframes, atom.Noscript, atom.Plaintext, atom.Script, atom.Style, atom.Textarea, atom.Title, atom.Xmp:
		l.rawTag = l.tag.String()
	}
	t := startToken
	if l.page[end-2] == '/' && !l.endsInValue(end-2) {
		t = selfClosingToken
	}
	return l.take(t, end)
}

// endsInValue reports whether the byte at i is the last one of the last attribute's value.
func (l *lexer) endsInValue(i int) bool {
	if len(l.attrs) == 0 {
		return false
	}
	val := l.attrs[len(l.attrs)-1].val
	return len(val) > 0 && cap(l.page)-cap(val)+len(val)-1 == i
}

func (l *lexer) endTag() token {
	i := l.pos + 2
	switch {
	case i == len(l.page):
		return l.last()
	case l.page[i] == '>':
		return l.take(commentToken, i+1)
	case !isLetter(l.page[i]):
		return l.take(commentToken, l.after('>', i))
	}
	end := l.readAttrs(l.readName(i))
	if end < 0 {
		l.pos = len(l.page)
		return endOfPage
	}
	return l.take(endToken, end)
}

// readName reads the name of a tag and returns the place behind it.
func (l *lexer) readName(i int) int {
	l.name = l.name[:0]
	for ; i < len(l.page); i++ {
		c := l.page[i]
		if isBlank(c) || c == '/' || c == '>' {
			break
		}
		l.name = append(l.name, lower(c))
	}
	l.tag = atom.Lookup(l.name)
	return i
}

// readAttrs reads the attributes of a tag and returns the place behind its ">"; -1 when there is
// none.
func (l *lexer) readAttrs(i int) int {
	l.attrs = l.attrs[:0]
	for {
		i = l.skipBlanks(i)
		if i == len(l.page) {
			return -1
		}
		if l.page[i] == '>' {
			return i + 1
		}
		var a attribute
		if a, i = l.readAttr(i); len(a.key) > 0 {
			l.attrs = append(l.attrs, a)
		}
	}
}

func (l *lexer) readAttr(i int) (a attribute, end int) {
	p, start := l.page, i
	for i < len(p) && !isBlank(p[i]) && p[i] != '/' && p[i] != '>' && (p[i] != '=' || i == start) {
		i++
	}
	a.key = p[start:i]
	i = l.skipBlanks(i)
	switch {
	case i < len(p) && p[i] == '/':
		return a, i + 1
	case i == len(p) || p[i] != '=':
		return a, i
	}
	i = l.skipBlanks(i + 1)
	switch {
	case i == len(p) || p[i] == '>':
		return a, i
	case p[i] == '"' || p[i] == '\'':
		end = l.after(p[i], i+1)
		if end == len(p) && (end == i+1 || p[end-1] != p[i]) {
			return a, end
		}
		a.val = p[i+1 : end-1]
		return a, end
	}
	start = i
	for i < len(p) && !isBlank(p[i]) && p[i] != '>' {
		i++
	}
	a.val = p[start:i]
	return a, i
}

func (l *lexer) skipBlanks(i int) int {
	for i < len(l.page) && isBlank(l.page[i]) {
		i++
	}
	return i
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
