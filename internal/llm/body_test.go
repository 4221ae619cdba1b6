package llm

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mini-me/mm/internal/llm/llmtest"
)

// bodies keeps what a client sends.
type bodies struct {
	mu  sync.Mutex
	all [][]byte
}

func (b *bodies) keep(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		b.mu.Lock()
		b.all = append(b.all, body)
		b.mu.Unlock()
		next(w, r)
	}
}

func conversation() []Message {
	return []Message{
		{Role: RoleSystem, Content: "Be brief."},
		{Role: RoleUser, Content: "Look <here> & \"there\"\n\u2028\x01\xff"},
		{Role: RoleAssistant, Thought: "Hm.", ThoughtField: "reasoning", Calls: []Call{
			{ID: "c00000001", Name: "read_file", Arguments: `{"path": "a"}`, Bad: "not sent"},
			{ID: "c00000002", Name: "pwd", Arguments: "{}"}}},
		{Role: RoleTool, CallID: "c00000001", Content: "one"},
		{Role: RoleTool, CallID: "c00000002", Content: "two"},
		{Role: RoleAssistant, Content: "Done.", Thought: "Think.", ThoughtField: ThinkTag},
		{Role: RoleUser, Content: "More."},
	}
}

func TestRequestsSuitStrictServers(t *testing.T) {
	two := 2.5
	seed := int64(7)
	c := newClient(t, Options{Provider: LlamaCPP, Model: "m", Temperature: 0.6, TopP: &two, Seed: &seed, ReasoningEffort: "low",
		ExtraBody: map[string]any{"top_k": 20, "seed": 8, "messages": "no", "chat_template_kwargs": map[string]any{"enable_thinking": false}}})
	body, err := c.body(c.target(), &Request{Messages: conversation(), Tools: offered()[:1], Format: &Format{Name: "f", Schema: json.RawMessage(`{"type":"object"}`)}}, limits{})
	if err != nil {
		t.Fatal(err)
	}
	if problems := llmtest.Check(body); len(problems) > 0 {
		t.Errorf("%s\n%s", strings.Join(problems, "\n"), body)
	}
	want := `{"model":"m","stream":true,"stream_options":{"include_usage":true},"temperature":0.6,"max_tokens":4096,"top_p":2.5,"seed":8,` +
		`"reasoning_effort":"low","cache_prompt":true,"return_progress":true,` +
		`"response_format":{"type":"json_schema","json_schema":{"name":"f","schema":{"type":"object"}}},"parallel_tool_calls":true,` +
		`"tools":[{"type":"function","function":{"name":"read_file","description":"read_file","parameters":{"type":"object","properties":{"pattern":{"type":"string"},"n":{"type":"integer"}}}}}],` +
		`"chat_template_kwargs":{"enable_thinking":false},"top_k":20,"messages":[` +
		`{"role":"system","content":"Be brief."},` +
		`{"role":"user","content":"Look <here> & \"there\"\n` + "\u2028" + `\u0001` + "\uFFFD" + `"},` +
		`{"role":"assistant","reasoning":"Hm.","tool_calls":[{"id":"c00000001","type":"function","function":{"name":"read_file","arguments":"{\"path\": \"a\"}"}},` +
		`{"id":"c00000002","type":"function","function":{"name":"pwd","arguments":"{}"}}]},` +
		`{"role":"tool","tool_call_id":"c00000001","content":"one"},{"role":"tool","tool_call_id":"c00000002","content":"two"},` +
		`{"role":"assistant","content":"<think>\nThink.\n</think>\n\nDone."},{"role":"user","content":"More."}]}`
	if string(body) != want {
		t.Errorf("got\n%s\nwant\n%s", body, want)
	}
}

func TestBodiesStartWithTheOneBefore(t *testing.T) {
	for _, mode := range []string{"native", "text"} {
		c := newClient(t, Options{Provider: Ollama, Model: "m", ToolCalls: mode})
		var before []byte
		all := conversation()
		for n := 2; n <= len(all); n++ {
			if all[n-1].Role == RoleAssistant || n < len(all) && all[n].Role == RoleTool {
				continue // no request is made there
			}
			body, err := c.body(c.target(), &Request{Messages: all[:n], Tools: offered()}, limits{})
			if err != nil {
				t.Fatal(err)
			}
			if problems := llmtest.Check(body); len(problems) > 0 {
				t.Errorf("%s: %s", mode, strings.Join(problems, "\n"))
			}
			if !bytes.HasPrefix(body, bytes.TrimSuffix(before, []byte("]}"))) {
				t.Errorf("%s:\n%s\n%s", mode, before, body)
			}
			before = body
		}
	}
}

