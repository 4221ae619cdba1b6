//go:build linux

package interop

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/llm/llmtest"
)

// opencode is mm with an agent of another make, whose model is scripted, too.
type opencode struct {
	*stage
	model *llmtest.Server
}

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
	model := llmtest.NewScript(t, opencodeModel)
	model.Loose = true // it serves opencode's requests
	o := &opencode{model: model, stage: newStage(t, map[string]string{
		"mm.yaml": fmt.Sprintf("provider: scripted\nscript: lead.yaml\nyolo: %v\nmmConfigs:\n  oc: {command: %q, args: [acp]}\n", yolo, path),
		"a.txt":   "old\n",
		"lead.yaml": `
- when: {user: "(?s)(.*)"}
  reply: [{call: {name: ask_agent, arguments: {agent: oc, prompt: "$1"}}}]
- when: {tool: "(?s)(.*)"}
  reply: "lead: $1"
`,
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

// asking lets opencode ask before it changes something; documented is what
// docs/how-to/any-acp-agent.md says.
const (
	asking     = `{"edit": "ask", "bash": "ask"}`
	documented = `{"edit": "ask", "bash": "ask", "webfetch": "ask", "task": "deny"}`
)

func (o *opencode) env() []string {
	return append(o.stage.env(), "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1",
		"OPENCODE_DISABLE_LSP_DOWNLOAD=1", "OPENCODE_DISABLE_DEFAULT_PLUGINS=1")
}

// run runs mm.
func (o *opencode) run(args ...string) ran {
	o.t.Helper()
	return o.begin(args...).wait()
}

func (o *opencode) begin(args ...string) *running {
	o.t.Helper()
	cmd := o.command(o.mm, args...)
	cmd.Env = o.env()
	return o.start(cmd)
}

// edit starts mm -acp with an editor at its side.
func (o *opencode) edit(e acptest.Options) (*acptest.Editor, string) {
	o.t.Helper()
	cmd := o.command(o.mm, "-acp")
	cmd.Env = o.env()
	editor := acptest.Start(o.t, cmd, e)
	editor.Initialize(o.t.Context())
	return editor, editor.NewSession(o.t.Context(), o.dir).SessionID
}

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

// TestOpencodeAsksThroughMMsGate: what opencode asks stands in mm's gate under its name and the kind
// of its call, and the answer decides.
func TestOpencodeAsksThroughMMsGate(t *testing.T) {
	for name, c := range map[string]struct {
		prompt, key, file, want string
	}{
		"write": {"write", "oc/edit", "made.txt", "made\n"},
		"edit":  {"edit", "oc/edit", "a.txt", "new\n"},
		"bash":  {"run echo made >made.txt", "oc/execute", "made.txt", "made\n"},
	} {
		for _, kind := range []acp.OptionKind{acp.AllowOnce, acp.RejectOnce} {
			t.Run(name+" "+string(kind), func(t *testing.T) {
				t.Parallel()
				o := newOpencode(t, false, asking)
				e, id := o.edit(acptest.Options{Permission: func(_ context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
					if keyOf(r) == "ask_agent" {
						return acptest.Choose(r, acp.AllowOnce)
					}
					return acptest.Choose(r, kind)
				}})
				before := o.read(c.file)
				turn, err := e.Prompt(t.Context(), id, c.prompt)
				if err != nil || turn.StopReason != acp.StopEndTurn {
					t.Fatalf("%s %v", turn.StopReason, err)
				}
				if got := keysOf(e.Asked()); !slices.Equal(got, []string{"ask_agent", c.key}) {
					t.Errorf("asked about %q", got)
				}
				want := before
				if kind == acp.AllowOnce {
					want = c.want
				}
				if got := o.read(c.file); got != want {
					t.Errorf("%s is %q, want %q", c.file, got, want)
				}
			})
		}
	}
}

func keyOf(r acp.RequestPermissionRequest) string {
	var m acp.PermissionMeta
	r.Meta.Get(acp.MetaKey, &m)
	return m.Key
}

func keysOf(asked []acp.RequestPermissionRequest) []string {
	var keys []string
	for _, r := range asked {
		keys = append(keys, keyOf(r))
	}
	return keys
}
