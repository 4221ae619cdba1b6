package agents

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first asked: the table has several, and
// most agent files none of the keys that they are for.
type pattern struct {
	text    string
	compile func() *regexp.Regexp
}

func newPattern(text string) *pattern {
	return &pattern{text, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}

// String is the source.
func (p *pattern) String() string { return p.text }

// MatchString reports whether a text matches.
func (p *pattern) MatchString(text string) bool { return p.compile().MatchString(text) }
