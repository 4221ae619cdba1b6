package child

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
)

// TestErrorsOfAgentsSayWhy: agents made with the TypeScript SDK failed with "Internal error" and
// nothing else.
func TestErrorsOfAgentsSayWhy(t *testing.T) {
	for _, c := range []struct{ message, data, want string }{
		{"Internal error", `{"details":"Connection error."}`, "Internal error: Connection error."},
		{"Internal error", `{"details":"one\n  two"}`, "Internal error: one two"},
		{"Internal error", `{"message":"no such model"}`, "Internal error: no such model"},
		{"Internal error", `"out of tokens"`, "Internal error: out of tokens"},
		{"Internal error: it rains", `{"details":"it rains"}`, "Internal error: it rains"},
		{"Internal error", `{"details":{"code":7}}`, "Internal error"},
		{"Internal error", `{"details":""}`, "Internal error"},
		{"Internal error", `[1]`, "Internal error"},
		{"Internal error", `null`, "Internal error"},
		{"[error: bad things", `{"where":"generation","details":"[error: bad things\nand what to do]"}`, "bad things and what to do"},
		{"so long…", `{"details":"so long and thanks"}`, "so long and thanks"},
		{"the model is gone", `{"where":"generation"}`, "the model is gone"},
	} {
		data := json.RawMessage(c.data)
		if got := turnError(&acp.Error{Code: acp.CodeInternal, Message: c.message, Data: &data}).Error(); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.message, c.data, got, c.want)
		}
	}
	data := json.RawMessage(`{"details":"` + strings.Repeat("é", 10*500) + `"}`)
	if got := turnError(&acp.Error{Message: "Internal error", Data: &data}).Error(); len([]rune(got)) > 2*500 {
		t.Errorf("%d characters", len([]rune(got)))
	}
}
