package markdown

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// Whatever is left open, and wherever it is closed, the tree stays in proportion to the page: a bound
// that rests on the sieve knowing which formatting elements the parser opens again.
func TestTreeStaysInProportion(t *testing.T) {
	tags := []string{"b", "i", "em", "font", "code", "s", "small", "tt", "u", "big", "a", "nobr", "p", "div", "li", "ul", "dd", "h1",
		"table", "tr", "td", "th", "caption", "tbody", "colgroup", "select", "option", "button", "object", "applet", "marquee",
		"template", "svg", "math", "foreignObject", "mi", "annotation-xml", "desc", "form", "frameset", "html", "body", "head", "x-y", "span", "pre", "address", "ruby", "rt"}
	attrs := []string{"", "", "", " hidden", " class=ad", " id=%d", " color=%d", "/"}
	worst := 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		var b strings.Builder
		for range 200 {
			tag := tags[r.IntN(len(tags))]
			if r.IntN(2) == 0 {
				tag = tags[r.IntN(10)]
			}
			switch r.IntN(5) {
			case 0, 1:
				b.WriteString("</" + tag + ">")
			default:
				attr := attrs[r.IntN(len(attrs))]
				if strings.Contains(attr, "%") {
					attr = fmt.Sprintf(attr, r.IntN(1000))
				}
				b.WriteString("<" + tag + attr + ">")
			}
		}
		const blocks = 1000
		page := []byte(b.String() + strings.Repeat("<p>x", blocks))
		s := newSieve(len(page))
		doc, err := html.Parse(bytes.NewReader(s.run(page, whole)))
		if err != nil {
			continue // nested too deep
		}
		nodes := countNodes(doc)
		worst = max(worst, nodes)
		// What the tags and texts themselves need, with what the parser adds to tables, and the clones
		// that the sieve expected.
		if nodes > 4*(200+2*blocks)+s.loose.clones {
			t.Fatalf("seed %d: %d nodes, %d clones expected\n%s", seed, nodes, s.loose.clones, b.String())
		}
	}
	t.Logf("at most %d nodes", worst)
}

func countNodes(n *html.Node) int {
	all := 1
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		all += countNodes(c)
	}
	return all
}
