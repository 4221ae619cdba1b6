package edit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pass says how tolerant a match is.
type pass int

const (
	exact   pass = iota + 1 // byte for byte
	edges                   // without the white space around old
	indents                 // without the white space at the ends of each line
)

// match is all the places where an old text stands, found by one pass.
type match struct {
	pass  pass
	spans []span
	// inWord is set when the edges pass found the text only as a part of a longer word.
	inWord bool
}

// find looks for old: the first pass that finds anything wins.
func (d *document) find(old string) match {
	if spans := occurrences(d.text, old); len(spans) > 0 {
		return match{pass: exact, spans: spans}
	}
	core := trimEdges(old)
	if core == "" {
		return match{}
	}
	inWord := false
	if core != old {
		spans := occurrences(d.text, core)
		inWord = len(spans) == 1 && d.splitsWord(spans[0], old, core)
		if len(spans) > 0 && !inWord {
			return match{pass: edges, spans: spans}
		}
	}
	if spans := d.byLines(strings.Split(core, "\n")); len(spans) > 0 {
		return match{pass: indents, spans: spans}
	}
	return match{inWord: inWord}
}

// trimEdges takes off what the edges pass forgives. A byte order mark counts: it can't be seen.
func trimEdges(s string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), bom))
}

// splitsWord reports whether old has white space at an edge where the text goes on with the same
// word: "  x = 1" isn't "max = 1", although its text stands there.
func (d *document) splitsWord(s span, old, core string) bool {
	before, _ := utf8.DecodeLastRuneInString(d.text[:s.start])
	after, _ := utf8.DecodeRuneInString(d.text[s.end:])
	first, _ := utf8.DecodeRuneInString(core)
	last, _ := utf8.DecodeLastRuneInString(core)
	return !strings.HasPrefix(old, core) && wordRune(before) && wordRune(first) ||
		!strings.HasSuffix(old, core) && wordRune(after) && wordRune(last)
}

func wordRune(r rune) bool {
	return r == '_' || r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// byLines finds the runs of whole lines that are those of want but for the white space at their
// ends. One line alone is the business of the edges pass.
func (d *document) byLines(want []string) []span {
	if len(want) < 2 {
		return nil
	}
	ids := map[string]int{}
	needle := make([]int, len(want))
	longest := ""
	for i, w := range want {
		w = strings.TrimSpace(w)
		if len(w) > len(longest) {
			longest = w
		}
		if _, ok := ids[w]; !ok {
			ids[w] = len(ids)
		}
		needle[i] = ids[w]
	}
	if !strings.Contains(d.text, longest) { // much quicker than line by line
		return nil
	}
	lines := d.split()
	hay := make([]int, len(lines))
	for i := range lines {
		id, ok := ids[d.trimmed(i)]
		if !ok {
			id = -1
		}
		hay[i] = id
	}
	var spans []span
	for _, at := range search(hay, needle) {
		spans = append(spans, span{lines[at].start, lines[at+len(want)-1].end})
	}
	return spans
}

// occurrences finds all places of sub in text, also those that overlap: a text that overlaps
// itself isn't unique.
func occurrences(text, sub string) []span {
	i := strings.Index(text, sub)
	if i < 0 {
		return nil
	}
	if !strings.Contains(text[i+1:], sub) {
		return []span{{i, i + len(sub)}}
	}
	var spans []span
	for _, at := range search([]byte(text), []byte(sub)) {
		spans = append(spans, span{at, at + len(sub)})
	}
	return spans
}

// search finds all places of needle in hay, also overlapping ones, in linear time (Knuth, Morris,
// Pratt): looking again from each place takes minutes in a file of nothing but blanks.
func search[T comparable](hay, needle []T) []int {
	fail := make([]int, len(needle))
	for i, k := 1, 0; i < len(needle); i++ {
		for k > 0 && needle[i] != needle[k] {
			k = fail[k-1]
		}
		if needle[i] == needle[k] {
			k++
		}
		fail[i] = k
	}
	var found []int
	k := 0
	for i, x := range hay {
		for k > 0 && x != needle[k] {
			k = fail[k-1]
		}
		if x == needle[k] {
			k++
		}
		if k == len(needle) {
			found = append(found, i-k+1)
			k = fail[k-1]
		}
	}
	return found
}
