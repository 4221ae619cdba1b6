package turn

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/tools"
)

// counts is what a turn did, for the line under it.
type counts struct {
	order []tools.Counter
	kinds map[string]tools.Counter

	mu sync.Mutex
	n  map[tools.Counter]int // guarded by mu
}

func newCounts(set *tools.Set) *counts {
	c := &counts{kinds: map[string]tools.Counter{"ask_agent": {Icon: "🗣", Noun: "ask"}}, n: map[tools.Counter]int{}}
	seen := map[tools.Counter]bool{}
	for _, t := range set.All() {
		spec := t.Spec()
		if spec.Counter == (tools.Counter{}) {
			continue
		}
		c.kinds[spec.Name] = spec.Counter
		if !seen[spec.Counter] {
			seen[spec.Counter] = true
			c.order = append(c.order, spec.Counter)
		}
	}
	if ask := c.kinds["ask_agent"]; !seen[ask] {
		c.order = append(c.order, ask)
	}
	return c
}

func (c *counts) add(tool string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k, ok := c.kinds[tool]; ok {
		c.n[k]++
	}
}

// line is the line under a turn: counters, time, tokens. A counter of zero isn't shown.
func (c *counts) line(d time.Duration, u llm.Usage, known bool) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var parts []string
	for _, k := range c.order {
		if n := c.n[k]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d %s", k.Icon, n, plural(k.Noun, n)))
		}
	}
	parts = append(parts, fmt.Sprintf("%.1f s", d.Seconds()))
	if known {
		parts = append(parts, fmt.Sprintf("%s + %s tokens", thousands(u.Input), thousands(u.Output)))
	}
	return strings.Join(parts, " · ")
}

func plural(noun string, n int) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "h"):
		return noun + "es"
	}
	return noun + "s"
}

// thousands writes n with commas: 3,120.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
