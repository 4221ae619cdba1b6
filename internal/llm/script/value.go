package script

import (
	"encoding/json"
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// value is what stands under "arguments": a tree whose keys keep their order, with texts in which
// groups are filled in.
type value struct{ node *yaml.Node }

// text is the value as a model writes it: a YAML text as it is, anything else as JSON.
func (v value) text(fill func(string) string) string {
	if v.node == nil {
		return "{}"
	}
	if v.node.Kind == yaml.ScalarNode && v.node.ShortTag() == "!!str" {
		return fill(v.node.Value)
	}
	var b strings.Builder
	writeJSON(&b, v.node, fill)
	return b.String()
}

func writeJSON(b *strings.Builder, n *yaml.Node, fill func(string) string) {
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		for i := 0; i+1 < len(n.Content); i += 2 {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quote(n.Content[i].Value))
			b.WriteByte(':')
			writeJSON(b, n.Content[i+1], fill)
		}
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, item := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			writeJSON(b, item, fill)
		}
		b.WriteByte(']')
	default:
		b.WriteString(scalar(n, fill))
	}
}

// scalar writes a number, a boolean, null or a text.
func scalar(n *yaml.Node, fill func(string) string) string {
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool", "!!null":
		var v any
		if n.Decode(&v) == nil {
			if data, err := json.Marshal(v); err == nil {
				return string(data)
			}
		}
	}
	return quote(fill(n.Value))
}

// quote writes a JSON string without the escapes for HTML.
func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return fmt.Sprintf("%q", s)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
