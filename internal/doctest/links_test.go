package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	code    = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")
)

// TestLinks: what a page links to inside the repository is there, with its heading.
func TestLinks(t *testing.T) {
	for _, page := range append(pages(t), "CHANGELOG.md") {
		text, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			target := m[1]
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				if !strings.HasPrefix(target, "https://") {
					t.Errorf("%s: %s isn't https", page, target)
				}
				continue
			}
			checkLink(t, page, target)
		}
	}
}

func checkLink(t *testing.T, page, target string) {
	path, anchor, _ := strings.Cut(target, "#")
	file := filepath.Join(root, filepath.Dir(page), filepath.FromSlash(path))
	if path == "" {
		file = filepath.Join(root, page)
	}
	data, err := os.ReadFile(file)
	if st, e := os.Stat(file); e == nil && st.IsDir() {
		return
	}
	if err != nil {
		t.Errorf("%s: nothing is at %s", page, target)
		return
	}
	if anchor == "" {
		return
	}
	for _, m := range heading.FindAllStringSubmatch(string(data), -1) {
		if slug(m[1]) == anchor {
			return
		}
	}
	t.Errorf("%s: %s has no heading for #%s", page, path, anchor)
}

// slug is a heading as forges link to it.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(text)) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}

// TestEveryPageIsFound: the index of docs/ lists each page.
func TestEveryPageIsFound(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages(t) {
		rel, ok := strings.CutPrefix(page, "docs/")
		if ok && rel != "README.md" && !strings.Contains(string(index), "("+rel+")") {
			t.Errorf("docs/README.md doesn't list %s", rel)
		}
	}
}

// TestReadmeIsShort: a README that nobody reads to its end helps nobody.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n >= 200 {
		t.Errorf("README.md has %d lines, want fewer than 200", n)
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want, got string
		ok        bool
	}{
		{"a\n", "a\n", true}, {"a\n", "b\n", false}, {"a\n...\nc\n", "a\nb\nb\nc\n", true}, {"a\n...\n", "a\n", true},
		{"took … s\n", "took 3.2 s\n", true}, {"a\n", "a\nb\n", false},
	} {
		if matches(c.want, c.got) != c.ok {
			t.Errorf("matches(%q, %q) = %v", c.want, c.got, !c.ok)
		}
	}
}
