package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
)

// maxSchema is how large a declared schema may be in bytes before it is told in less detail: every
// request carries all of them.
const maxSchema = 8 << 10

// detail is how much of a schema is told.
type detail int

const (
	all        detail = iota
	terse             // descriptions of the tool's own parameters only
	topLevel          // what is inside of parameters may be anything
	lastDetail = topLevel
)

// declared rebuilds a tool's schema for a model's server.
func declared(raw json.RawMessage) json.RawMessage {
	c := &cleaner{root: raw, found: map[string]json.RawMessage{}}
	p := c.clean(raw, 0, nil)
	// At the top some servers take no anyOf, and none takes anything but an object.
	p.union(p.anyOf)
	p.anyOf, p.enum, p.types, p.description = nil, nil, []string{"object"}, ""
	p.closed = true
	var b bytes.Buffer
	for level := all; level <= lastDetail; level++ {
		b.Reset()
		p.write(&b, level, 0)
		if b.Len() <= maxSchema {
			break
		}
	}
	return b.Bytes()
}

// write writes the schema with its keys in a fixed order.
func (p *plain) write(b *bytes.Buffer, level detail, deep int) {
	if level == topLevel && deep > 1 {
		b.WriteString("{}")
		return
	}
	told := p.description != "" && (level == all || deep <= 1)
	types := p.typesToWrite(told)
	b.WriteByte('{')
	if len(types) > 0 {
		key(b, "type")
		writeTypes(b, types)
	}
	if told {
		key(b, "description")
		writeText(b, p.description)
	}
	if len(p.enum) > 0 {
		key(b, "enum")
		writeList(b, p.enum, func(v json.RawMessage) { b.Write(v) })
	}
	p.writeObject(b, types, level, deep)
	if slices.Contains(types, "array") {
		key(b, "items") // some servers refuse an array without it
		if p.items == nil {
			b.WriteString("{}")
		} else {
			p.items.write(b, level, deep+1)
		}
	}
	if len(p.anyOf) > 0 {
		key(b, "anyOf")
		writeList(b, p.anyOf, func(a *plain) { a.write(b, level, deep+1) })
	}
	b.WriteByte('}')
}

// typesToWrite names the types. Older llama.cpp refuses a schema that has only a description, so
// what may be anything names all types then.
func (p *plain) typesToWrite(told bool) []string {
	switch {
	case len(p.types) > 0 || len(p.anyOf) > 0:
		return p.types
	case p.closed:
		return []string{"object"}
	case p.items != nil:
		return []string{"array"}
	case len(p.enum) > 0:
		if !slices.ContainsFunc(p.enum, func(v json.RawMessage) bool { return v[0] != '"' }) {
			return []string{"string"}
		}
	case told:
		return []string{"string", "number", "boolean", "object", "array"}
	}
	return nil
}

// writeObject writes properties, required and additionalProperties. An object whose properties
// aren't known has none of them: llama.cpp reads empty properties as "exactly {}".
func (p *plain) writeObject(b *bytes.Buffer, types []string, level detail, deep int) {
	if !slices.Contains(types, "object") || (!p.closed && p.others == nil) || (deep > 0 && len(p.properties) == 0 && p.others == nil) {
		return
	}
	if level == topLevel && deep > 0 {
		return
	}
	key(b, "properties")
	b.WriteByte('{')
	for i, prop := range p.properties {
		if i > 0 {
			b.WriteByte(',')
		}
		writeText(b, prop.name)
		b.WriteByte(':')
		prop.schema.write(b, level, deep+1)
	}
	b.WriteByte('}')
	if required := p.writtenRequired(); len(required) > 0 {
		key(b, "required")
		writeList(b, required, func(s string) { writeText(b, s) })
	}
	if p.others != nil {
		key(b, "additionalProperties")
		if p.others.anything() {
			b.WriteString("true")
		} else {
			p.others.write(b, level, deep+1)
		}
	}
}

// writtenRequired leaves out names that no property has: a grammar couldn't meet them.
func (p *plain) writtenRequired() []string {
	return slices.DeleteFunc(slices.Clone(p.required), func(name string) bool {
		return !slices.ContainsFunc(p.properties, func(prop property) bool { return prop.name == name })
	})
}

// key writes a key, with a comma where something stands before it.
func key(b *bytes.Buffer, name string) {
	if b.Bytes()[b.Len()-1] != '{' {
		b.WriteByte(',')
	}
	b.WriteByte('"')
	b.WriteString(name)
	b.WriteString(`":`)
}

func writeTypes(b *bytes.Buffer, types []string) {
	if len(types) == 1 {
		writeText(b, types[0])
		return
	}
	writeList(b, types, func(s string) { writeText(b, s) })
}

func writeList[T any](b *bytes.Buffer, list []T, write func(T)) {
	b.WriteByte('[')
	for i, v := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		write(v)
	}
	b.WriteByte(']')
}
