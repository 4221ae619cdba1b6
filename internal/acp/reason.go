package acp

import (
	"encoding/json"
	"strings"
)

// maxDetail bounds what is told of an error beside its message, in characters.
const maxDetail = 500

// Reason is what an error response says, for people: its message, and what its data tells beside that.
func Reason(e *Error) string {
	if e.Data == nil {
		return e.Message
	}
	switch d := detail(*e.Data); {
	case d == "" || strings.Contains(e.Message, d):
		return e.Message
	case strings.HasPrefix(d, strings.TrimSuffix(e.Message, "…")):
		return d // which was cut
	default:
		return strings.TrimSuffix(e.Message, ".") + ": " + d
	}
}

// detail is what a peer tells of an error beside its message, in one line: of the TypeScript SDK's
// errors, which are most peers', the message says "Internal error" and data.details the rest.
func detail(data []byte) string {
	var text string
	if json.Unmarshal(data, &text) != nil {
		var object struct {
			Details, Message json.RawMessage
		}
		if json.Unmarshal(data, &object) != nil {
			return ""
		}
		if json.Unmarshal(object.Details, &text) != nil && json.Unmarshal(object.Message, &text) != nil {
			return ""
		}
	}
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > maxDetail {
		text = string(r[:maxDetail-1]) + "…"
	}
	return text
}
