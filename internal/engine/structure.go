package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/turn"
)

// newStructure compiles the schema of structuredOutput; nil where there is none.
//
// The library stops at the first fault of an answer. santhosh-tekuri/jsonschema lists them all, but
// sets up all drafts before main: 20 ms and 1.7 MB for every mm, also the many that need no schema.
func newStructure(f *agents.File) (*turn.Structure, error) {
	so := f.StructuredOutput
	if so == nil {
		return nil, nil
	}
	schema, err := compile(so.Schema)
	if err != nil {
		return nil, &agents.Error{Problems: []agents.Problem{{File: f.Path, Text: "structuredOutput: the schema is not a JSON Schema: " + firstLine(err.Error()), Err: err}}}
	}
	return &turn.Structure{
		Format: llm.Format{Name: so.Name, Schema: so.Schema},
		Check: func(answer string) error {
			var v any
			if err := json.Unmarshal([]byte(answer), &v); err != nil {
				return fmt.Errorf("it is not JSON: %w", err)
			}
			return fault(schema.Validate(v))
		},
	}, nil
}

func compile(text []byte) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	// A schema is complete in itself: nothing is fetched.
	return s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
}

// fault words what is wrong with an answer: where, and what. The library names the place in the
// schema ("/properties/kind/items"), which a model reads as well without the words of the schema.
func fault(err error) error {
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
	return errors.New(where + firstLine(text))
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
