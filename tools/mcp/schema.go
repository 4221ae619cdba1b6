package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mini-me/mm/internal/clip"
)

// A tool's schema as its server wrote it may hold what a model's server can't take, and one such
// schema fails every request (llama.cpp builds one grammar of all tools). So what is declared is
// rebuilt from the words that all understand: type, description, enum, properties, required, items,
// anyOf below the top, additionalProperties. The arguments are checked against the original.
const (
	maxDeep        = 12   // levels of a schema; what is below may be anything
	maxNodes       = 2000 // parts of a schema, references inlined
	maxAlternative = 12   // of an anyOf
	maxEnum        = 200
	maxDescription = 500     // characters of a parameter's description
	maxRead        = 4 << 20 // bytes read of a schema, references inlined
)

// plain is a schema in those words. The zero value allows anything.
type plain struct {
	types       []string
	description string
	enum        []json.RawMessage
	properties  []property
	closed      bool // "properties" was there, maybe empty
	required    []string
	items       *plain
	anyOf       []*plain
	others      *plain // additionalProperties, when it allows any
}

type property struct {
	name   string
	schema *plain
}

// cleaner rebuilds a schema.
type cleaner struct {
	root  json.RawMessage
	nodes int
	read  int
	found map[string]json.RawMessage // by reference
}

// clean rebuilds one part. refs are the references on the way here.
func (c *cleaner) clean(raw json.RawMessage, deep int, refs []string) *plain {
	p := &plain{}
	c.nodes++
	if c.read += len(raw); deep > maxDeep || c.nodes > maxNodes || c.read > maxRead {
		return p
	}
	o, ok := parseObject(raw)
	if !ok {
		return p
	}
	p.types = knownTypes(o)
	p.description = clip.To(strings.TrimSpace(o.text("description")), maxDescription)
	p.enum = enumOf(o)
	p.required = o.texts("required")
	c.children(p, o, deep, refs)
	if ref := o.text("$ref"); ref != "" && !slices.Contains(refs, ref) {
		p.merge(c.clean(c.resolve(ref), deep+1, append(slices.Clip(refs), ref)))
	}
	for _, part := range o.list("allOf") {
		p.merge(c.clean(part, deep+1, refs))
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		c.alternatives(p, o.list(word), deep, refs)
	}
	return p
}

// children reads properties, items and additionalProperties.
func (c *cleaner) children(p *plain, o object, deep int, refs []string) {
	if props, ok := parseObject(o.get("properties")); ok {
		p.closed = true
		for _, m := range props {
			p.properties = append(p.properties, property{m.key, c.clean(m.value, deep+1, refs)})
		}
	}
	if raw := o.get("items"); raw != nil {
		p.items = c.clean(raw, deep+1, refs) // a tuple's list of schemas gives "anything"
	}
	if raw := o.get("additionalProperties"); raw != nil && string(raw) != "false" && string(raw) != "null" {
		p.others = c.clean(raw, deep+1, refs)
	}
}

// alternatives reads an anyOf. Those that only say what is required, and null beside others, say
// nothing that a grammar can use; beside properties, llama.cpp would take anyOf for the whole.
func (c *cleaner) alternatives(p *plain, list []json.RawMessage, deep int, refs []string) {
	if len(list) == 0 {
		return
	}
	var some []*plain
	for _, raw := range list {
		a := c.clean(raw, deep+1, refs)
		if slices.Equal(a.types, []string{"null"}) || a.onlyRequired() {
			continue
		}
		if a.anything() {
			return
		}
		some = append(some, a)
	}
	switch {
	case len(some) == 1:
		p.merge(some[0])
	case len(p.properties) > 0:
		p.union(some)
	case len(some) <= maxAlternative && len(p.types) == 0 && len(p.enum) == 0:
		p.anyOf = some
	}
}

// resolve finds a part of the same schema by its JSON pointer, nil for any other reference.
func (c *cleaner) resolve(ref string) json.RawMessage {
	if found, ok := c.found[ref]; ok || len(ref) > 1000 {
		return found
	}
	found := c.root
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return nil
	}
	for _, part := range strings.Split(pointer, "/")[1:] {
		c.read += len(found)
		o, _ := parseObject(found)
		found = o.get(strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~"))
	}
	c.found[ref] = found
	return found
}

// knownTypes reads "type"; names of other languages are translated, unknown ones dropped.
func knownTypes(o object) []string {
	list := o.texts("type")
	if one := o.text("type"); one != "" {
		list = []string{one}
	}
	var types []string
	for _, t := range list {
		switch t = strings.ToLower(t); t {
		case "string", "number", "integer", "boolean", "object", "array", "null":
		case "str", "text":
			t = "string"
		case "int", "long":
			t = "integer"
		case "float", "double", "decimal":
			t = "number"
		case "bool":
			t = "boolean"
		case "list":
			t = "array"
		case "dict", "map":
			t = "object"
		default:
			continue
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// enumOf reads enum or const; only plain values, and not too many, help a grammar.
func enumOf(o object) []json.RawMessage {
	list := o.list("enum")
	if c := o.get("const"); c != nil {
		list = []json.RawMessage{c}
	}
	if len(list) > maxEnum {
		return nil
	}
	for _, v := range list {
		if v[0] == '{' || v[0] == '[' {
			return nil
		}
	}
	return list
}
