//go:build unix

package hooks_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/mini-me/mm/hooks"
)

const page = "../docs/how-to/write-hooks.md"

// The page shows the scripts that the tests below run, and an agent file that this package takes.
func TestThePageIsTrue(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("testdata/*.sh")
	if err != nil || len(scripts) == 0 {
		t.Fatal(scripts, err)
	}
	for _, script := range scripts {
		code, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "```bash\n"+string(code)+"```\n") {
			t.Errorf("%s doesn't show %s", page, script)
		}
	}
	documented(t, string(text))
}

// documented returns a Runner with the hooks of the page.
func documented(t *testing.T, text string) *hooks.Runner {
	t.Helper()
	_, rest, _ := strings.Cut(text, "```yaml\n")
	block, _, _ := strings.Cut(rest, "```")
	var file struct {
		Hooks map[string][]struct{ Match, Command, Timeout string }
	}
	if err := yaml.Unmarshal([]byte(block), &file); err != nil {
		t.Fatal(err)
	}
	all := map[string][]hooks.Hook{}
	for event, list := range file.Hooks {
		for _, h := range list {
			all[event] = append(all[event], hooks.Hook{Match: h.Match, Command: h.Command})
		}
	}
	dir, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	r, err := hooks.New(all, hooks.Options{Dir: dir, Guard: os.Args[0], Env: append(os.Environ(), "HOME="+t.TempDir())})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestExamples(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("the example hooks need jq")
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	r := documented(t, string(text))
	bash := func(command string) hooks.Event {
		input, err := json.Marshal(map[string]string{"command": command})
		if err != nil {
			t.Fatal(err)
		}
		return hooks.Event{Kind: hooks.PreToolCall, Name: "bash", Cwd: "/project", Tool: "bash", Title: command, Input: input}
	}
	asked := bash("git push")
	asked.Name, asked.Agent = "jan/bash", "jan"
	done := bash("ls")
	done.Kind, done.Output = hooks.PostToolCall, "a b"
	ask := hooks.Event{Kind: hooks.PreAsk, Name: "jan", Agent: "jan", Prompt: "Look <around>."}
	answer := ask
	answer.Kind, answer.Answer = hooks.PostAsk, "It is ghp_abc123, \"quoted\"."
	tests := []struct {
		e    hooks.Event
		want hooks.Outcome
	}{
		{bash("ls"), hooks.Outcome{}},
		{bash("make test"), hooks.Outcome{Decision: hooks.Allow}},
		{bash("git push origin"), hooks.Outcome{Decision: hooks.Deny, Reason: "pushing is left to the user"}},
		{bash("rm -rf /"), hooks.Outcome{Decision: hooks.Deny, Reason: "only paths inside /project may be deleted"}},
		{asked, hooks.Outcome{Decision: hooks.Deny, Reason: "pushing is left to the user"}},
		{ask, hooks.Outcome{Prompt: "Answer in English. Change nothing under vendor/.\n\nLook <around>.", PromptReplaced: true}},
		{answer, hooks.Outcome{Answer: "It is [token], \"quoted\".", AnswerReplaced: true}},
		{done, hooks.Outcome{}},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, run(t, r, test.e)); diff != "" {
			t.Errorf("%+v (-want +got)\n%s", test.e, diff)
		}
	}
}
