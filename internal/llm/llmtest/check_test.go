package llmtest

import (
	"strings"
	"testing"
)

const head = `{"stream":true,"temperature":0,"max_tokens":9,"messages":[`

func TestCheckTakesAGoodHistory(t *testing.T) {
	good := head + `{"role":"system","content":"s"},{"role":"user","content":"u"},
		{"role":"assistant","tool_calls":[{"id":"abcdefgh1","type":"function","function":{"name":"a","arguments":"{}"}},
			{"id":"abcdefgh2","type":"function","function":{"name":"a","arguments":"{\"x\":1}"}}]},
		{"role":"tool","tool_call_id":"abcdefgh1","content":"r"},{"role":"tool","tool_call_id":"abcdefgh2","content":"r"},
		{"role":"assistant","content":"done"},{"role":"user","content":"more"}]}`
	if p := Check([]byte(good)); len(p) > 0 {
		t.Errorf("problems: %s", strings.Join(p, "; "))
	}
}

func TestCheckFindsWhatStrictServersRefuse(t *testing.T) {
	call := func(id, args string) string {
		return `{"role":"assistant","tool_calls":[{"id":"` + id + `","type":"function","function":{"name":"a","arguments":"` + args + `"}}]}`
	}
	const user = `{"role":"user","content":"u"}`
	for name, c := range map[string]struct{ messages, want string }{
		"null content":      {`{"role":"user","content":null}`, "content is null"},
		"empty content":     {`{"role":"user","content":""}`, `content is ""`},
		"no content":        {user + `,{"role":"assistant"},` + user, "no content"},
		"late system":       {user + `,{"role":"system","content":"s"},` + user, `"system" can't follow "user"`},
		"two users":         {user + `,` + user, `"user" can't follow "user"`},
		"assistant last":    {user + `,{"role":"assistant","content":"a"}`, "the last message is the assistant's"},
		"assistant first":   {`{"role":"assistant","content":"a"},` + user, `"assistant" can't follow ""`},
		"no result":         {user + `,` + call("abcdefgh1", "{}"), "have no result"},
		"no result between": {user + `,` + call("abcdefgh1", "{}") + `,` + user, "have no result"},
		"user after result": {user + `,` + call("abcdefgh1", "{}") + `,{"role":"tool","tool_call_id":"abcdefgh1","content":"r"},` + user, `"user" can't follow "tool"`},
		"wrong result":      {user + `,` + call("abcdefgh1", "{}") + `,{"role":"tool","tool_call_id":"abcdefgh2","content":"r"}`, "expected"},
		"long id":           {user + `,` + call("call_1", "{}"), "nine letters"},
		"bad arguments":     {user + `,` + call("abcdefgh1", "{"), "aren't a JSON object"},
		"a list":            {user + `,` + call("abcdefgh1", "[]"), "aren't a JSON object"},
	} {
		got := strings.Join(Check([]byte(head+c.messages+`]}`)), "; ")
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
