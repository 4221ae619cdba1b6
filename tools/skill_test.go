package tools_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

func skillDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "skills")
	for name, text := range map[string]string{
		"review.md":       "---\nname: x\ndescription: how to\n  review\n---\nRead first.\n",
		"review/SKILL.md": "the flat file wins",
		"deploy/SKILL.md": "# Deploying\n\nCarefully.",
		"plain.md":        "\nJust a line.\nMore.",
		"broken.md":       "---\n: : [\n---\nStill there.",
		"notes.txt":       "no skill",
		"empty/README.md": "no skill",
		"../secret.md":    "SECRET",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSkills(t *testing.T) {
	dir := skillDir(t)
	tool := tools.NewReadSkill(dir, tools.Skills(dir), 30)
	want := "Skills:\n  broken — Still there.\n  deploy — Deploying\n  plain — Just a line.\n  review — how to review"
	if got := tool.Spec().Description; !strings.HasSuffix(got, want) {
		t.Errorf("catalogue %q", got)
	}
	for name, want := range map[string]string{
		"review":     "---\nname: x\ndescription: how t\n[... 27 more characters]",
		"deploy":     "# Deploying\n\nCarefully.",
		"x":          `No skill named "x". Available skills: broken, deploy, plain, review`,
		"../secret":  `No skill named "../secret". Available skills: broken, deploy, plain, review`,
		"a/b/deploy": "# Deploying\n\nCarefully.",
		"":           `No skill named "". Available skills: broken, deploy, plain, review`,
		"..":         `No skill named "..". Available skills: broken, deploy, plain, review`,
	} {
		args, _ := json.Marshal(map[string]string{"name": name})
		p := tool.Prepare(t.Context(), tools.Call{Args: args})
		got := p.Refused
		if got == "" {
			got = p.Run(t.Context(), nil).Text
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if len(tools.Skills(filepath.Join(dir, "none"))) != 0 {
		t.Error("a missing folder has no skills")
	}
}

func TestPlan(t *testing.T) {
	var state tools.PlanState
	tool := tools.NewPlan(&state)
	p := &person{Host: quiet{}}
	for _, c := range []struct{ args, want string }{
		{`{"action":"show"}`, "[no plan]"},
		{`{"action":"set","title":"Work","steps":["look","do"]}`, "Work\n1. [ ] look\n2. [ ] do"},
		{`{"action":"update","step":"1","status":"completed"}`, "Work\n1. [x] look\n2. [ ] do"},
		{`{"action":"update","step":2,"status":"in_progress","text":"do it"}`, "Work\n1. [x] look\n2. [~] do it"},
		{`{"action":"add","text":"check"}`, "Work\n1. [x] look\n2. [~] do it\n3. [ ] check"},
		{`{"action":"update","step":9,"status":"completed"}`, "[plan: there is no step 9 — the plan has 3 step(s)]"},
		{`{"action":"update","step":1,"status":"done"}`, `[plan: unknown status "done" — use pending, in_progress or completed]`},
		{`{"action":"remove"}`, `[plan: unknown action "remove" — use show, set, update, add or clear]`},
		{`{"action":"set"}`, "[plan: set needs steps: a list of texts]"},
		{`{"action":"clear"}`, "[no plan]"},
	} {
		plan := tool.Prepare(t.Context(), tools.Call{Args: json.RawMessage(c.args)})
		got := plan.Refused
		if got == "" {
			got = plan.Run(t.Context(), p).Text
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.args, got, c.want)
		}
	}
}

// TestPlanTitles: what a person is asked about says what is done, not only how.
func TestPlanTitles(t *testing.T) {
	var state tools.PlanState
	state.Restore("Work", []ui.PlanEntry{{Text: "look", Status: "pending"}})
	for args, want := range map[string]string{
		`{"action":"set","title":"Work","steps":["look","do"]}`:       "set Work: look; do",
		`{"action":"set","steps":["look"]}`:                           "set look",
		`{"action":"update","step":1,"status":"completed"}`:           "update step 1, completed",
		`{"action":"update","step":1,"status":"pending","text":"do"}`: "update step 1, pending, do",
		`{"action":"add","text":"check"}`:                             "add check",
		`{"action":"clear"}`:                                          "clear",
		`{"action":"add","text":"a\n  b"}`:                            "add a b",
		`{"action":"add","text":"` + strings.Repeat("é", 500) + `"}`:  "add " + strings.Repeat("é", 195) + "…",
		`{"action":"show"}`:                                           "show",
	} {
		if got := tools.NewPlan(&state).Prepare(t.Context(), tools.Call{Args: json.RawMessage(args)}).Title; got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
}

// quiet is a Host that takes events.
type quiet struct{ ui.Host }

func (quiet) Emit(ui.Event) {}
