package agents

import (
	"gopkg.in/yaml.v3"
)

// kind is what stands behind a key, in the words that people read.
type kind int

const (
	kindText kind = iota
	kindWhole
	kindNumber
	kindBool
	kindDuration
	kindTexts  // a list of text
	kindPairs  // a map from names to text
	kindJSON   // a map of anything JSON can hold
	kindObject // a map with known keys
	kindMap    // a map from names of the user's choice to elem
	kindList   // a list of elem
)

// spec describes one key: what the reader checks, and what the schema and the reference page say.
type spec struct {
	key   string
	kind  kind
	doc   string // Markdown, sentences
	def   any    // the default, when it is a value
	unset string // what holds without the key, when that isn't a value

	low, high *float64 // bounds, both allowed; seconds for durations
	positive  bool     // numbers: 0 isn't allowed
	choices   []string // the only texts allowed
	pattern   *pattern // what texts must match
	says      string   // pattern in words

	empty      bool // an empty text is allowed
	loose      bool // numbers and booleans count as text, as they are written
	nullable   bool // nothing counts as an empty map or list
	expand     bool // ${NAME} is expanded
	path       bool // a path, relative to the file
	program    bool // a program: a path when it has a slash
	secret     bool // never shown
	deprecated bool
	override   string // the environment variable that counts instead

	object *rules // kindObject
	elem   *spec  // kindMap, kindList
	short  *spec  // kindObject: a text that stands for the whole
	name   *names // kindMap, kindPairs
}

// rules are those of a map with known keys.
type rules struct {
	noun     string // what a key is called: "key", "hook event"
	fields   []*spec
	required []string
	oneOf    []string    // exactly one of these
	notBoth  [][2]string // at most one of the two
	needs    [][2]string // the first only beside the second
}

// names are those of the user's choice.
type names struct {
	noun    string // what a name is the name of: "agent"
	pattern *pattern
	says    string
	never   []string // not allowed, whatever their case
	why     string   // not
	// known names need nothing more; others need the keys of required.
	known    []string
	required []string
}

// field binds a spec to its place in a T.
type field[T any] struct {
	*spec
	preset func(*T) // puts the default
	read   func(w *walker, n *yaml.Node, into *T)
	text   func(*T) *string // the place of a text; nil for other kinds
}

// object describes a map with known keys that fills a T.
type object[T any] struct {
	rules
	fields []field[T]
	// check looks at what was read as a whole. May be nil.
	check func(w *walker, keys found, into *T)
}

func newObject[T any](r rules, fields ...field[T]) object[T] {
	if r.noun == "" {
		r.noun = "key"
	}
	for _, f := range fields {
		r.fields = append(r.fields, f.spec)
	}
	return object[T]{rules: r, fields: fields}
}

// preset puts the defaults of all keys.
func (o object[T]) preset(into *T) {
	for _, f := range o.fields {
		f.preset(into)
	}
}

// find returns the spec of a key, nil for an unknown one.
func (r rules) find(key string) *spec {
	for _, s := range r.fields {
		if s.key == key {
			return s
		}
	}
	return nil
}

func (r rules) keys() []string {
	keys := make([]string, len(r.fields))
	for i, s := range r.fields {
		keys[i] = s.key
	}
	return keys
}
