package agents

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
)

// SchemaURL is where editors find the schema: an agent file names it in its first line,
// "# yaml-language-server: $schema=…".
const SchemaURL = "https://raw.githubusercontent.com/mini-me/mm/main/docs/agent-file.schema.json"

// Schema gives the JSON Schema (draft 2020-12) of agent files. It is made of the table that Load
// reads by. What it can't say (whether a variable is set or a file is there) only Load checks.
func Schema() []byte {
	defs := members{}
	root := objectSchema(agentFile().rules, &defs)
	all := append(members{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"$id", SchemaURL},
		{"title", "mm agent file"},
		{"description", "One YAML file describes one agent of mm."},
	}, root...)
	all = append(all, member{"$defs", defs})
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(all) // members hold only what JSON can; TestSchemaIsSound reads the result
	return out.Bytes()
}

// members is a JSON object that keeps its order, so that editors offer keys in that of the table.
type members []member

type member struct {
	key   string
	value any
}

// MarshalJSON writes the object.
func (m members) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, one := range m {
		if i > 0 {
			out.WriteByte(',')
		}
		writeJSONText(&out, one.key)
		out.WriteByte(':')
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(one.value); err != nil {
			return nil, err
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// keySchema is the schema of one key's values.
func keySchema(s *spec, defs *members) members {
	var all members
	if words := description(s); words != "" {
		all = append(all, member{"description", words})
	}
	if s.def != nil {
		all = append(all, member{"default", defaultValue(s.def)})
	}
	if s.deprecated {
		all = append(all, member{"deprecated", true})
	}
	return append(all, valueSchema(s, defs)...)
}

func valueSchema(s *spec, defs *members) members {
	switch s.kind {
	case kindText:
		return textSchema(s)
	case kindWhole:
		return append(members{{"type", "integer"}}, rangeSchema(s)...)
	case kindNumber:
		return append(members{{"type", "number"}}, rangeSchema(s)...)
	case kindBool:
		return members{{"type", "boolean"}}
	case kindDuration:
		all := members{{"type", []string{"string", "number"}}, {"pattern", durationPattern}}
		return append(all, rangeSchema(s)...)
	case kindTexts:
		return members{{"type", typeOf("array", s)}, {"items", textSchema(s)}}
	case kindPairs:
		one := *s
		one.empty = true
		all := append(members{{"type", typeOf("object", s)}}, nameSchema(s.name)...)
		return append(all, member{"additionalProperties", textSchema(&one)})
	case kindJSON:
		return members{{"type", typeOf("object", s)}}
	case kindList:
		return members{{"type", typeOf("array", s)}, {"items", keySchema(s.elem, defs)}}
	case kindMap:
		return mapSchema(s, defs)
	}
	all := objectSchema(*s.object, defs)
	if s.nullable {
		all[0].value = typeOf("object", s)
	}
	if s.short != nil {
		return members{{"anyOf", []members{keySchema(s.short, defs), all}}}
	}
	return all
}

func textSchema(s *spec) members {
	all := members{{"type", "string"}}
	if s.loose {
		all[0].value = []string{"string", "number", "boolean"}
	}
	switch {
	case len(s.choices) > 0:
		all = append(all, member{"enum", s.choices})
	case s.pattern != nil:
		all = append(all, member{"pattern", s.pattern.String()})
	case !s.empty:
		all = append(all, member{"pattern", `\S`})
	}
	return all
}

func rangeSchema(s *spec) (all members) {
	if s.low != nil && s.positive {
		all = append(all, member{"exclusiveMinimum", *s.low})
	} else if s.low != nil {
		all = append(all, member{"minimum", *s.low})
	}
	if s.high != nil {
		all = append(all, member{"maximum", *s.high})
	}
	return all
}

func typeOf(name string, s *spec) any {
	if s.nullable {
		return []string{name, "null"}
	}
	return name
}

// objectSchema has "type" first.
func objectSchema(r rules, defs *members) members {
	var properties members
	for _, s := range r.fields {
		properties = append(properties, member{s.key, keySchema(s, defs)})
	}
	all := members{{"type", "object"}, {"properties", properties}, {"additionalProperties", false}}
	if len(r.required) > 0 {
		all = append(all, member{"required", r.required})
	}
	if len(r.oneOf) > 0 {
		var each []members
		for _, key := range r.oneOf {
			each = append(each, members{{"required", []string{key}}})
		}
		all = append(all, member{"oneOf", each})
	}
	var nots []members
	for _, two := range r.notBoth {
		nots = append(nots, members{{"not", members{{"required", two[:]}}}})
	}
	if len(nots) > 0 {
		all = append(all, member{"allOf", nots})
	}
	var needs members
	for _, two := range r.needs {
		needs = append(needs, member{two[0], two[1:]})
	}
	if len(needs) > 0 {
		all = append(all, member{"dependentRequired", needs})
	}
	return all
}

// mapSchema puts the schema of an element that stands under several known names into $defs.
func mapSchema(s *spec, defs *members) members {
	all := append(members{{"type", typeOf("object", s)}}, nameSchema(s.name)...)
	elem := keySchema(s.elem, defs)
	if len(s.name.known) == 0 {
		return append(all, member{"additionalProperties", elem})
	}
	name := strings.ReplaceAll(s.name.noun, " ", "-")
	*defs = append(*defs, member{name, elem})
	ref := member{"$ref", "#/$defs/" + name}
	var properties members
	for _, known := range s.name.known {
		properties = append(properties, member{known, members{ref}})
	}
	return append(all, member{"properties", properties},
		member{"additionalProperties", members{ref, {"type", "object"}, {"required", s.name.required}}})
}

func nameSchema(ns *names) members {
	switch {
	case ns != nil && ns.pattern != nil:
		return members{{"propertyNames", members{{"pattern", ns.pattern.String()}}}}
	case ns != nil && ns.never != nil:
		return members{{"propertyNames", members{{"not", members{{"enum", ns.never}}}}}}
	}
	return nil
}

// description is the key's text with what a plain default can't say.
func description(s *spec) string {
	words := s.doc
	if s.unset != "" {
		words += " Default: " + s.unset + "."
	}
	if s.expand {
		words += " `${NAME}` and `${NAME:-default}` are replaced by environment variables."
	}
	if s.path {
		words += " A path relative to this file."
	}
	if s.override != "" {
		words += " The environment variable `" + s.override + "` overrides it."
	}
	return strings.TrimSpace(words)
}

// defaultValue is a default as it is written in a file.
func defaultValue(def any) any {
	if d, ok := def.(time.Duration); ok {
		return writtenDuration(d)
	}
	return def
}

// writtenDuration drops what Go adds: "3m" for "3m0s".
func writtenDuration(d time.Duration) string {
	if d == 0 {
		return "0"
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
