package schema

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// costs counts the schemas that hold for one and the same value: those below allOf, anyOf and the
// like, and what a reference leads to.
type costs struct {
	root  any
	known map[uintptr]int // by the map's address; too many while it is being counted
}

func newCosts(root any) *costs { return &costs{root, map[uintptr]int{}} }

// bounded reports whether no value meets more than maxInPlace schemas. Whatever is an object is
// taken for a schema: a map of properties costs nothing.
func (c *costs) bounded() bool { return c.below(c.root) }

func (c *costs) below(v any) bool {
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !c.below(e) })
	case map[string]any:
		if c.of(v) > maxInPlace {
			return false
		}
		for _, e := range v {
			if !c.below(e) {
				return false
			}
		}
	}
	return true
}

// of counts the schemas that a value meets which meets m. One that leads to itself counts as too
// many: checking it wouldn't end.
func (c *costs) of(v any) int {
	m, ok := v.(map[string]any)
	if !ok {
		return 0
	}
	at := reflect.ValueOf(m).Pointer()
	if n, ok := c.known[at]; ok {
		return n
	}
	c.known[at] = maxInPlace + 1
	n := 1
	for _, word := range []string{"not", "if", "then", "else"} {
		n += c.of(m[word])
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := m[word].([]any)
		for _, e := range list {
			n = min(n+c.of(e), maxInPlace+1)
		}
	}
	for _, word := range []string{"dependentSchemas", "dependencies"} {
		some, _ := m[word].(map[string]any)
		for _, e := range some {
			n = min(n+c.of(e), maxInPlace+1)
		}
	}
	if ref, is := m["$ref"].(string); is {
		n += c.of(c.follow(ref))
	}
	n = min(n, maxInPlace+1)
	c.known[at] = n
	return n
}

// follow finds what a JSON pointer in a reference leads to.
func (c *costs) follow(ref string) any {
	v := c.root
	for part := range strings.SplitSeq(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
		if part == "" {
			continue
		}
		part = strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		switch in := v.(type) {
		case map[string]any:
			v = in[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}
