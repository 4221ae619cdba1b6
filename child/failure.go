package child

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/mini-me/mm/internal/acp"
)

// turnError makes a TurnError of an error response; other errors stay.
func turnError(err error) error {
	e, ok := errors.AsType[*acp.Error](err)
	if !ok {
		return err
	}
	t := &TurnError{Code: e.Code, Message: e.Message}
	if e.Data == nil {
		return t
	}
	var data struct {
		Where string `json:"where"`
	}
	_ = json.Unmarshal(*e.Data, &data) // only mm tells it
	t.Where = data.Where
	switch d := detail(*e.Data); {
	case d == "" || strings.Contains(t.Message, d):
	case strings.HasPrefix(d, strings.TrimSuffix(t.Message, "…")):
		t.Message = d // which was cut
	default:
		t.Message = strings.TrimSuffix(t.Message, ".") + ": " + d
	}
	return t
}

// maxDetail bounds what is told of an error beside its message, in characters.
const maxDetail = 500

// detail is what an agent tells of an error beside its message, in one line: of the TypeScript SDK's
// errors, which are most agents', the message says "Internal error" and data.details the rest.
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
