// Package schema checks JSON against JSON Schemas (2020-12, and what draft 7 has in common with it)
// that somebody else wrote, and words what is wrong so that a model can mend it.
//
// The library under it stops at the first fault. santhosh-tekuri/jsonschema lists them all, but sets
// up all drafts before main: 20 ms and 1.7 MB for every mm, also the many that need no schema.
package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/mini-me/mm/internal/clip"
)

const (
	// maxChecked is how large a schema may be, in bytes, to be used for checking.
	maxChecked = 256 << 10
	// maxInPlace is how many schemas may hold for one and the same value.
	maxInPlace = 500
	// maxFault is how many characters of a fault the model reads.
	maxFault = 400
)

// Schema checks values; nil accepts all.
type Schema struct{ schema *jsonschema.Resolved }

// errEndless is a schema that could keep the library busy without end: {"$ref":"#"} would overflow the
// stack, which ends the whole process.
var errEndless = errors.New("a $ref leads back to itself, or too many schemas hold for one value")

// Read reads a schema that has to be right as it is. It must be complete in itself: nothing is fetched.
func Read(text json.RawMessage) (*Schema, error) {
	var root any
	if err := json.Unmarshal(text, &root); err != nil {
		return nil, err
	}
	if !newCosts(root).bounded() {
		return nil, errEndless
	}
	return resolve(text, &jsonschema.ResolveOptions{ValidateDefaults: true})
}

// Lenient reads a schema of which only what can be used matters. What the library can't read, such as
// a pattern in a dialect that Go doesn't have, is left out. It is nil when nothing can be used.
func Lenient(text json.RawMessage) *Schema {
	var root any
	if len(text) > maxChecked || json.Unmarshal(text, &root) != nil {
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
	s, err := resolve(text, nil)
	if err != nil {
		return nil
	}
	return s
}

func resolve(text json.RawMessage, o *jsonschema.ResolveOptions) (*Schema, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	resolved, err := s.Resolve(o)
	if err != nil {
		return nil, err
	}
	return &Schema{resolved}, nil
}

// Check says what is wrong with a value; nil when nothing is.
func (s *Schema) Check(value json.RawMessage) error {
	if s == nil {
		return nil
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	return words(s.schema.Validate(v))
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
		if strings.HasPrefix(at, "/") {
			where = "at " + strings.ReplaceAll(at, "/properties/", "/") + ": "
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
	return errors.New(clip.To(where+first, maxFault))
}
