package agents

import (
	"bytes"
	"encoding/json"
	"math"

	"gopkg.in/yaml.v3"
)

// json reads a map of anything that JSON can hold, and keeps the order of its keys: models read
// the keys of a schema in that order.
func (w *walker) json(n *yaml.Node, s *spec) (json.RawMessage, bool) {
	target := w.resolve(n)
	if target == nil {
		return nil, false
	}
	if isNothing(target) && s.nullable {
		return json.RawMessage("{}"), true
	}
	if target.Kind != yaml.MappingNode {
		w.wrong(target, s, "a map")
		return nil, false
	}
	var out bytes.Buffer
	before := len(w.problems)
	w.writeJSON(&out, n)
	if len(w.problems) > before || !json.Valid(out.Bytes()) {
		return nil, false
	}
	return out.Bytes(), true
}

func (w *walker) writeJSON(out *bytes.Buffer, n *yaml.Node) {
	at := n
	if n = w.resolve(n); n == nil {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		out.WriteByte('{')
		w.into(at, n, func() {
			for i, p := range w.entries(n) {
				if i > 0 {
					out.WriteByte(',')
				}
				writeJSONText(out, p.name)
				out.WriteByte(':')
				w.in(p.name, func() { w.writeJSON(out, p.value) })
			}
		})
		out.WriteByte('}')
	case yaml.SequenceNode:
		out.WriteByte('[')
		w.into(at, n, func() {
			for i, item := range n.Content {
				if i > 0 {
					out.WriteByte(',')
				}
				w.at(step{item: i + 1}, func() { w.writeJSON(out, item) })
			}
		})
		out.WriteByte(']')
	default:
		w.writeJSONScalar(out, n)
	}
}

func (w *walker) writeJSONScalar(out *bytes.Buffer, n *yaml.Node) {
	switch n.ShortTag() {
	case "!!str", "!!timestamp": // JSON has no dates: they stay as they are written
		writeJSONText(out, n.Value)
		return
	case "!!null", "!!bool", "!!int", "!!float":
		var v any
		if n.Decode(&v) != nil {
			break
		}
		if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			break
		}
		if data, err := json.Marshal(v); err == nil {
			out.Write(data)
			return
		}
	}
	w.problem(n, "JSON, which %s becomes, can't hold %s", w.name(), describe(n, false))
}

func writeJSONText(out *bytes.Buffer, text string) {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) == nil {
		out.Truncate(out.Len() - 1) // the encoder ends with a line end
	}
}

// jsonMap makes a map of a JSON object. Its numbers stay as they are written.
func jsonMap(object json.RawMessage) map[string]any {
	if object == nil {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(object))
	dec.UseNumber()
	var m map[string]any
	if dec.Decode(&m) != nil {
		return nil
	}
	return m
}
