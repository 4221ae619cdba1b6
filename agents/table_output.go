package agents

import (
	"bytes"
	"encoding/json"
	"errors"

	"gopkg.in/yaml.v3"
)

type outputDraft struct {
	name, schemaFile string
	schema           json.RawMessage
	at               *yaml.Node // of schemaFile
}

// structuredOutputField can't be a group: its absence means something.
func structuredOutputField() field[draft] {
	of := outputObject()
	s := newSpec("structuredOutput", kindObject,
		"The form of the final answer: JSON that the schema accepts. It is sent to the server as well.", nil)
	s.object = &of.rules
	return field[draft]{
		spec:   s,
		preset: func(*draft) {},
		read: func(w *walker, n *yaml.Node, d *draft) {
			var out outputDraft
			if keys, ok := readObject(w, n, s, of, &out); ok {
				out.at = keys.where("schemaFile")
				d.output = &out
			}
		},
	}
}

func outputObject() object[outputDraft] {
	return newObject(rules{required: []string{"name"}, oneOf: []string{"schema", "schemaFile"}},
		text("name", func(o *outputDraft) *string { return &o.name },
			"A name for the schema, for the server.", matching(`^[A-Za-z0-9_-]{1,64}$`, "1 to 64 letters, digits, _ and -")),
		anything("schema", func(o *outputDraft) *json.RawMessage { return &o.schema },
			"The JSON Schema, written here.", notNull),
		text("schemaFile", func(o *outputDraft) *string { return &o.schemaFile },
			"A file with the JSON Schema.", path),
	)
}

// finish reads the schema file.
func (o *outputDraft) finish(w *walker) *StructuredOutput {
	if o == nil {
		return nil
	}
	if o.schemaFile != "" {
		w.in("structuredOutput", func() {
			w.in("schemaFile", func() { o.schema = w.schemaFile(o.at, o.schemaFile) })
		})
	}
	return &StructuredOutput{Name: o.name, Schema: o.schema}
}

func (w *walker) schemaFile(at *yaml.Node, path string) json.RawMessage {
	data, ok := w.textFile(at, path)
	if !ok {
		return nil
	}
	var object map[string]json.RawMessage
	err := json.Unmarshal([]byte(data), &object)
	var compact bytes.Buffer
	if err == nil && object != nil && json.Compact(&compact, []byte(data)) == nil {
		return compact.Bytes()
	}
	offset, text := jsonFault(err)
	line, column := newSource(data).at(offset)
	w.problems = append(w.problems, Problem{File: path, Line: line, Column: column, Key: w.key(), Text: text})
	return nil
}

// jsonFault gives the offset of a fault in JSON that should be an object, and what it is.
func jsonFault(err error) (offset int, text string) {
	var syntax *json.SyntaxError
	var other *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		// The offset is that after the byte that doesn't fit.
		return int(syntax.Offset) - 1, "this isn't JSON: " + syntax.Error()
	case errors.As(err, &other):
		return 0, "a JSON Schema must be a JSON object, but this is " + article(other.Value)
	}
	return 0, "a JSON Schema must be a JSON object, but this is null"
}

func article(noun string) string {
	if noun == "array" {
		return "an array"
	}
	return "a " + noun
}
