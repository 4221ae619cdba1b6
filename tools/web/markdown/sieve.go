package markdown

import (
	"bytes"
	"slices"

	"golang.org/x/net/html/atom"
)

// depth says which tags a sieve lets through.
type depth int

const (
	whole   depth = iota // all that matter
	shallow              // those that aren't nested too deep
	flat                 // only p and br
)

// sieve rewrites a page with only what can reach the text, so that the parser has less to do and
// can't be made to build a tree much larger than the page. Both see the same tags: the lexer cuts as
// the parser's tokenizer does, and what a tokenizer can't know alone, the insides of svg and math, is
// taken out here.
type sieve struct {
	lexer lexer
	depth depth
	out   []byte

	text int  // where the text that ends out begins; -1 when out doesn't end in text
	gap  bool // something was left out since then

	drawing drawing
	math    int // open math elements
	loose   loose
	levels  levels
	attrs   attrs // of the tag at hand
}

func newSieve(size int) *sieve {
	return &sieve{out: make([]byte, 0, size)}
}

// run returns the page as the parser is to read it. The result is good until the next run.
func (s *sieve) run(page []byte, d depth) []byte {
	s.loose.drop = nil
	s.pass(page, d)
	if s.loose.tangled() {
		slices.Sort(s.loose.tags)
		s.loose.drop = slices.Clone(s.loose.tags)
		s.pass(page, d)
	}
	return s.out
}

func (s *sieve) pass(page []byte, d depth) {
	s.lexer = lexer{page: page, name: s.lexer.name, attrs: s.lexer.attrs}
	s.depth, s.out, s.text, s.gap = d, s.out[:0], -1, false
	s.drawing, s.math, s.levels = drawing{}, 0, levels{}
	s.loose = loose{drop: s.loose.drop, open: s.loose.open[:0], tags: s.loose.tags[:0]}
	for {
		switch s.lexer.next() {
		case endOfPage:
			return
		case textToken:
			s.writeText(s.lexer.raw)
		case doctypeToken:
			s.out = append(s.out, s.lexer.raw...)
			s.text = -1
		case commentToken:
			s.gap = true
		case startToken:
			s.start(false)
		case selfClosingToken:
			s.start(true)
		case endToken:
			s.end()
		}
	}
}

// writeText copies text. Two texts that something stood between must not join to a tag or an
// entity ("<" and "b>").
func (s *sieve) writeText(raw []byte) {
	if s.drawing.open() || s.levels.skipping() {
		return
	}
	if s.gap && s.text >= 0 && bytes.ContainsAny(s.out[s.text:], "<&") {
		s.out = append(s.out, "<!---->"...)
	}
	if s.text < 0 || s.gap {
		s.text = len(s.out)
	}
	s.gap = false
	s.out = append(s.out, raw...)
	s.loose.reopen()
}

func (s *sieve) start(selfClosing bool) {
	tag, name := s.lexer.tag, s.lexer.name
	if s.drawing.open() && s.drawing.start(&s.lexer, tag, name, selfClosing) {
		return
	}
	s.gap = true // until the tag is written
	switch tag {
	case atom.Svg:
		s.drawing.begin(&s.lexer, selfClosing)
		return
	case atom.Math:
		if !selfClosing {
			s.math++
		}
		return
	case atom.Script, atom.Style, atom.Noscript, atom.Title, atom.Iframe, atom.Noembed, atom.Noframes:
		s.skipRaw(tag)
		return
	case atom.Meta, atom.Link, atom.Base, atom.Embed, atom.Basefont, atom.Bgsound, atom.Param, atom.Source, atom.Track, atom.Wbr:
		return
	}
	if selfClosing && s.math > 0 && tag == 0 {
		return // <mspace/> would stay open outside of math
	}
	s.attrs.read(tag, s.lexer.attrs)
	s.startElement(tag, name)
	if tag == atom.Textarea {
		s.skipRaw(tag)
	}
}

// startElement writes a start tag if the parser is to see it.
func (s *sieve) startElement(tag atom.Atom, name []byte) {
	id := idOf(tag, name)
	gone := s.attrs.hidden || alwaysRemoved(tag)
	if s.depth != whole && !s.levels.start(id, tag, gone, s.depth == flat) {
		return
	}
	if s.depth == flat {
		name = []byte("p")
		if tag == atom.Br {
			name = []byte("br")
		}
		s.attrs.clear()
	} else if !s.loose.start(id, tag) {
		if !s.attrs.hidden {
			return
		}
		name = []byte("span") // still hides what it holds
	}
	s.text, s.gap = -1, false
	s.out = append(s.out, '<')
	s.out = append(s.out, name...)
	s.out = s.attrs.append(s.out)
	s.out = append(s.out, '>')
	if tag == atom.Textarea {
		s.out = append(s.out, "</textarea>"...)
	}
}

// skipRaw reads up to the end tag of an element whose inside is no HTML.
func (s *sieve) skipRaw(tag atom.Atom) {
	for {
		switch s.lexer.next() {
		case endOfPage:
			return
		case endToken:
			if s.lexer.tag == tag {
				return
			}
		}
	}
}

func (s *sieve) end() {
	tag, name := s.lexer.tag, s.lexer.name
	if s.drawing.open() && s.drawing.end(&s.lexer, tag, name) {
		return
	}
	s.gap = true
	switch tag {
	case atom.Math:
		s.math = max(0, s.math-1)
		return
	case atom.Svg, atom.Script, atom.Style, atom.Noscript, atom.Title, atom.Iframe, atom.Noembed, atom.Noframes:
		return
	}
	id := idOf(tag, name)
	if s.depth != whole && !s.levels.end(id, tag, s.depth == flat) {
		return
	}
	s.loose.end(id)
	s.text, s.gap = -1, false
	s.out = append(s.out, '<', '/')
	if s.depth == flat {
		name = []byte("p")
	}
	s.out = append(s.out, name...)
	s.out = append(s.out, '>')
}
