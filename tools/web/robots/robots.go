// Package robots reads robots.txt and says whether an agent may fetch a URL, as RFC 9309 has it.
//
// It fetches nothing: what a failed request for robots.txt means is the caller's decision. Time and
// memory are linear in the file; a file has at most MaxSize bytes.
package robots

import (
	"bytes"
	"net/url"
	"strings"
)

// MaxSize is how many bytes of a robots.txt count (RFC 9309 2.5: at least 500 kibibytes).
const MaxSize = 500 << 10

// File is a parsed robots.txt. The zero value allows everything. It may be used by several
// goroutines.
type File struct {
	groups []group
}

// group is a list of agents and the rules for them.
type group struct {
	agents []string
	rules  []rule
}

// rule is one Allow or Disallow line; pattern is normalized.
type rule struct {
	pattern string
	allow   bool
}

// Parse reads a robots.txt. It never fails: what can't be understood is skipped, line by line.
// Bytes after MaxSize don't count, nor does the line that is cut there.
func Parse(text []byte) *File {
	if len(text) > MaxSize {
		text = text[:MaxSize]
		text = text[:bytes.LastIndexAny(text, "\r\n")+1]
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	p := parser{file: &File{}}
	for len(text) > 0 {
		line := text
		// RFC 9309 2.2: EOL = CR / LF / CRLF; the empty line inside CRLF does no harm.
		if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
			line, text = text[:i], text[i+1:]
		} else {
			text = nil
		}
		p.line(string(line))
	}
	return p.file
}

// parser holds where a line belongs.
type parser struct {
	file *File
	// naming is set while User-agent lines follow each other: they name one group. Only rules end
	// the list of names, so that Sitemap and Crawl-delay between them do no harm.
	naming bool
}

func (p *parser) line(line string) {
	line, _, _ = strings.Cut(line, "#")
	key, value, ok := strings.Cut(line, ":")
	if !ok {
		return
	}
	value = strings.Trim(value, " \t")
	switch strings.ToLower(strings.Trim(key, " \t")) {
	case "user-agent":
		p.agent(value)
	case "allow":
		p.rule(value, true)
	case "disallow":
		p.rule(value, false)
	}
}

func (p *parser) agent(value string) {
	if !p.naming {
		p.file.groups = append(p.file.groups, group{})
		p.naming = true
	}
	g := &p.file.groups[len(p.file.groups)-1]
	g.agents = append(g.agents, token(value))
}

func (p *parser) rule(value string, allow bool) {
	p.naming = false
	if len(p.file.groups) == 0 || value == "" {
		return // a rule before any group, or one that says nothing
	}
	g := &p.file.groups[len(p.file.groups)-1]
	g.rules = append(g.rules, rule{pattern: normalizePattern(value), allow: allow})
}

// token is the product token of a User-agent line: what stands before a version or a blank.
func token(value string) string {
	if i := strings.IndexAny(value, "/ \t"); i >= 0 {
		value = value[:i]
	}
	return strings.ToLower(value)
}

// Allowed reports whether the agent with that product token may fetch u. The rules of all groups
// that name it count, those of "*" only when none does. The longest rule wins, Allow wins a tie
// (RFC 9309 2.2.2).
func (f *File) Allowed(agent string, u *url.URL) bool {
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if path == "/robots.txt" {
		return true
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	path = normalizePath(path)
	agent = strings.ToLower(agent)
	if allowed, named := f.decide(agent, path); named {
		return allowed
	}
	allowed, _ := f.decide("*", path)
	return allowed
}

// decide judges path by the groups that name agent, and says whether there are any.
func (f *File) decide(agent, path string) (allowed, named bool) {
	best := rule{allow: true}
	for _, g := range f.groups {
		if !g.names(agent) {
			continue
		}
		named = true
		for _, r := range g.rules {
			longer := len(r.pattern) > len(best.pattern)
			tie := len(r.pattern) == len(best.pattern) && r.allow
			if (longer || tie) && match(r.pattern, path) {
				best = r
			}
		}
	}
	return best.allow, named
}

func (g *group) names(agent string) bool {
	for _, a := range g.agents {
		if a == agent {
			return true
		}
	}
	return false
}
