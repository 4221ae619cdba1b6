package agents

import (
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Bounds of what is read. Aliases repeat what they stand for, so a small file can describe much:
// every value that is looked at costs something, whether it is looked at again or not.
const (
	maxFile  = 1 << 20  // bytes of an agent file
	maxText  = 1 << 20  // bytes of a file that it names
	maxWork  = 16 << 20 // bytes of values, aliases followed
	nodeCost = 16
	maxDepth = 100
)

// walker reads one file's values and collects what is wrong with them. A value that is wrong is
// left at its default, and reading goes on.
type walker struct {
	file string // as named in problems
	src  source
	env  Env
	dir  string // where relative paths start

	path     []step
	open     map[*yaml.Node]bool // the maps and lists around the current value
	left     int                 // of maxWork
	problems []Problem
	warnings []string
	secrets  []string
}

// step is one level of the place in the file: a key, or an item of a list, counted from 1.
type step struct {
	key  string
	item int
}

// in does something at a key.
func (w *walker) in(key string, do func()) { w.at(step{key: key}, do) }

func (w *walker) at(s step, do func()) {
	w.path = append(w.path, s)
	do()
	w.path = w.path[:len(w.path)-1]
}

// key is the place in the file: "mmConfigs.jan.path".
func (w *walker) key() string {
	var keys []string
	for _, s := range w.path {
		if s.item == 0 {
			keys = append(keys, s.key)
		}
	}
	return strings.Join(keys, ".")
}

// name is what the current value is called in a problem.
func (w *walker) name() string {
	if len(w.path) == 0 {
		return "the file"
	}
	last := w.path[len(w.path)-1]
	if last.item == 0 {
		return quote(last.key)
	}
	if len(w.path) == 1 {
		return fmt.Sprintf("item %d", last.item)
	}
	return fmt.Sprintf("item %d of %s", last.item, quote(w.path[len(w.path)-2].key))
}

// problem notes a fault at a node; nil is for what doesn't stand in the file. Once the file has
// used up its work nothing more is said: much would only follow from what wasn't read.
func (w *walker) problem(n *yaml.Node, format string, args ...any) {
	if w.left < 0 {
		return
	}
	w.problems = append(w.problems, w.place(n, fmt.Sprintf(format, args...)))
}

func (w *walker) warn(n *yaml.Node, format string, args ...any) {
	w.warnings = append(w.warnings, w.place(n, fmt.Sprintf(format, args...)).String())
}

func (w *walker) place(n *yaml.Node, text string) Problem {
	p := Problem{Key: w.key(), Text: text}
	if n != nil {
		p.File = w.file
		p.Line, p.Column = w.src.clamp(n.Line, n.Column)
	}
	return p
}

// resolve follows an alias. It returns nil once the file has used up its work.
func (w *walker) resolve(n *yaml.Node) *yaml.Node {
	at := n
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if w.left < 0 || n == nil {
		return nil
	}
	cost := nodeCost + len(n.Value)
	if cost > w.left {
		w.problem(at, "the aliases of this file repeat too much: more than %d MiB", maxWork>>20)
		w.left = -1
		return nil
	}
	w.left -= cost
	return n
}

// into does something with the content of a map or list, unless that contains itself. at is where
// it stands, n where its content does.
func (w *walker) into(at, n *yaml.Node, do func()) {
	switch {
	case w.open[n]:
		w.problem(at, "%s contains itself: an alias can't stand inside its own anchor", w.name())
		return
	case len(w.open) >= maxDepth:
		w.problem(at, "%s is nested too deep: more than %d levels", w.name(), maxDepth)
		return
	}
	w.open[n] = true
	do()
	delete(w.open, n)
}

// wrong says that a value isn't what its key wants. Lists and maps of text aren't shown: arguments
// and variables may hold secrets.
func (w *walker) wrong(n *yaml.Node, s *spec, wanted string) {
	hint := ""
	switch tag := n.ShortTag(); {
	case isNothing(n) && !s.nullable:
		hint = " — give it a value or take the key away"
	case s.kind == kindText && n.Kind == yaml.ScalarNode && !isNothing(n) && tag != "!!str":
		hint = " — put it in quotes"
	case s.kind == kindBool && tag == "!!str" && trueOrFalse(strings.ToLower(n.Value)) != "":
		hint = " — write " + trueOrFalse(strings.ToLower(n.Value))
	case s.kind == kindList && n.Kind == yaml.MappingNode:
		hint = ` — put "- " before it`
	case s.kind == kindTexts && n.Kind == yaml.ScalarNode && !isNothing(n):
		hint = " — put it in brackets: [ … ]"
	}
	w.problem(n, "%s must be %s, but this is %s%s", w.name(), wanted, describe(n, s.secret || s.loose), hint)
}

// isNothing reports whether a key stands without a value, or with null.
func isNothing(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null"
}

// describe says what stands in the file, in the words of YAML.
func describe(n *yaml.Node, secret bool) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a map"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
	default:
		return "something else"
	}
	what, shown := "a value of the type "+n.ShortTag(), ""
	switch n.ShortTag() {
	case "!!null":
		return "nothing"
	case "!!str":
		what, shown = "text", "the text "+quote(n.Value)
	case "!!int", "!!float":
		what, shown = "a number", "the number "+short(n.Value)
	case "!!bool":
		what, shown = "true or false", short(n.Value)
	case "!!timestamp":
		what, shown = "a date", "the date "+short(n.Value)
	}
	if secret || shown == "" {
		return what
	}
	return shown
}

const maxShown = 60

// short cuts what a file says to what a message can hold.
func short(text string) string {
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return text
}

// quote shows a text on one line: control characters become escapes.
func quote(text string) string { return strconv.Quote(short(text)) }
