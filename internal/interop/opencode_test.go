//go:build linux

package interop

import (
	"encoding/json"
	"fmt"
	"testing"
)

// opencode is another agent, with settings of its own.
type opencode struct{ *foreign }

// opencodeModel is opencode's model: it talks, writes a file, runs a command, asks an agent of
// opencode's own, or answers nothing for a long time.
const opencodeModel = `
- when: {system: "title generator"}
  reply: "a title"
- when: {user: "^write"}
  reply: [{text: "writing. "}, {call: {name: write, arguments: {filePath: made.txt, content: "made\n"}}}]
- when: {user: "^edit"}
  reply: [{call: {name: read, arguments: {filePath: a.txt}}}]
- when: {tool: "old", from: read}
  reply: [{call: {name: edit, arguments: {filePath: a.txt, oldString: old, newString: new}}}]
- when: {user: "^run (.*)"}
  reply: [{call: {name: bash, arguments: {command: "$1", description: as asked}}}]
- when: {user: "^fetch (.*)"}
  reply: [{call: {name: webfetch, arguments: {url: "$1", format: text}}}]
- when: {user: "^delegate (.*)"}
  reply: [{call: {name: task, arguments: {description: as asked, prompt: "$1", subagent_type: general}}}]
- when: {user: "^hang"}
  reply: [{text: begun}, {delay: 300s}, {text: never}]
- when: {user: "^fail"}
  reply: [{error: {status: 400, message: the model doesn't want to}}]
- when: {user: "(?s)(.*)"}
  reply: "you said: $1"
- when: {tool: "(?s)(.*)"}
  reply: "the tool said: $1"
`

// newOpencode makes the stage. permission is opencode's own setting of that name.
func newOpencode(t *testing.T, yolo bool, permission string) *opencode {
	t.Helper()
	path := program(t, "opencode", opencodePackage)
	o := &opencode{newForeign(t, "oc", yolo, opencodeModel, func(string) string {
		return fmt.Sprintf("{command: %q, args: [acp], env: {OPENCODE_DISABLE_AUTOUPDATE: \"1\", OPENCODE_DISABLE_MODELS_FETCH: \"1\", "+
			"OPENCODE_DISABLE_LSP_DOWNLOAD: \"1\", OPENCODE_DISABLE_DEFAULT_PLUGINS: \"1\"}}", path)
	})}
	o.configure(permission)
	return o
}

// configure writes opencode's settings.
func (o *opencode) configure(permission string) {
	o.t.Helper()
	config, err := json.Marshal(map[string]any{
		"provider": map[string]any{"test": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Test",
			"options": map[string]any{"baseURL": o.model.URL, "apiKey": "none"},
			"models":  map[string]any{"test-model": map[string]any{"name": "Test"}},
		}},
		"model": "test/test-model", "small_model": "test/test-model",
		"autoupdate": false, "share": "disabled", "permission": json.RawMessage(permission),
	})
	if err != nil {
		o.t.Fatal(err)
	}
	o.write("opencode.json", string(config))
}

// asking lets opencode ask before it changes something, as docs/how-to/any-acp-agent.md says.
const asking = `{"edit": "ask", "bash": "ask", "webfetch": "ask", "task": "deny"}`

// TestOpencodeAnswers: an ask of opencode, from the command line.
func TestOpencodeAnswers(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, false, asking)
	r := o.run("--ask", "oc", "what is new?")
	if r.status != 0 || r.stdout != "you said: what is new?\n" {
		t.Errorf("exit %d: %q", r.status, r.stdout)
	}
	o.empty()
}

// TestOpencodeAsksThroughMMsGate: a file that it makes, one that it changes, a
// command, a page.
func TestOpencodeAsksThroughMMsGate(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, false, asking)
	throughTheGate(t, o.foreign, []request{
		{"write", "write", "oc/edit", "made.txt", "made\n"},
		{"edit", "edit", "oc/edit", "a.txt", "new\n"},
		{"bash", "run echo again >made.txt", "oc/execute", "made.txt", "again\n"},
		{"webfetch", "fetch " + o.model.URL + "/models", "oc/fetch", "a.txt", "new\n"},
	})
}
