package agents

import (
	"strings"
	"testing"
)

func TestCheckEntries(t *testing.T) {
	w := newWorld(t,
		"mm.yaml", `
mmConfigs:
  self: mm.yaml
  titled: {path: titled.yaml}
  described: {path: titled.yaml, description: Counts}
  plain: plain.yaml
  broken: broken.yaml
  missing: sub/missing.yaml
  foreign: {command: gemini, args: [--acp]}
  env: {path: env.yaml, env: {TOKEN: abc}}
`,
		"titled.yaml", "{acp: {title: The counter}, model: m, yolo: true, mmConfigs: {back: mm.yaml}}",
		"plain.yaml", "{}",
		"broken.yaml", "modle: a\n",
		"env.yaml", "apiKey: ${TOKEN}",
	)
	w.set("AGENT_YOLO", "true")
	got := map[string]Asked{}
	var names []string
	for _, a := range w.load().CheckEntries(w.env()) {
		got[a.Name] = a
		names = append(names, a.Name)
	}
	if all := strings.Join(names, " "); all != "broken described env foreign missing plain self titled" {
		t.Errorf("names: %s", all)
	}
	for name, role := range map[string]string{"titled": "The counter", "described": "Counts", "plain": "", "foreign": "", "broken": ""} {
		if got[name].Role() != role {
			t.Errorf("%s: role %q, want %q", name, got[name].Role(), role)
		}
	}
	if a := got["titled"]; a.File == nil || a.File.Depth != 1 || a.File.Yolo || a.File.Model != "m" {
		t.Errorf("titled: %v", a.File)
	}
	if a := got["env"]; a.Err != nil || a.File.APIKey != "abc" {
		t.Errorf("env: %v", a.Err)
	}
	if a := got["foreign"]; a.File != nil || a.Err != nil {
		t.Errorf("foreign: %v, %v", a.File, a.Err)
	}
	if err := got["broken"].Err; err == nil || !strings.HasSuffix(err.Error(), `broken.yaml:1:1: unknown key "modle" — did you mean "model"?`) {
		t.Errorf("broken: %v", err)
	}
	if err := got["missing"].Err; err == nil || !strings.HasSuffix(err.Error(), "missing.yaml: no such file") {
		t.Errorf("missing: %v", err)
	}
	if a := got["self"]; a.Err != nil || len(a.File.MMConfigs) != 8 {
		t.Errorf("self: %v", a.Err)
	}
}
