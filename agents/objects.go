package agents

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// readObject reads a map with known keys into a T that has its defaults already.
func readObject[T any](w *walker, n *yaml.Node, s *spec, of object[T], into *T) (found, bool) {
	keys := found{}
	ok := w.mapping(n, s, wantedObject(s), func(all []pair) {
		for _, p := range all {
			keys[p.name] = p
			w.readKey(p, of.rules, func(field int) { of.fields[field].read(w, p.value, into) })
		}
		w.checkRules(n, of.rules, keys)
		if of.check != nil {
			of.check(w, keys, into)
		}
	})
	return keys, ok
}

func wantedObject(s *spec) string {
	wanted := "a map of " + keyList(s.object.keys())
	if s.short != nil {
		wanted = "a path or " + wanted
	}
	return wanted
}

// keyList names keys, unless they are too many to read.
func keyList(keys []string) string {
	if len(keys) > 10 {
		return "keys"
	}
	return strings.Join(keys, ", ")
}

// readKey finds the field for a pair and reads it.
func (w *walker) readKey(p pair, r rules, read func(field int)) {
	for i, s := range r.fields {
		if s.key == p.name {
			w.in(p.name, func() { read(i) })
			return
		}
	}
	w.in(p.name, func() { w.problem(p.key, "unknown %s %s%s", r.noun, quote(p.name), unknownHint(p.name, r)) })
}

// unknownHint helps on from a key that isn't known: the nearest one, a map it belongs into, or all
// there are when they are few.
func unknownHint(name string, r rules) string {
	if outer, inner, dotted := strings.Cut(name, "."); dotted {
		if s := r.find(outer); s != nil && s.object != nil && s.object.find(inner) != nil {
			return " — write " + quote(outer) + " as a map and " + quote(inner) + " in it"
		}
	}
	if hint := didYouMean(name, r.keys()); hint != "" {
		return hint
	}
	for _, s := range r.fields {
		if s.object != nil && s.object.find(name) != nil {
			return " — it belongs into " + quote(s.key)
		}
	}
	if len(r.fields) <= 10 {
		return " — there are " + strings.Join(r.keys(), ", ")
	}
	return ""
}

// checkRules holds the keys that are there against the rules of their map.
func (w *walker) checkRules(n *yaml.Node, r rules, keys found) {
	w.checkRequired(n, r.required, keys)
	var chosen []string
	for _, key := range r.oneOf {
		if keys.has(key) {
			chosen = append(chosen, key)
		}
	}
	switch {
	case len(r.oneOf) > 0 && len(chosen) == 0:
		w.problem(n, "%s needs %s", w.name(), quoted(r.oneOf, " or "))
		return // what goes with them would only be said twice
	case len(chosen) > 1:
		w.problem(keys[chosen[1]].key, "%s has both %s: take one away", w.name(), quoted(chosen, " and "))
		return
	}
	for _, two := range r.notBoth {
		if keys.has(two[0]) && keys.has(two[1]) {
			w.problem(keys[two[1]].key, "%s has both %s: take one away", w.name(), quoted(two[:], " and "))
		}
	}
	for _, two := range r.needs {
		if keys.has(two[0]) && !keys.has(two[1]) {
			w.problem(keys[two[0]].key, "%s goes only with %s", quote(two[0]), quote(two[1]))
		}
	}
}

func (w *walker) checkRequired(n *yaml.Node, required []string, keys found) {
	for _, key := range required {
		if !keys.has(key) {
			w.problem(n, "%s needs %s", w.name(), quote(key))
		}
	}
}

func quoted(words []string, between string) string {
	var all []string
	for _, word := range words {
		all = append(all, quote(word))
	}
	return strings.Join(all, between)
}

// readNamed reads a map from names of the user's choice.
func readNamed[E any](w *walker, n *yaml.Node, s *spec, read func(w *walker, p pair) (E, bool)) map[string]E {
	all := map[string]E{}
	w.mapping(n, s, "a map from names of "+s.name.noun+"s", func(pairs []pair) {
		for _, p := range pairs {
			w.in(p.name, func() {
				w.checkName(p, *s.name)
				if e, ok := read(w, p); ok {
					all[p.name] = e
				}
			})
		}
	})
	return all
}

func (w *walker) checkName(p pair, ns names) {
	for _, never := range ns.never {
		if strings.EqualFold(p.name, never) {
			w.problem(p.key, "%s can't be set here: %s", quote(p.name), ns.why)
		}
	}
	if ns.pattern == nil || ns.pattern.MatchString(p.name) {
		return
	}
	hint := ""
	if lower := strings.ToLower(strings.Join(strings.Fields(p.name), "-")); lower != p.name && ns.pattern.MatchString(lower) {
		hint = " — " + quote(lower) + " would do"
	}
	w.problem(p.key, "%s can't be the name of an %s: it takes %s%s", quote(p.name), ns.noun, ns.says, hint)
}

// readList reads a list of maps with known keys.
func readList[E any](w *walker, n *yaml.Node, s *spec, read func(w *walker, n *yaml.Node) (E, bool)) []E {
	var all []E
	w.sequence(n, s, "a list", func(item *yaml.Node) {
		if e, ok := read(w, item); ok {
			all = append(all, e)
		}
	})
	return all
}
