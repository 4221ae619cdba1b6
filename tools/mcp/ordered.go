package mcp

import (
	"bytes"
	"encoding/json"
)

// object is a JSON object in the order in which it was written.
type object []member

type member struct {
	key   string
	value json.RawMessage
}

// parseObject reads an object; ok is false for any other JSON value.
func parseObject(raw json.RawMessage) (o object, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, false
		}
		name, _ := key.(string)
		o = append(o, member{name, value})
	}
	_, err := dec.Token()
	return o, err == nil
}

// get returns the value of a key, nil where there is none.
func (o object) get(key string) json.RawMessage {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// text returns a key's value if it is a string.
func (o object) text(key string) string {
	var s string
	_ = json.Unmarshal(o.get(key), &s) // anything else is no text
	return s
}

// list returns a key's values if it is an array.
func (o object) list(key string) []json.RawMessage {
	var l []json.RawMessage
	_ = json.Unmarshal(o.get(key), &l) // anything else is no list
	return l
}

// texts returns those of a key's values that are strings.
func (o object) texts(key string) []string {
	var out []string
	for _, raw := range o.list(key) {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			out = append(out, s)
		}
	}
	return out
}

// writeText writes s as JSON without escaping what HTML would mind: a schema is read by models.
func writeText(b *bytes.Buffer, s string) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	b.Truncate(b.Len() - 1)
}
