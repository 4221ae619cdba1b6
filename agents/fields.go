package agents

import (
	"encoding/json"
	"time"

	"gopkg.in/yaml.v3"
)

// option changes a spec while the table is made.
type option func(*spec)

func def(value any) option      { return func(s *spec) { s.def = value } }
func unset(words string) option { return func(s *spec) { s.unset = words } }
func between(low, high float64) option {
	return func(s *spec) { s.low, s.high = &low, &high }
}
func over0(high float64) option {
	return func(s *spec) { low := 0.0; s.low, s.high, s.positive = &low, &high, true }
}
func choices(texts ...string) option { return func(s *spec) { s.choices = texts } }
func matching(text, says string) option {
	return func(s *spec) { s.pattern, s.says = newPattern(text), says }
}
func override(variable string) option { return func(s *spec) { s.override = variable } }

func empty(s *spec)      { s.empty = true }
func expand(s *spec)     { s.expand = true }
func path(s *spec)       { s.path = true }
func program(s *spec)    { s.program = true }
func secret(s *spec)     { s.secret = true }
func deprecated(s *spec) { s.deprecated = true }
func notNull(s *spec)    { s.nullable = false }

func newSpec(key string, k kind, doc string, opts []option) *spec {
	s := &spec{key: key, kind: k, doc: doc}
	switch k {
	case kindTexts, kindPairs:
		s.loose, s.nullable = true, true
	case kindJSON, kindMap, kindList:
		s.nullable = true
	}
	for _, opt := range opts {
		opt(s)
	}
	return s
}

// scalar is a field whose values get reads.
func scalar[T, V any](k kind, get func(*walker, *yaml.Node, *spec) (V, bool), key string, at func(*T) *V, doc string, opts []option) field[T] {
	s := newSpec(key, k, doc, opts)
	return field[T]{
		spec: s,
		preset: func(t *T) {
			if v, ok := s.def.(V); ok {
				*at(t) = v
			}
		},
		read: func(w *walker, n *yaml.Node, t *T) {
			if v, ok := get(w, n, s); ok {
				*at(t) = v
			}
		},
	}
}

// pointer makes the field optional: nil means that the key isn't there.
func pointer[V any](get func(*walker, *yaml.Node, *spec) (V, bool)) func(*walker, *yaml.Node, *spec) (*V, bool) {
	return func(w *walker, n *yaml.Node, s *spec) (*V, bool) {
		v, ok := get(w, n, s)
		return &v, ok
	}
}

func text[T any](key string, at func(*T) *string, doc string, opts ...option) field[T] {
	f := scalar(kindText, (*walker).text, key, at, doc, opts)
	f.text = at
	return f
}

func whole[T any](key string, at func(*T) *int, doc string, opts ...option) field[T] {
	return scalar(kindWhole, (*walker).int, key, at, doc, opts)
}

func number[T any](key string, at func(*T) *float64, doc string, opts ...option) field[T] {
	return scalar(kindNumber, (*walker).number, key, at, doc, opts)
}

func boolean[T any](key string, at func(*T) *bool, doc string, opts ...option) field[T] {
	return scalar(kindBool, (*walker).boolean, key, at, doc, opts)
}

func duration[T any](key string, at func(*T) *time.Duration, doc string, opts ...option) field[T] {
	return scalar(kindDuration, (*walker).duration, key, at, doc, opts)
}

func optionalNumber[T any](key string, at func(*T) **float64, doc string, opts ...option) field[T] {
	return scalar(kindNumber, pointer((*walker).number), key, at, doc, opts)
}

func optionalWhole[T any](key string, at func(*T) **int64, doc string, opts ...option) field[T] {
	return scalar(kindWhole, pointer((*walker).whole), key, at, doc, opts)
}

func optionalBoolean[T any](key string, at func(*T) **bool, doc string, opts ...option) field[T] {
	return scalar(kindBool, pointer((*walker).boolean), key, at, doc, opts)
}

func texts[T any](key string, at func(*T) *[]string, doc string, opts ...option) field[T] {
	return scalar(kindTexts, (*walker).texts, key, at, doc, opts)
}

func pairs[T any](key string, at func(*T) *map[string]string, doc string, opts ...option) field[T] {
	return scalar(kindPairs, (*walker).pairs, key, at, doc, opts)
}

func anything[T any](key string, at func(*T) *json.RawMessage, doc string, opts ...option) field[T] {
	return scalar(kindJSON, (*walker).json, key, at, doc, opts)
}

// group is a map with known keys that fills a part of T. Nothing is an empty map: a group whose
// keys are all commented out is no mistake.
func group[T, V any](key string, of object[V], at func(*T) *V, doc string, opts ...option) field[T] {
	s := newSpec(key, kindObject, doc, opts)
	s.object, s.nullable = &of.rules, true
	return field[T]{
		spec:   s,
		preset: func(t *T) { of.preset(at(t)) },
		read:   func(w *walker, n *yaml.Node, t *T) { readObject(w, n, s, of, at(t)) },
	}
}

// named is a map from names of the user's choice to E.
func named[T, E any](key string, ns names, elem *spec, at func(*T) *map[string]E,
	read func(w *walker, p pair) (E, bool), doc string, opts ...option) field[T] {
	s := newSpec(key, kindMap, doc, opts)
	s.name, s.elem = &ns, elem
	return field[T]{
		spec:   s,
		preset: func(*T) {},
		read: func(w *walker, n *yaml.Node, t *T) {
			*at(t) = readNamed(w, n, s, read)
		},
	}
}

// list is a list of maps with known keys.
func list[T, E any](key string, of object[E], put func(*T, []E), read func(w *walker, n *yaml.Node) (E, bool), doc string, opts ...option) field[T] {
	s := newSpec(key, kindList, doc, opts)
	s.elem = &spec{key: key, kind: kindObject, object: &of.rules}
	return field[T]{
		spec:   s,
		preset: func(*T) {},
		read:   func(w *walker, n *yaml.Node, t *T) { put(t, readList(w, n, s, read)) },
	}
}
