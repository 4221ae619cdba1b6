package edit

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// region is a run of lines of the document that resembles an old text.
type region struct {
	first, last int  // indexes of lines
	hits        int  // lines of old that are there, in order; blank ones don't count
	more        int  // lines between them that old doesn't have; blank ones don't count
	whole       bool // all lines of old are there
}

// Work that the search for the nearest lines may take: cells of the tables it fills.
const (
	nearWork  = 10_000_000
	nearTable = 1_000_000 // one table; above that a quicker comparison has to do
	nearTies  = 16        // equally good regions of which the most similar is chosen
)

// nearest finds the lines that come closest to old. At least half of its lines must be there, and
// one of them must say something: closing braces are everywhere, and to point at an innocent part
// of the file is worse than to say nothing.
func (d *document) nearest(old string) (region, bool) {
	n := newNear(d, old)
	if n.filled == 0 {
		return region{}, false
	}
	var best []region
	work := 0
	for _, at := range n.starts() {
		if len(best) > 0 && n.bound[at] < best[0].hits || work > nearWork {
			break
		}
		r, ok := n.align(at)
		work += len(n.old) * n.window
		switch {
		case !ok || 2*r.hits < n.filled:
		case len(best) == 0 || r.hits > best[0].hits:
			best = []region{r}
		case r.hits == best[0].hits && len(best) < nearTies && !slices.Contains(best, r):
			best = append(best, r)
		}
	}
	if len(best) == 0 {
		return region{}, false
	}
	return n.mostSimilar(best), true
}

// near compares old with windows of the document, by lines without the white space around them.
type near struct {
	d      *document
	old    []string // trimmed
	ids    []int    // of the lines of old: equal lines have one id, blank ones -1
	lines  []int    // the same for the document; lines that aren't in old have -1
	filled int      // lines of old that aren't blank
	window int      // lines of the document to compare with
	bound  []int    // for each line: how many lines of old the window from there can have at most
}

func newNear(d *document, old string) *near {
	n := &near{d: d}
	ids := map[string]int{}
	for _, l := range strings.Split(trimEdges(old), "\n") {
		l = strings.TrimSpace(l)
		id := -1
		if l != "" {
			n.filled++
			if _, ok := ids[l]; !ok {
				ids[l] = len(ids)
			}
			id = ids[l]
		}
		n.old, n.ids = append(n.old, l), append(n.ids, id)
	}
	n.window = len(n.old) + max(3, len(n.old)/2)
	n.lines = make([]int, len(d.split()))
	for i := range n.lines {
		id, ok := ids[d.trimmed(i)]
		if !ok {
			id = -1
		}
		n.lines[i] = id
	}
	n.bounds(len(ids))
	return n
}

// bounds slides the window over the document and counts what old and the window have in common,
// whatever the order.
func (n *near) bounds(ids int) {
	left := make([]int, ids) // how many of each line old still has to offer
	for _, id := range n.ids {
		if id >= 0 {
			left[id]++
		}
	}
	n.bound = make([]int, len(n.lines))
	common, end := 0, 0
	for at, id := range n.lines {
		for ; end < len(n.lines) && end < at+n.window; end++ {
			if id := n.lines[end]; id >= 0 {
				if left[id] > 0 {
					common++
				}
				left[id]--
			}
		}
		n.bound[at] = common
		if id >= 0 {
			left[id]++
			if left[id] > 0 {
				common--
			}
		}
	}
}

// starts are the lines at which a region may begin, the most promising first.
func (n *near) starts() []int {
	var at []int
	for i, id := range n.lines {
		if id >= 0 && 2*n.bound[i] >= n.filled {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(n.bound[b], n.bound[a]) })
	return at
}

// align finds which lines of old are in the window from at, in order, and the region that they
// span, with as many lines before and after as old has there.
func (n *near) align(at int) (region, bool) {
	end := min(at+n.window, len(n.lines))
	pairs := n.common(at, end)
	r := region{first: -1}
	telling := false
	for _, p := range pairs {
		if n.ids[p.old] < 0 {
			continue
		}
		if r.first < 0 {
			r.first = max(0, p.line-p.old)
		}
		r.last = min(p.line+len(n.old)-1-p.old, len(n.lines)-1)
		r.hits++
		telling = telling || strings.ContainsFunc(n.old[p.old], func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
	}
	for i := 1; i < len(pairs); i++ {
		for l := pairs[i-1].line + 1; l < pairs[i].line; l++ {
			if n.d.trimmed(l) != "" {
				r.more++
			}
		}
	}
	r.whole = r.hits == n.filled
	return r, telling
}

// pair is a line of old and the line of the document that is the same.
type pair struct{ old, line int }

// common is a longest common subsequence of old and the lines from at to end, without blank ones.
func (n *near) common(at, end int) []pair {
	if len(n.ids)*(end-at) > nearTable {
		return n.commonQuick(at, end)
	}
	w := end - at + 1
	table := make([]int32, (len(n.ids)+1)*w)
	for i := len(n.ids) - 1; i >= 0; i-- {
		for j := end - at - 1; j >= 0; j-- {
			if n.ids[i] >= 0 && n.ids[i] == n.lines[at+j] {
				table[i*w+j] = table[(i+1)*w+j+1] + 1
			} else {
				table[i*w+j] = max(table[(i+1)*w+j], table[i*w+j+1])
			}
		}
	}
	var pairs []pair
	for i, j := 0, 0; i < len(n.ids) && j < end-at; {
		switch {
		case n.ids[i] >= 0 && n.ids[i] == n.lines[at+j]:
			pairs = append(pairs, pair{i, at + j})
			i, j = i+1, j+1
		case table[(i+1)*w+j] >= table[i*w+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// commonQuick is for an old of a thousand lines: perhaps not the longest, but quick.
func (n *near) commonQuick(at, end int) []pair {
	var lines []string
	for i := at; i < end; i++ {
		lines = append(lines, n.d.trimmed(i))
	}
	var pairs []pair
	i, j := 0, 0
	keep := func(until int) {
		for ; i < until; i, j = i+1, j+1 {
			if n.ids[i] >= 0 {
				pairs = append(pairs, pair{i, at + j})
			}
		}
	}
	for _, diff := range lcs.DiffLines(n.old, lines) {
		keep(diff.Start)
		i, j = diff.End, diff.ReplEnd
	}
	keep(len(n.old))
	return pairs
}

// mostSimilar chooses among regions with equally many lines of old the one whose letters are most
// like those of old, then the tightest, then the first.
func (n *near) mostSimilar(regions []region) region {
	if len(regions) == 1 {
		return regions[0]
	}
	want := bigrams(n.old)
	score := func(r region) int {
		var lines []string
		for i := r.first; i <= r.last; i++ {
			lines = append(lines, n.d.trimmed(i))
		}
		common := 0
		for k, c := range bigrams(lines) {
			common += min(c, want[k])
		}
		return common
	}
	return slices.MaxFunc(regions, func(a, b region) int {
		return cmp.Or(cmp.Compare(score(a), score(b)), cmp.Compare(b.last-b.first, a.last-a.first), cmp.Compare(b.first, a.first))
	})
}

func bigrams(lines []string) map[string]int {
	count := map[string]int{}
	for _, l := range lines {
		for i := 0; i+2 <= len(l); i++ {
			count[l[i:i+2]]++
		}
	}
	return count
}
