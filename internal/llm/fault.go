package llm

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// wireError is an error as a server sent it, in a stream or as a refusal.
type wireError struct {
	message string
	kind    string // its "type"
	code    string
	param   string
	detail  string // the words of a provider behind a gateway

	promptTokens, context int
}

// parseFault reads an error document in all the shapes that servers give it:
// {"error":{…}}, {"error":"text"}, {"object":"error",…}, {"type":"error",…},
// {"error_type":…,"error_message":…}, {"detail":…}, the bare object, the bare text, and any of
// these as JSON inside the message of another.
func parseFault(doc []byte) *wireError {
	var v any
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return &wireError{message: firstLine(string(doc))}
	}
	e := &wireError{}
	e.read(v)
	if e.message == "" {
		e.message = firstLine(string(doc))
	}
	return e
}

func (e *wireError) read(v any) {
	switch v := v.(type) {
	case string:
		e.text(v)
	case []any:
		if len(v) > 0 {
			e.read(v[0])
		}
	case map[string]any:
		e.members(v)
	}
}

// text takes a message; one that is itself an error document is unwrapped.
func (e *wireError) text(s string) {
	if trimmed := strings.TrimSpace(s); strings.HasPrefix(trimmed, "{") {
		var v map[string]any
		dec := json.NewDecoder(strings.NewReader(trimmed))
		dec.UseNumber()
		if dec.Decode(&v) == nil && (v["error"] != nil || v["message"] != nil) {
			e.members(v)
			return
		}
	}
	e.message = strings.TrimSpace(s)
}

func (e *wireError) members(m map[string]any) {
	if inner := m["error"]; inner != nil && inner != "" {
		e.read(inner)
		return
	}
	e.kind = text(m["type"], m["error_type"])
	e.code = text(m["code"])
	e.param = text(m["param"])
	e.promptTokens, e.context = whole(m["n_prompt_tokens"]), whole(m["n_ctx"])
	if meta, ok := m["metadata"].(map[string]any); ok {
		e.detail = firstLine(text(meta["raw"]))
	}
	for _, key := range []string{"message", "error_message", "msg", "detail"} {
		if e.message == "" && m[key] != nil {
			e.read(m[key])
		}
	}
}

// text returns the first of the values that is a text or a number.
func text(values ...any) string {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			return v
		case json.Number:
			return v.String()
		}
	}
	return ""
}

func whole(v any) int {
	n, err := strconv.Atoi(text(v))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// maxLine is how many bytes of a text that isn't JSON go into a message.
const maxLine = 300

// firstLine is the first line of a text that has one.
func firstLine(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD"))
	s, _, _ = strings.Cut(s, "\n")
	s = strings.TrimSpace(s)
	if len(s) > maxLine {
		s = strings.ToValidUTF8(s[:maxLine], "") + "…"
	}
	return s
}