func TestAChangedMessageIsEncodedAnew(t *testing.T) {
	m := conversation()[2]
	first := string(m.encode())
	if string(m.encode()) != first {
		t.Error("two encodings differ")
	}
	m.Calls[0].Name = "other"
	if got := string(m.encode()); !strings.Contains(got, "other") {
		t.Errorf("got %s", got)
	}
	kept := m
	kept.Content = "new"
	if got := string(kept.encode()); !strings.Contains(got, "new") || strings.Contains(string(m.encode()), "new") {
		t.Errorf("got %s and %s", got, m.encode())
	}
}

func TestAServerWithoutToolsGetsThemInThePrompt(t *testing.T) {
	var sent bodies
	base := busy(t, sent.keep(refuses(400, `{"error":{"message":"\"gemma:2b\" does not support tools"}}`)),
		sent.keep(says(`{"choices":[{"delta":{"content":"Now.\n<tool_call>\n{\"name\": \"pwd\", \"arguments\": {}}\n</tool_call>"},"finish_reason":"stop"}]}`)),
		sent.keep(says(okEvent)))
	c := testClient(t, base, &clock{})
	history := conversation()
	reply, told, err := ask(c, history...)
	if err != nil || len(reply.Message.Calls) != 1 || reply.Message.Calls[0].Name != "pwd" || reply.Message.Calls[0].ID != "c00000003" {
		t.Fatalf("%+v, %v", reply, err)
	}
	if told[0] != "notice this server takes no tools: calls are declared in the prompt" || told[1] != "text Now.\n" {
		t.Errorf("told %q", told)
	}
	history = append(history, reply.Message, Message{Role: RoleTool, CallID: "c00000003", Content: "/tmp"})
	_, told, err = ask(c, history...)
	if err != nil || !slices.Equal(told, []string{"text ok"}) {
		t.Errorf("told %q, %v", told, err)
	}
	var last struct {
		Tools    any
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal(sent.all[2], &last); err != nil || last.Tools != nil {
		t.Fatal(err, last.Tools)
	}
	roles, texts := "", ""
	for _, m := range last.Messages {
		roles += m.Role + " "
		texts += m.Content + "\n---\n"
	}
	if roles != "system user assistant user assistant user assistant user " {
		t.Errorf("roles: %s", roles)
	}
	for _, want := range []string{
		"Be brief.\n\n# Tools\n", "\n" + `{"name":"pwd","description":"pwd","parameters":{"type":"object"`,
		"<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}\n</tool_call>\n<tool_call>\n",
		"<tool_response>\none\n</tool_response>\n\n<tool_response>\ntwo\n</tool_response>",
		"---\nNow.\n<tool_call>\n{\"name\": \"pwd\", \"arguments\": {}}\n</tool_call>\n---\n<tool_response>\n/tmp\n</tool_response>",
	} {
		if !strings.Contains(texts, want) {
			t.Errorf("%q isn't in\n%s", want, texts)
		}
	}
}

func TestMembersThatAServerRefusesAreLeftOut(t *testing.T) {
	var sent bodies
	base := busy(t,
		sent.keep(refuses(400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens"}}`)),
		sent.keep(refuses(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","param":"temperature"}}`)),
		sent.keep(refuses(422, `{"detail":[{"msg":"extra fields not permitted: parallel_tool_calls"}]}`)),
		sent.keep(says(okEvent)))
	c := testClient(t, base, &clock{})
	for range 2 {
		if _, _, err := ask(c); err != nil {
			t.Fatal(err)
		}
	}
	if len(sent.all) != 5 {
		t.Fatalf("%d requests", len(sent.all))
	}
	for _, body := range sent.all[3:] {
		if s := string(body); !strings.Contains(s, `"max_completion_tokens":4096`) || strings.Contains(s, "temperature") || strings.Contains(s, "parallel_tool_calls") {
			t.Errorf("sent %s", s)
		}
	}
}

func TestAnAnswerIsMadeToFitBesideThePrompt(t *testing.T) {
	var sent bodies
	refusal := `{"error":{"message":"This model's maximum context length is 32768 tokens. However, your request has 30012 input tokens plus 4096 'max_tokens', which exceeds it.","type":"BadRequestError","code":400}}`
	base := busy(t, sent.keep(refuses(400, refusal)), sent.keep(says(okEvent)))
	if _, _, err := ask(testClient(t, base, &clock{})); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(sent.all[1]), `"max_tokens":2740,`) {
		t.Errorf("sent %s", sent.all[1])
	}
	_, _, err := ask(testClient(t, busy(t, refuses(400, refusal)), &clock{}))
	if err == nil {
		t.Error("asked for ever")
	}
}

func TestAnEmptyAnswerToALargePromptIsAnOverflow(t *testing.T) {
	answer := says(`{"choices":[{"delta":{},"finish_reason":"stop"}]}`, `{"choices":[],"usage":{"prompt_tokens":36012,"completion_tokens":0}}`)
	c := newClient(t, Options{Provider: LMStudio, BaseURL: busy(t, answer), Model: "m", ContextWindow: 4096})
	_, _, err := ask(c)
	if e, ok := err.(*Error); !ok || e.Kind != KindContext || e.PromptTokens != 36012 || e.Context != 4096 {
		t.Errorf("got %v", err)
	}
}

func TestIDsAreUniqueInTheConversation(t *testing.T) {
	call := func(id string) string {
		return `{"choices":[{"delta":{"tool_calls":[{"id":` + id + `,"function":{"name":"pwd"}}]}}]}`
	}
	base := busy(t, says(call(`"AbCdEfGh9"`), call(`"AbCdEfGh9"`), call(`""`), call("null"), call(`"c00000001"`), call(`"call_123"`), call(`"é12345678"`), okEvent))
	reply, _, err := ask(testClient(t, base, &clock{}), conversation()...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range reply.Message.Calls {
		got = append(got, c.ID)
	}
	if want := []string{"AbCdEfGh9", "c00000003", "c00000004", "c00000005", "c00000006", "c00000007", "c00000008"}; !slices.Equal(got, want) {
		t.Errorf("ids %q", got)
	}
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "{}",
		" ":                            "{}",
		"null":                         "{}",
		`{"a":1}`:                      `{"a":1}`,
		`{"a":[1,2,],}`:                `{"a":[1,2]}`,
		`{"a":{"b":[1`:                 `{"a":{"b":[1]}}`,
		`{"a":1,`:                      `{"a":1}`,
		`"{\"a\":1}"`:                  `{"a":1}`,
		`"{\"a\":1,}"`:                 `{"a":1}`,
		`{"a":",]"}`:                   `{"a":",]"}`,
		`{"a":"x`:                      "bad: not valid JSON",
		`{"a":`:                        "bad: not valid JSON",
		`{'a':1}`:                      "bad: not valid JSON",
		`{"a":1}}`:                     "bad: not valid JSON",
		`{"a":1]`:                      "bad: not valid JSON",
		`[1]`:                          "bad: must be a JSON object, got a list",
		`"ls"`:                         "bad: must be a JSON object, got a string",
		`7`:                            "bad: must be a JSON object, got a number",
		`true`:                         "bad: must be a JSON object, got a boolean",
		`"\"{\\\"a\\\":1}\""`:          "bad: must be a JSON object, got a string",
		"{\"a\":\"line\nend\"}":        "bad: not valid JSON",
		"{}\f":                         "{}", // as the fuzzer found: white space that JSON doesn't know
		"{\"a\":1}\n":                  "{\"a\":1}\n",
		`{"command":"ls"} {"command":`: "bad: not valid JSON",
	} {
		got, bad := repairArguments(in, false)
		if text, isBad := strings.CutPrefix(want, "bad: "); isBad {
			if got != "{}" || !strings.Contains(bad, text) {
				t.Errorf("%s: got %s, %q", in, got, bad)
			}
		} else if got != want || bad != "" {
			t.Errorf("%s: got %s, %q, want %s", in, got, bad, want)
		}
	}
	if got, bad := repairArguments(`{"a":{"b":1`, true); got != "{}" || !strings.Contains(bad, "cut off") {
		t.Errorf("a cut answer: got %s, %q", got, bad)
	}
}
