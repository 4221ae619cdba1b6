package llm

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
)

// calls reads the calls of a whole markup. None means that it is no call after all.
func (m *markup) calls(b []byte, tools []Tool) []*rawCall {
	if m.form == 'x' {
		if c := taggedCall(b[len(m.mark):m.tail], tools); c != nil {
			return []*rawCall{c}
		}
		return nil
	}
	doc := b[m.head:m.tail]
	if doc[0] == '[' {
		return listedCalls(doc)
	}
	if name, ok := m.nameBefore(b); ok {
		return []*rawCall{{name: name, args: bytes.Clone(doc)}}
	}
	if c := objectCall(doc); c != nil {
		return []*rawCall{c}
	}
	return nil
}

// nameBefore is the name in [TOOL_CALLS]NAME[ARGS]{…}.
func (m *markup) nameBefore(b []byte) (string, bool) {
	if m.mark != markMistral {
		return "", false
	}
	before := string(b[len(m.mark):m.head])
	name, _, ok := strings.Cut(before, argsMistral)
	name, _, _ = strings.Cut(name, "[CALL_ID]")
	return strings.TrimSpace(name), ok
}

// essence is the part of a markup that names the call: what is looked for in the history.
func (m *markup) essence(b []byte) []byte {
	if m.form == 'x' || m.mark == markMistral {
		return b[:m.tail]
	}
	return b[m.head:m.tail]
}

// objectCall reads {"name": …, "arguments": {…}}, its arguments as they were written.
func objectCall(doc []byte) *rawCall {
	c, ok := readCall(doc)
	if !ok {
		if c, ok = readCall([]byte(closeBrackets(string(doc)))); !ok {
			return brokenCall(doc)
		}
	}
	if c.name == "" {
		return nil
	}
	return c
}

func readCall(doc []byte) (*rawCall, bool) {
	c := &rawCall{}
	cur := cursor{b: doc}
	cur.object(func(key []byte) {
		switch string(key) {
		case "name":
			name, _ := cur.str()
			c.name = string(name)
		case "arguments", "parameters":
			c.args = bytes.Clone(cur.raw())
		default:
			cur.skip()
		}
	})
	return c, cur.end()
}

// brokenCall saves the name of a call whose JSON can't be mended, so that the model can be told
// what is wrong with its arguments.
func brokenCall(doc []byte) *rawCall {
	name := regexp.MustCompile(`^\{\s*"name"\s*:\s*"([^"\\]+)"\s*,\s*"(?:arguments|parameters)"\s*:\s*`).FindSubmatchIndex(doc)
	if name == nil {
		return nil
	}
	return &rawCall{name: string(doc[name[2]:name[3]]), args: bytes.Clone(doc[name[1]:])}
}

func listedCalls(doc []byte) []*rawCall {
	var items []json.RawMessage
	if json.Unmarshal(doc, &items) != nil && json.Unmarshal([]byte(closeBrackets(string(doc))), &items) != nil {
		return nil
	}
	var calls []*rawCall
	for _, item := range items {
		c := objectCall(item)
		if c == nil {
			return nil
		}
		calls = append(calls, c)
	}
	return calls
}

// taggedCall reads <function=NAME><parameter=KEY>VALUE</parameter>…</function>: "values are raw
// text without the one line end at each side". A value whose parameter isn't a text in the tool's
// schema is taken as JSON where it is that.
func taggedCall(b []byte, tools []Tool) *rawCall {
	rest := strings.TrimSpace(string(b))
	rest = strings.TrimPrefix(rest, openFunction)
	name, rest, ok := strings.Cut(rest, ">")
	name = strings.Trim(strings.TrimSpace(name), `"`)
	if !ok || name == "" || strings.ContainsAny(name, "\n<") {
		return nil
	}
	rest = strings.TrimSuffix(strings.TrimSpace(rest), endFunction)
	types := parameterTypes(tools, name)
	args := []byte{'{'}
	for {
		key, value, left, ok := nextParameter(rest)
		if !ok {
			break
		}
		if len(args) > 1 {
			args = append(args, ',')
		}
		args = append(appendString(args, key), ':')
		args = appendValue(args, value, types[key])
		rest = left
	}
	if strings.TrimSpace(rest) != "" {
		return nil
	}
	return &rawCall{name: name, args: append(args, '}')}
}

const (
	openParameter = "<parameter="
	endParameter  = "</parameter>"
)

// nextParameter reads one parameter. Its value ends at the first closing tag that is followed by
// another parameter or by nothing: the value may hold such a tag itself.
func nextParameter(s string) (key, value, rest string, ok bool) {
	s = strings.TrimSpace(s)
	if !strings.HasPrefix(s, openParameter) {
		return "", "", s, false
	}
	key, s, ok = strings.Cut(s[len(openParameter):], ">")
	if !ok {
		return "", "", s, false
	}
	end := -1
	for from := 0; ; {
		i := strings.Index(s[from:], endParameter)
		if i < 0 {
			break
		}
		end = from + i
		from = end + len(endParameter)
		if after := strings.TrimLeft(s[from:], " \t\r\n"); after == "" || strings.HasPrefix(after, openParameter) {
			return strings.Trim(key, `"`), oneLineEnd(s[:end]), s[from:], true
		}
	}
	if end >= 0 {
		return key, oneLineEnd(s[:end]), s[end+len(endParameter):], true
	}
	return key, oneLineEnd(s), "", true // its closing tag is missing
}

// oneLineEnd takes one line end from each side.
func oneLineEnd(s string) string {
	if t, ok := strings.CutPrefix(s, "\r\n"); ok {
		s = t
	} else {
		s = strings.TrimPrefix(s, "\n")
	}
	if t, ok := strings.CutSuffix(s, "\r\n"); ok {
		return t
	}
	return strings.TrimSuffix(s, "\n")
}

// parameterTypes are the types of a tool's parameters, as its schema names them.
func parameterTypes(tools []Tool, name string) map[string]string {
	types := map[string]string{}
	for _, t := range tools {
		if t.Name != name {
			continue
		}
		var schema struct {
			Properties map[string]struct {
				Type any `json:"type"`
			} `json:"properties"`
		}
		if json.Unmarshal(t.Parameters, &schema) == nil {
			for key, p := range schema.Properties {
				types[key], _ = p.Type.(string)
			}
		}
	}
	return types
}

func appendValue(b []byte, value, kind string) []byte {
	trimmed := strings.TrimSpace(value)
	if json.Valid([]byte(trimmed)) && isKind(trimmed, kind) {
		return append(b, trimmed...)
	}
	return appendString(b, value)
}

// isKind reports whether a JSON text is of a schema's type.
func isKind(text, kind string) bool {
	switch kind {
	case "integer":
		_, err := strconv.ParseInt(text, 10, 64)
		return err == nil
	case "number":
		return strings.ContainsRune("-0123456789", rune(text[0]))
	case "boolean":
		return text == "true" || text == "false"
	case "object":
		return text[0] == '{'
	case "array":
		return text[0] == '['
	}
	return false
}
