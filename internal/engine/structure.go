package engine

import (
	"encoding/json"
	"strings"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/schema"
	"github.com/mini-me/mm/internal/turn"
)

// newStructure reads the schema of structuredOutput; nil where there is none.
func newStructure(f *agents.File) (*turn.Structure, error) {
	so := f.StructuredOutput
	if so == nil {
		return nil, nil
	}
	s, err := schema.Read(so.Schema)
	if err != nil {
		return nil, &agents.Error{Problems: []agents.Problem{{File: f.Path, Text: "structuredOutput: the schema is not a JSON Schema: " + firstLine(err.Error()), Err: err}}}
	}
	return &turn.Structure{
		Format: llm.Format{Name: so.Name, Schema: so.Schema},
		Check:  func(answer string) error { return s.Check(json.RawMessage(answer)) },
	}, nil
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
