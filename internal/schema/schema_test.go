package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/schema"
)

func prop(s string) string { return `{"type":"object","properties":{"p":` + s + `}}` }

func TestFaults(t *testing.T) {
	const two = `{"$schema":"http://json-schema.org/draft-04/schema#","$id":"foo#","type":"object","properties":{"p":{"anyOf":[{"type":"string"},{"type":"number"}]},"default":{"type":"integer","exclusiveMinimum":true,"minimum":1}},"required":["p"],"additionalProperties":false}`
	for _, c := range []struct{ schema, args, want string }{
		{two, `{"p":"x","default":1}`, ""},
		{two, `{"p":true}`, `at /p: anyOf: did not validate against any of the allowed forms; true has type "boolean", want "string"; true has type "boolean", want "number"`},
		{two, `{"p":1,"q":2}`, `unexpected additional properties ["q"]`},
		{two, `{}`, `required: missing properties: ["p"]`},
		{two, `{"p":1,"default":0}`, `at /default: minimum: 0/1 is less than 1.000000`},
		{prop(`{"type":"string","pattern":"^(?!x)"}`), `{"p":"x"}`, ""},
		{prop(`{"type":"array","items":{"$ref":"#"}}`), `{"p":[{"p":[{"p":1}]}]}`, `at /p: type: 1 has type "integer", want "array"`},
		{prop(`{"$ref":"other.json"}`), `{"p":1}`, ""},
		{`{"type":7}`, `{"p":1}`, ""},
		{``, `{"p":1}`, ""},
	} {
		got := ""
		if err := schema.Lenient(json.RawMessage(c.schema)).Check(json.RawMessage(c.args)); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s, %s\ngot  %s\nwant %s", c.schema, c.args, got, c.want)
		}
	}
}

// TestEndlessSchemas: {"$ref":"#"} overflowed the stack at the first answer, which ended mm.
func TestEndlessSchemas(t *testing.T) {
	for text, endless := range map[string]bool{
		`{"$ref":"#"}`: true,
		`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}`: true,
		prop(`{"$ref":"#"}`): false, // ends where the value does
	} {
		s, err := schema.Read(json.RawMessage(text))
		if endless != (err != nil) {
			t.Errorf("%s: %v", text, err)
		}
		if err := s.Check(json.RawMessage(`{"p":{"p":{}}}`)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestRead(t *testing.T) {
	for text, want := range map[string]string{`{"type":7}`: "type", `{`: "end of JSON", `[]`: "array", `{"$ref":"http://x.test/y"}`: "x.test"} {
		if _, err := schema.Read(json.RawMessage(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
