// Package markdown turns a web page into clean Markdown. It touches no network and no file, and may
// be used alone:
//
//	text, err := markdown.Convert(page, markdown.Options{BaseURL: "https://example.com/a/"})
//
// The rules are those of the reference of fetch_content (tools.fr.md, rows Retiré to Échappement)
// and of the supplement's section 15. A page passes through three steps, each linear in its size:
//
//   - the sieve (sieve.go) reads tags, leaves out what never reaches the text (scripts, drawings,
//     comments, attributes) and marks what is hidden or looks like an advertisement or a menu;
//   - golang.org/x/net/html repairs and parses what is left, as HTML5 says;
//   - one walk over the tree (clean.go) takes out what is to go, a second one (block.go, inline.go)
//     writes the Markdown.
//
// Two things can make an HTML5 tree far larger than its page: elements nested without end, and
// formatting elements that are never closed, which the standard opens again in each block. The sieve
// counts both; such pages lose their innermost or their unclosed elements and keep their text.
// Likewise quotes and lists are nested only so deep, and a merged cell is copied only so often.
package markdown

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// MaxInput is how many bytes a page may have.
const MaxInput = 32 << 20

// ErrTooLarge is the error for a page of more than MaxInput bytes.
var ErrTooLarge = errors.New("the page is too large")

// Tables says what becomes of tables with merged cells or with tables in them, which Markdown can't
// express.
type Tables int

const (
	// HTML keeps them as raw HTML.
	HTML Tables = iota
	// Flatten makes a Markdown table of them: a merged cell is copied into each place it covers.
	Flatten
)

// Options say how a page is converted. The zero value is the tool's default.
type Options struct {
	// BaseURL is the absolute URL that relative links and images start from; with "" they stay as
	// they are.
	BaseURL string
	Tables  Tables
	// Strikethrough keeps deleted text as ~~text~~.
	Strikethrough bool
	// TaskList keeps the check box that begins a list item as [ ] or [x].
	TaskList bool
}

// Convert reads a page in UTF-8 and returns its text as Markdown, ended by one line end; "" when
// nothing is left of it. The result is valid UTF-8 also when the page isn't. It fails when reading
// does, for a BaseURL that isn't absolute, and with ErrTooLarge.
func Convert(r io.Reader, o Options) (string, error) {
	base, err := parseBase(o.BaseURL)
	if err != nil {
		return "", err
	}
	page, err := readAll(r)
	if err != nil {
		return "", err
	}
	doc, err := parse(page)
	if err != nil {
		return "", fmt.Errorf("parsing the page: %w", err)
	}
	clean(doc)
	w := newWriter(o, base, len(page))
	w.children(doc)
	w.flush()
	return w.finish(), nil
}

func readAll(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if sized, ok := r.(interface{ Len() int }); ok {
		b.Grow(min(sized.Len(), MaxInput) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(io.LimitReader(r, MaxInput+1)); err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	if b.Len() > MaxInput {
		return nil, ErrTooLarge
	}
	if page := b.Bytes(); !utf8.Valid(page) {
		return bytes.ToValidUTF8(page, []byte("\uFFFD")), nil
	}
	return b.Bytes(), nil
}

// parse makes the tree of a page. The parser refuses more than 512 open elements: such a page is
// read again with the tags beyond a depth left out, and if that isn't enough (a page made to fool
// the count), as nothing but text and paragraphs.
func parse(page []byte) (*html.Node, error) {
	s := newSieve(len(page))
	doc, err := html.Parse(bytes.NewReader(s.run(page, whole)))
	if err != nil {
		doc, err = html.Parse(bytes.NewReader(s.run(page, shallow)))
	}
	if err != nil {
		doc, err = html.Parse(bytes.NewReader(s.run(page, flat)))
	}
	return doc, err
}

func parseBase(s string) (*base, error) {
	if s == "" {
		return &base{}, nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return nil, fmt.Errorf("the base URL %q is not absolute", s)
	}
	u.Fragment, u.RawFragment = "", ""
	u.User = nil // no password goes into links
	path := u.EscapedPath()
	return &base{
		scheme: u.Scheme,
		root:   u.Scheme + "://" + u.Host,
		dir:    path[:strings.LastIndexByte(path, '/')+1],
		page:   strings.TrimSuffix(u.String(), "?"+u.RawQuery),
		whole:  u.String(),
	}, nil
}
