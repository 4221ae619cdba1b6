//go:build linux

package interop

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/llm/llmtest"
)

// foreign is a lead who hands each question to an agent of another make, whose model is scripted.
type foreign struct {
	*stage
	name  string // under which it is asked
	model *llmtest.Server
}

// newForeign makes the stage. entry is what stands under mmConfigs for the agent, for a given address
// of its model.
func newForeign(t *testing.T, name string, yolo bool, model string, entry func(url string) string) *foreign {
	t.Helper()
	server := llmtest.NewScript(t, model)
	server.Loose = true // it serves the requests of others
	return &foreign{name: name, model: server, stage: newStage(t, map[string]string{
		"mm.yaml": fmt.Sprintf("provider: scripted\nscript: lead.yaml\nyolo: %v\nmmConfigs:\n  %s: %s\n", yolo, name, entry(server.URL)),
		"a.txt":   "old\n",
		"lead.yaml": fmt.Sprintf(`
- when: {user: "(?s)(.*)"}
  reply: [{call: {name: ask_agent, arguments: {agent: %s, prompt: "$1"}}}]
- when: {tool: "(?s)(.*)"}
  reply: "lead: $1"
`, name),
	})}
}

// slow is what mm says of an agent that doesn't start in its time. An agent that is megabytes of
// JavaScript does so on a machine that is busy with others; that isn't what is tested here.
const slow = "did not answer initialize within"

// tries is how often such an agent is asked.
const tries = 5

// run runs mm.
func (f *foreign) run(args ...string) ran {
	f.t.Helper()
	r := f.stage.run(f.mm, args...)
	for range tries - 1 {
		if !strings.Contains(r.stderr, slow) {
			break
		}
		r = f.stage.run(f.mm, args...)
	}
	return r
}

// edit starts mm -acp with an editor at its side, and the agent, which stays warm.
func (f *foreign) edit(o acptest.Options) (*acptest.Editor, string) {
	f.t.Helper()
	e := acptest.Start(f.t, f.command(f.mm, "-acp"), o)
	e.Initialize(f.t.Context())
	id := e.NewSession(f.t.Context(), f.dir).SessionID
	for range tries {
		turn, err := e.Prompt(f.t.Context(), id, "hello")
		if err != nil {
			f.t.Fatal(err)
		}
		if !strings.Contains(turn.Text, slow) {
			break
		}
	}
	return e, id
}

// request is something that an agent asks for, and what comes of it.
type request struct {
	name, prompt string // $D is the folder
	key          string // at mm's gate
	file, want   string // what it makes of the file when it is allowed
}

// throughTheGate checks that what an agent asks stands in mm's gate under its name and the kind of
// its call, and that the answer decides. One process of the agent serves all of it.
func throughTheGate(t *testing.T, f *foreign, requests []request) *acptest.Editor {
	t.Helper()
	kind := acp.RejectOnce
	e, id := f.edit(acptest.Options{Permission: func(_ context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		if keyOf(r) == "ask_agent" {
			return acptest.Choose(r, acp.AllowOnce)
		}
		return acptest.Choose(r, kind)
	}})
	for _, q := range requests {
		prompt := strings.ReplaceAll(q.prompt, "$D", f.dir)
		for _, kind = range []acp.OptionKind{acp.RejectOnce, acp.AllowOnce} {
			want, asked := f.read(q.file), len(e.Asked())
			if kind == acp.AllowOnce {
				want = q.want
			}
			turn, err := e.Prompt(t.Context(), id, prompt)
			if err != nil || turn.StopReason != acp.StopEndTurn || !strings.HasPrefix(turn.Text, "lead: ") {
				t.Fatalf("%s, %s: %s %q %v", q.name, kind, turn.StopReason, turn.Text, err)
			}
			if got := keysOf(e.Asked()[asked:]); !slices.Equal(got, []string{"ask_agent", q.key}) {
				t.Errorf("%s, %s: asked about %q", q.name, kind, got)
			}
			if got := f.read(q.file); got != want {
				t.Errorf("%s, %s: %s is %q, want %q", q.name, kind, q.file, got, want)
			}
		}
	}
	return e
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
