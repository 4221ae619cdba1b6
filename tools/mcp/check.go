package mcp

import (
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

const (
	// maxChecked is how large a schema may be, in bytes, to be used for checking.
	maxChecked = 256 << 10
	// maxInPlace is how many schemas may hold for one and the same value.
	maxInPlace = 500
	// maxFault is how many characters of a fault the model reads.
	maxFault = 400
)

// checker checks arguments against the schema that a server wrote; nil checks nothing, and leaves
// it to the server.
type checker struct{ schema *jsonschema.Resolved }

// newChecker reads a server's schema. What the library can't read, such as a pattern in a dialect
// that Go doesn't have, is left out; a schema that could keep it busy without end isn't used:
// {"$ref":"#"} would overflow the stack, which ends the whole process.
func newChecker(raw json.RawMessage) *checker {
	var root any
	if len(raw) > maxChecked || json.Unmarshal(raw, &root) != nil {
		return nil
	}
	m, ok := root.(map[string]any)
	if !ok || !loosen(m, 0) || !newCosts(m).bounded() {
		return nil
	}
	text, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil
	}
	resolved, err := s.Resolve(nil) // nothing is fetched
	if err != nil {
		return nil
	}
	return &checker{resolved}
}

// fault says what is wrong with arguments; nil when nothing is.
func (c *checker) fault(args json.RawMessage) error {
	if c == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(args, &v); err != nil {
		return err
	}
	return words(c.schema.Validate(v))
}

// words turns a fault into what a model can use: where, and what. The library names the place in
// the schema ("/properties/kind/items"), which reads as well without the words of the schema.
func words(err error) error {
	if err == nil {
		return nil
	}
	text, where := err.Error(), ""
	for {
		rest, ok := strings.CutPrefix(text, "validating ")
		if !ok {
			break
		}
		at, after, found := strings.Cut(rest, ": ")
		if !found {
			break
		}
		if strings.HasPrefix(at, "/properties/") {
			where = "at " + strings.ReplaceAll(strings.TrimPrefix(at, "/properties"), "/properties/", "/") + ": "
		}
		text = after
	}
	first, rest, _ := strings.Cut(text, "\n")
	if i := strings.Index(first, " any of [<"); i >= 0 {
		first = first[:i] + " any of the allowed forms"
		for line := range strings.Lines(rest) { // one for each form
			if i := strings.LastIndex(line, ": type: "); i >= 0 {
				first += "; " + strings.TrimSpace(line[i+len(": type: "):])
			}
		}
	}
	return errors.New(cut(where+first, maxFault))
}

// loosen takes out of a schema what the library refuses as a whole. It reports whether the rest
// can be used: references to other documents or by name can't be followed.
func loosen(v any, deep int) bool {
	if deep > 100 {
		return false
	}
	switch v := v.(type) {
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !loosen(e, deep+1) })
	case map[string]any:
		for _, word := range []string{"$dynamicRef", "$recursiveRef"} {
			if _, is := v[word].(string); is {
				return false
			}
		}
		if ref, is := v["$ref"].(string); is && ref != "#" && !strings.HasPrefix(ref, "#/") {
			return false
		}
		loosenWords(v)
		for _, e := range v {
			if !loosen(e, deep+1) {
				return false
			}
		}
	}
	return true
}

// loosenWords works on one schema, or on a map of schemas whose names may be words too: what isn't
// of the type that the word has stays as it is.
func loosenWords(m map[string]any) {
	if s, is := m["$schema"].(string); is && !strings.Contains(s, "2020-12") && !strings.Contains(s, "draft-07") {
		delete(m, "$schema")
	}
	for _, word := range []string{"$id", "$anchor", "$dynamicAnchor", "id"} {
		if _, is := m[word].(string); is {
			delete(m, word)
		}
	}
	if p, is := m["pattern"].(string); is {
		if _, err := regexp.Compile(p); err != nil {
			delete(m, "pattern")
		}
	}
	for _, word := range []string{"required", "exclusiveMinimum", "exclusiveMaximum"} {
		if _, is := m[word].(bool); is { // as in drafts 3 and 4
			delete(m, word)
		}
	}
}
