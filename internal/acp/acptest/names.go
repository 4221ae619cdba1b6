package acptest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// later are the names that are stable upstream, but only in the unstable schema here.
var later = []string{"subagents", "plan", "systemPrompt"}

// checkNames finds members that no branch of their type has. The protocol ignores unknown names, so
// a misspelled one passes every schema and never arrives.
func (s *Schema) checkNames(d *definitions, name string, v any) error {
	var unknown []string
	d.names([]any{d.defs[name]}, v, name, &unknown)
	unknown = slices.DeleteFunc(unknown, func(path string) bool {
		return slices.Contains(later, path[strings.LastIndexByte(path, '.')+1:])
	})
	if len(unknown) > 0 {
		return fmt.Errorf("unknown names: %s", strings.Join(unknown, ", "))
	}
	return nil
}

// names walks a value beside the nodes of the schema that may describe it.
func (d *definitions) names(nodes []any, v any, path string, unknown *[]string) {
	flat := d.flatten(nodes)
	switch v := v.(type) {
	case map[string]any:
		props, open := properties(flat)
		for key, val := range v {
			switch sub := props[key]; {
			case sub != nil:
				d.names(sub, val, path+"."+key, unknown)
			case open != nil:
				d.names(open, val, path+"."+key, unknown)
			case len(props) > 0:
				*unknown = append(*unknown, path+"."+key)
			}
		}
	case []any:
		var items []any
		for _, n := range flat {
			if n["items"] != nil {
				items = append(items, n["items"])
			}
		}
		for i, val := range v {
			d.names(items, val, path+"["+strconv.Itoa(i)+"]", unknown)
		}
	}
}

// properties collects what nodes say of an object's members; open describes those that have no
// name of their own, nil when there may be none.
func properties(flat []map[string]any) (props map[string][]any, open []any) {
	props = map[string][]any{}
	for _, n := range flat {
		named, _ := n["properties"].(map[string]any)
		for key, sub := range named {
			props[key] = append(props[key], sub)
		}
		if extra := n["additionalProperties"]; extra != nil && extra != false {
			open = append(open, extra)
		}
	}
	return props, open
}

// flatten follows references and alternatives.
func (d *definitions) flatten(nodes []any) []map[string]any {
	var flat []map[string]any
	for _, n := range nodes {
		n, ok := n.(map[string]any)
		if !ok {
			continue
		}
		flat = append(flat, n)
		var next []any
		if ref, _ := n["$ref"].(string); ref != "" {
			next = append(next, d.defs[strings.TrimPrefix(ref, "#/$defs/")])
		}
		for _, word := range []string{"allOf", "anyOf", "oneOf"} {
			branches, _ := n[word].([]any)
			next = append(next, branches...)
		}
		flat = append(flat, d.flatten(next)...)
	}
	return flat
}

// oneLine is the rule for messages of errors.
func oneLine(message string) error {
	if message == "" || len(message) > 1000 || strings.ContainsAny(message, "\r\n") {
		return errors.New("the message of an error must be one short line")
	}
	return nil
}
