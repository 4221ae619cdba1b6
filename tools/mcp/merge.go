package mcp

import (
	"encoding/json"
	"slices"
)

func (p *plain) anything() bool {
	return len(p.types) == 0 && len(p.enum) == 0 && !p.closed && p.items == nil && len(p.anyOf) == 0 && len(p.required) == 0
}

func (p *plain) onlyRequired() bool {
	return len(p.required) > 0 && !p.closed && len(p.enum) == 0 && p.items == nil && len(p.anyOf) == 0
}

// merge adds what q says and p doesn't.
func (p *plain) merge(q *plain) {
	if len(p.types) == 0 {
		p.types = q.types
	}
	if p.description == "" {
		p.description = q.description
	}
	if len(p.enum) == 0 {
		p.enum = q.enum
	}
	if p.items == nil {
		p.items = q.items
	}
	if len(p.anyOf) == 0 {
		p.anyOf = q.anyOf
	}
	if p.others == nil {
		p.others = q.others
	}
	p.closed = p.closed || q.closed
	p.adopt(q)
	for _, name := range q.required {
		if !slices.Contains(p.required, name) {
			p.required = append(p.required, name)
		}
	}
}

// adopt adds the properties of q that p hasn't.
func (p *plain) adopt(q *plain) {
	for _, prop := range q.properties {
		if !slices.ContainsFunc(p.properties, func(have property) bool { return have.name == prop.name }) {
			p.properties = append(p.properties, prop)
		}
	}
}

// union adds the properties of alternatives; required is what all require.
func (p *plain) union(alternatives []*plain) {
	some := &plain{}
	for i, a := range alternatives {
		for _, prop := range a.properties {
			at := slices.IndexFunc(some.properties, func(have property) bool { return have.name == prop.name })
			if at < 0 {
				some.properties = append(some.properties, prop)
			} else {
				some.properties[at].schema = either(some.properties[at].schema, prop.schema)
			}
		}
		if i == 0 {
			some.required = slices.Clone(a.required)
		}
		some.required = slices.DeleteFunc(some.required, func(name string) bool { return !slices.Contains(a.required, name) })
	}
	p.merge(some)
}

// either is a schema for what fits p or q, such as the "kind" of alternatives.
func either(p, q *plain) *plain {
	both := *p
	if !slices.Equal(p.types, q.types) {
		both = plain{description: p.description}
	}
	both.enum = nil
	if len(p.enum) > 0 && len(q.enum) > 0 {
		both.enum = slices.Clone(p.enum)
		for _, v := range q.enum {
			if !slices.ContainsFunc(both.enum, func(have json.RawMessage) bool { return string(have) == string(v) }) {
				both.enum = append(both.enum, v)
			}
		}
	}
	both.properties, both.required = slices.Clone(p.properties), nil
	both.adopt(q)
	return &both
}
