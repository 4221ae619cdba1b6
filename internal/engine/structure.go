package engine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/turn"
)

// newStructure compiles the schema of structuredOutput; nil where there is none. The library lists
// all faults of an answer at once, which saves a small model a round trip.
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
			v, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
			if err != nil {
				return fmt.Errorf("it is not JSON: %s", firstLine(err.Error()))
			}
			return faults(schema.Validate(v))
		},
	}, nil
}

func compile(schema []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{}) // a schema is complete in itself; nothing is fetched
	if err := c.AddResource("schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("schema.json")
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is outside of the schema: copy it into $defs", url)
}

// faults words what is wrong with an answer: where, and what.
func faults(err error) error {
	if err == nil {
		return nil
	}
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return err
	}
	p := message.NewPrinter(language.English)
	var lines []string
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			at := "/" + strings.Join(e.InstanceLocation, "/")
			lines = append(lines, fmt.Sprintf("at %s: %s", at, e.ErrorKind.LocalizedString(p)))
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(v)
	return errors.New(strings.Join(lines, "; "))
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
