package orchestrator

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/consent"
)

// TestNamed: each agent of a file is started so that nothing of its own decides about its calls.
func TestNamed(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\nmmConfigs:\n  jan: {path: jan.yaml, env: {A: b}, description: looks, timeout: 1m}\n" +
			"  gem: {command: gem, args: [--acp]}\n  bad: bad.yaml\n",
		"jan.yaml": "provider: ollama\nmodel: m\nacp: {title: Jan}\n",
		"bad.yaml": "modle: m\n",
		"s.yaml":   "- reply: x\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := agents.Env{Dir: dir, Home: dir}
	f, err := agents.Load("mm.yaml", env)
	if err != nil {
		t.Fatal(err)
	}
	list := Named(f, env, Start{Program: "/bin/mm", Env: []string{"A=a", "AGENT_YOLO=true", "MM_CONFIG=x", "HOME=h"}})
	if len(list) != 3 {
		t.Fatalf("%d agents, want 3", len(list))
	}
	bad, gem, jan := list[0], list[1], list[2]
	if bad.Broken == "" || gem.Role != "(no description)" || jan.Role != "looks" || jan.Title != "Jan" || jan.Model != "m" {
		t.Errorf("bad %+v\ngem %+v\njan %+v", bad, gem, jan)
	}
	if c := jan.Command; !c.MM || c.Path != "/bin/mm" || !slices.Equal(c.Args, []string{"-acp", "--config", filepath.Join(dir, "jan.yaml")}) ||
		!slices.Equal(c.Env, []string{"HOME=h", "A=b", "AGENT_YOLO=false", "MM_ASK_DEPTH=1"}) {
		t.Errorf("jan starts as %+v", c)
	}
	if c := gem.Command; c.MM || c.Path != "gem" || c.Executable != "/bin/mm" {
		t.Errorf("gem starts as %+v", c)
	}
}

// TestProgramRefuses: a Host without Allow lets nothing run.
func TestProgramRefuses(t *testing.T) {
	if d := (Program{}).Decide(t.Context(), consent.Request{}); d.Allow || d.Cancelled {
		t.Errorf("%+v", d)
	}
	yes := Program{Allow: func(context.Context, consent.Request) bool { return true }}
	if d := yes.Decide(t.Context(), consent.Request{}); !d.Allow {
		t.Errorf("%+v", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d := yes.Decide(ctx, consent.Request{}); d.Allow || !d.Cancelled {
		t.Errorf("after the end: %+v", d)
	}
}
