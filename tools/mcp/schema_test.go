package mcp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/schema"
	"github.com/mini-me/mm/tools/mcp"
)

// prop is the schema of a tool with one parameter.
func prop(schema string) string { return `{"type":"object","properties":{"p":` + schema + `}}` }

// What llama.cpp refuses or misreads becomes something that it takes.
func TestDeclaredSchemas(t *testing.T) {
	for in, want := range map[string]string{
		``:                  `{"type":"object","properties":{}}`,
		`null`:              `{"type":"object","properties":{}}`,
		`{"type":"object"}`: `{"type":"object","properties":{}}`,
		`{"type":"object","additionalProperties":true}`:                             `{"type":"object","properties":{},"additionalProperties":true}`,
		`{"type":"object","additionalProperties":false}`:                            `{"type":"object","properties":{}}`,
		`{"properties":{"z":{"type":"string"},"a":{}},"required":["a","gone","z"]}`: `{"type":"object","properties":{"z":{"type":"string"},"a":{}},"required":["a","z"]}`,

		prop(`true`): prop(`{}`),
		prop(`{"type":"string","pattern":"\\d","format":"uri","minLength":1,"maxLength":5000,"title":"P","default":"x","examples":["y"]}`): prop(`{"type":"string"}`),
		prop(`{"type":"array","maxItems":3000,"items":{"type":"float"}}`):                                                                  prop(`{"type":"array","items":{"type":"number"}}`),
		prop(`{"type":"array"}`):                                                                    prop(`{"type":"array","items":{}}`),
		prop(`{"type":"array","items":[{"type":"string"}]}`):                                        prop(`{"type":"array","items":{}}`),
		prop(`{"description":"Any <value>"}`):                                                       prop(`{"type":["string","number","boolean","object","array"],"description":"Any <value>","items":{}}`),
		prop(`{"type":"mystery"}`):                                                                  prop(`{}`),
		prop(`{"type":["string","null"]}`):                                                          prop(`{"type":["string","null"]}`),
		prop(`{"not":{}}`):                                                                          prop(`{}`),
		prop(`{"const":"x"}`):                                                                       prop(`{"type":"string","enum":["x"]}`),
		prop(`{"enum":["a",1]}`):                                                                    prop(`{"enum":["a",1]}`),
		prop(`{"type":"object","properties":{}}`):                                                   prop(`{"type":"object"}`),
		prop(`{"type":"object","additionalProperties":{"type":"string"}}`):                          prop(`{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`),
		prop(`{"anyOf":[{"type":"string"},{"type":"null"}],"description":"D"}`):                     prop(`{"type":"string","description":"D"}`),
		prop(`{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`):            prop(`{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`),
		prop(`{"anyOf":[{"type":"string"},{}]}`):                                                    prop(`{}`),
		prop(`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]}]}`): prop(`{"type":"object","properties":{"a":{"type":"string"}}}`),
		prop(`{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}`): prop(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`),
		`{"properties":{"p":{"$ref":"#/$defs/a~1b","description":"mine"}},"$defs":{"a/b":{"type":"string","description":"theirs"}}}`:        prop(`{"type":"string","description":"mine"}`),
		prop(`{"$ref":"#/$defs/gone"}`):               prop(`{}`),
		prop(`{"$ref":"https://x.example/y"}`):        prop(`{}`),
		prop(`{"type":"array","items":{"$ref":"#"}}`): `{"type":"object","properties":{"p":{"type":"array","items":{"type":"object","properties":{"p":{"type":"array","items":{}}}}}}}`,
		// Alternatives at the top become one object.
		`{"anyOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind","x"]},{"type":"object","properties":{"kind":{"const":"b"},"y":{"type":"string"}},"required":["kind"]}]}`: `{"type":"object","properties":{"kind":{"type":"string","enum":["a","b"]},"x":{"type":"string"},"y":{"type":"string"}},"required":["kind"]}`,
	} {
		if got := mcp.Declared(in); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", in, got, want)
		}
	}
}

// A schema that is too large is told in less detail.
func TestLargeSchemas(t *testing.T) {
	var props []string
	for i := range 40 {
		props = append(props, fmt.Sprintf(`"p%d":{"type":"object","description":"d%d","properties":{"inner":{"type":"string","description":"%s"}}}`, i, i, strings.Repeat("x", 300)))
	}
	got := mcp.Declared(`{"type":"object","properties":{` + strings.Join(props, ",") + `}}`)
	if len(got) > 8<<10 || !strings.Contains(got, `"p39":{"type":"object","description":"d39","properties":{"inner":{"type":"string"}}}`) {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	wide := `{"type":"object","properties":{"p":{"type":"object","properties":{`
	for i := range 1000 {
		wide += fmt.Sprintf(`"q%d":{"type":"string"},`, i)
	}
	if got := mcp.Declared(strings.TrimSuffix(wide, ",") + `}}}}`); got != prop(`{"type":"object"}`) {
		t.Errorf("%.200s", got)
	}
}

// Schemas that would keep a reader busy, or end it.
func hostile() []string {
	doubling := `{"$ref":"#/$defs/d0","$defs":{`
	for i := range 40 {
		doubling += fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	return []string{
		`{"$ref":"#"}`,
		`{"allOf":[{"$ref":"#"}]}`,
		`{"properties":{"p":{"$ref":"#/properties/p"}}}`,
		`{"properties":{"p":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$defs":{"a":{"not":{"$ref":"#/$defs/b"}},"b":{"if":{"$ref":"#/$defs/a"}}}}`,
		`{"$dynamicRef":"#x","$dynamicAnchor":"x"}`,
		doubling + `"d40":{"type":"object"}}}`,
		strings.Repeat(`{"allOf":[`, 3000) + strings.Repeat(`]}`, 3000),
		strings.Repeat(`{"properties":{"p":`, 3000) + `{}` + strings.Repeat(`}}`, 3000),
		`{"properties":{` + strings.Repeat(`"p":{"type":"object"},`, 20_000) + `"q":{}}}`,
	}
}

func TestHostileSchemas(t *testing.T) {
	for _, s := range hostile() {
		begin := time.Now()
		_ = mcp.Declared(s)
		if c := schema.Lenient(json.RawMessage(s)); c != nil && !strings.HasPrefix(s, `{"properties":{"p":{"type"`) {
			t.Errorf("%.80s: checked, %v", s, c.Check(json.RawMessage(`{"p":{"p":1}}`)))
		}
		if d := time.Since(begin); d > 5*time.Second {
			t.Errorf("%.80s: %v", s, d)
		}
	}
}

// words that a declared schema may have, where it isn't a name.
var allowed = []string{"type", "description", "enum", "properties", "required", "items", "anyOf", "additionalProperties"}

func FuzzSchema(f *testing.F) {
	for _, s := range append(hostile(), prop(`{"anyOf":[{"type":"string"},{"type":"null"}]}`), `{"allOf":[{"oneOf":[{"required":["a"]},{"const":1}]}],"items":[]}`) {
		if len(s) < 5000 {
			f.Add(s, `{"p":{"p":[1,"x",null]}}`)
		}
	}
	f.Fuzz(func(t *testing.T, text, args string) {
		got := mcp.Declared(text)
		var v map[string]any
		if err := json.Unmarshal([]byte(got), &v); err != nil || v["type"] != "object" || v["anyOf"] != nil {
			t.Fatalf("%s: %v", got, err)
		}
		onlyWords(t, v)
		if json.Valid([]byte(args)) {
			_ = schema.Lenient(json.RawMessage(text)).Check(json.RawMessage(args))
		}
	})
}

func onlyWords(t *testing.T, v any) {
	m, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%v isn't a schema", v)
	}
	for word, value := range m {
		switch {
		case !slices.Contains(allowed, word):
			t.Fatalf("%q in %v", word, m)
		case word == "properties":
			for _, p := range value.(map[string]any) {
				onlyWords(t, p)
			}
		case word == "items" || word == "additionalProperties" && value != true:
			onlyWords(t, value)
		case word == "anyOf":
			for _, p := range value.([]any) {
				onlyWords(t, p)
			}
		}
	}
}
