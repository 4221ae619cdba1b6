package agents

import (
	"gopkg.in/yaml.v3"
)

// pair is a key of a map with its value. The value isn't resolved, so that its place is that of
// the alias where it is one.
type pair struct {
	name       string
	key, value *yaml.Node
}

// found has the pairs of a map by their names.
type found map[string]pair

// where gives the node to show for a key: its value, else nil.
func (f found) where(key string) *yaml.Node { return f[key].value }

func (f found) has(key string) bool { _, ok := f[key]; return ok }

// entries gives the pairs of a map: its own, then those that merge keys ("<<") bring and it
// doesn't have itself. A key that stands twice is a problem and counts once.
func (w *walker) entries(n *yaml.Node) []pair {
	var own, merged []pair
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := w.resolve(n.Content[i])
		if key == nil {
			return own
		}
		value := n.Content[i+1]
		if key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" {
			merged = append(merged, w.merge(value)...)
			continue
		}
		if key.Kind != yaml.ScalarNode || isNothing(key) {
			w.problem(n.Content[i], "a key must be text, but this is %s", describe(key, false))
			continue
		}
		if line, twice := lines[key.Value]; twice {
			w.problem(n.Content[i], "duplicate key %s: it stands in line %d already", quote(key.Value), line)
			continue
		}
		lines[key.Value] = n.Content[i].Line
		own = append(own, pair{name: key.Value, key: n.Content[i], value: value})
	}
	for _, p := range merged {
		if _, has := lines[p.name]; !has {
			lines[p.name] = p.key.Line
			own = append(own, p)
		}
	}
	return own
}

// keyNode gives the place of a key in a map that was read; the map's own when the key was merged in.
func keyNode(n *yaml.Node, name string) *yaml.Node {
	m := n
	if n != nil && n.Kind == yaml.AliasNode {
		m = n.Alias
	}
	for i := 0; m != nil && m.Kind == yaml.MappingNode && i < len(m.Content); i += 2 {
		if m.Content[i].Value == name {
			return m.Content[i]
		}
	}
	return n
}

// merge gives the pairs that "<<: *base" or "<<: [*a, *b]" brings; of equal keys the first counts.
func (w *walker) merge(n *yaml.Node) []pair {
	target := w.resolve(n)
	if target == nil {
		return nil
	}
	var all []pair
	switch target.Kind {
	case yaml.MappingNode:
		w.into(n, target, func() { all = w.entries(target) })
	case yaml.SequenceNode:
		w.into(n, target, func() {
			for _, item := range target.Content {
				one := w.resolve(item)
				if one == nil {
					return
				}
				if one.Kind != yaml.MappingNode {
					w.problem(n, `"<<" takes a map or a list of maps to merge`)
					return
				}
				w.into(item, one, func() { all = append(all, w.entries(one)...) })
			}
		})
	default:
		w.problem(n, `"<<" takes a map or a list of maps to merge, but this is %s`, describe(target, true))
	}
	return all
}

// pairs reads a map from names to texts.
func (w *walker) pairs(n *yaml.Node, s *spec) (map[string]string, bool) {
	var texts map[string]string
	ok := w.mapping(n, s, "a map from names to text", func(all []pair) {
		texts = make(map[string]string, len(all))
		for _, p := range all {
			w.in(p.name, func() {
				if s.name != nil {
					w.checkName(p, *s.name)
				}
				one := *s
				one.kind, one.nullable, one.empty = kindText, false, true
				one.secret = s.secret || secretName(p.name)
				if text, ok := w.text(p.value, &one); ok {
					texts[p.name] = text
					if one.secret {
						w.secret(text)
					}
				}
			})
		}
	})
	return texts, ok
}

// texts reads a list of texts.
func (w *walker) texts(n *yaml.Node, s *spec) ([]string, bool) {
	texts := []string{}
	ok := w.sequence(n, s, "a list of text", func(item *yaml.Node) {
		one := *s
		one.kind, one.nullable = kindText, false
		if text, ok := w.text(item, &one); ok {
			texts = append(texts, text)
		}
	})
	return texts, ok
}

// mapping hands the pairs of a map to do; nothing is an empty map where the key allows that.
func (w *walker) mapping(n *yaml.Node, s *spec, wanted string, do func([]pair)) bool {
	at := n
	n = w.resolve(n)
	switch {
	case n == nil:
		return false
	case n.Kind == yaml.MappingNode:
		w.into(at, n, func() { do(w.entries(n)) })
		return true
	case isNothing(n) && s.nullable:
		do(nil)
		return true
	}
	w.wrong(n, s, wanted)
	return false
}

// sequence hands the items of a list to do, each at its place.
func (w *walker) sequence(n *yaml.Node, s *spec, wanted string, do func(item *yaml.Node)) bool {
	at := n
	n = w.resolve(n)
	switch {
	case n == nil:
		return false
	case n.Kind == yaml.SequenceNode:
		w.into(at, n, func() {
			for i, item := range n.Content {
				w.at(step{item: i + 1}, func() { do(item) })
			}
		})
		return true
	case isNothing(n) && s.nullable:
		return true
	}
	w.wrong(n, s, wanted)
	return false
}
