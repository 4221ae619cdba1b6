package agents

import (
	"maps"
	"strings"
	"testing"
)

func TestAgentYolo(t *testing.T) {
	const file = "yolo: %\nmmConfigs:\n  on: {path: a, yolo: true}\n  off: {path: a, yolo: false}\n  plain: a\n"
	on, off := map[string]bool{"on": true, "off": false}, map[string]bool{"on": false, "off": false}
	for _, c := range []struct {
		file, variable string
		yolo           bool
		entries        map[string]bool
	}{
		{"true", "", true, on}, {"false", "", false, on},
		{"true", "false", false, off}, {"true", "0", false, off}, {"true", "off", false, off}, {"true", "no", false, off},
		{"false", "true", true, on}, {"false", "1", true, on}, {"false", "on", true, on}, {"false", "yes", true, on},
	} {
		w := newWorld(t, "mm.yaml", strings.ReplaceAll(file, "%", c.file))
		if c.variable != "" {
			w.set("AGENT_YOLO", c.variable)
		}
		f := w.load()
		if f.Yolo != c.yolo || !maps.Equal(f.EntryYolo(), c.entries) {
			t.Errorf("yolo: %s, AGENT_YOLO=%s: yolo %t, entries %v; want %t, %v", c.file, c.variable, f.Yolo, f.EntryYolo(), c.yolo, c.entries)
		}
	}
	for _, bad := range []string{"", "maybe", "TRUE", " true", "2"} {
		newWorld(t, "mm.yaml", "{}").set("AGENT_YOLO", bad).wantProblems(
			"AGENT_YOLO must be true, 1, on, yes, false, 0, off or no, but this is " + quote(bad))
	}
}

// TestOnlyTheStartedFileDecides: in an agent that is asked no yolo counts, wherever it comes from.
func TestOnlyTheStartedFileDecides(t *testing.T) {
	for _, depth := range []string{"1", "2", "17"} {
		for _, variable := range []string{"false", "true"} {
			w := newWorld(t, "mm.yaml", "{yolo: true, mmConfigs: {homer: {path: a, yolo: true}}}")
			f := w.set("MM_ASK_DEPTH", depth, "AGENT_YOLO", variable).load()
			if f.Yolo || len(f.EntryYolo()) > 0 {
				t.Errorf("depth %s, AGENT_YOLO=%s: yolo %t, entries %v", depth, variable, f.Yolo, f.EntryYolo())
			}
		}
	}
}

func TestDepth(t *testing.T) {
	for value, depth := range map[string]int{"0": 0, "1": 1, "2": 2} {
		if f := newWorld(t, "mm.yaml", "{}").set("MM_ASK_DEPTH", value).load(); f.Depth != depth {
			t.Errorf("MM_ASK_DEPTH=%s: depth %d", value, f.Depth)
		}
	}
	for _, bad := range []string{"", "-1", "+1", "1.0", "one", " 1", "0x1", "99999999999999999999"} {
		newWorld(t, "mm.yaml", "{}").set("MM_ASK_DEPTH", bad).wantProblems("MM_ASK_DEPTH must be a whole number from 0 on, but this is " +
			quote(bad) + " — mm sets it for the agents it asks; unset it")
	}
}

func TestPermissionsIsDeprecated(t *testing.T) {
	for _, c := range []struct {
		file    string
		yolo    bool
		warning string
	}{
		{"permissions: ask\n", false, `mm.yaml:1:1: "permissions" is deprecated: write yolo: false instead of permissions: ask`},
		{"model: a\npermissions: auto\n", true, `mm.yaml:2:1: "permissions" is deprecated: write yolo: true instead of permissions: auto`},
		{"yolo: true\npermissions: ask\n", false, `mm.yaml:2:1: "permissions" is deprecated: write yolo: false instead of permissions: ask`},
		{"permissions: auto\nyolo: false\n", false, `mm.yaml:1:1: "permissions" is deprecated: write yolo: true instead of permissions: auto`},
	} {
		f := newWorld(t, "mm.yaml", c.file).load()
		if f.Yolo != c.yolo || strings.Join(f.Warnings, "\n") != c.warning {
			t.Errorf("%q: yolo %t, warnings %q", c.file, f.Yolo, f.Warnings)
		}
	}
}

func TestOtherWarnings(t *testing.T) {
	f := newWorld(t, "mm.yaml", "skillsDir: nope\nscript: x.yaml\nprovider: ollama\n").load()
	got := strings.Join(f.Warnings, "\n")
	if !strings.Contains(got, `mm.yaml:2:1: "script" is only for provider: scripted, so it isn't used`) ||
		!strings.Contains(got, `mm.yaml:1:12: "skillsDir" names `) {
		t.Errorf("warnings:\n%s", got)
	}
}

func TestOverrides(t *testing.T) {
	const file = "{provider: mine, baseURL: 'http://a/v1', model: m, apiKey: secret-a}"
	server := func(f *File) string { return f.Provider + " " + f.BaseURL + " " + f.Model + " " + f.APIKey }
	for _, c := range []struct {
		name, file string
		vars       []string
		want       string
	}{
		{"none", file, nil, "mine http://a/v1 m secret-a"},
		{"empty ones don't count", file, []string{"MM_MODEL", "", "MM_API_KEY", ""}, "mine http://a/v1 m secret-a"},
		{"all", file, []string{"MM_MODEL", "n", "MM_BASE_URL", "http://b/v1/", "MM_API_KEY", "secret-b", "MM_PROVIDER", "yours"}, "yours http://b/v1 n secret-b"},
		{"no keys in the file", "{}", []string{"MM_MODEL", "n", "MM_PROVIDER", "vllm"}, "vllm http://127.0.0.1:8000/v1 n "},
		{"a variable of the file may miss", "apiKey: ${NOT_SET}", []string{"MM_API_KEY", "secret-b", "MM_PROVIDER", "vllm"}, "vllm http://127.0.0.1:8000/v1  secret-b"},
		{"no expansion", "{}", []string{"MM_MODEL", "${HOME}"}, "  ${HOME} "},
		{"OpenAI's own key", "provider: openai", []string{"OPENAI_API_KEY", "sk-openai"}, "openai https://api.openai.com/v1  sk-openai"},
		{"the file's key counts first", "{provider: openai, apiKey: sk-file}", []string{"OPENAI_API_KEY", "sk-openai"}, "openai https://api.openai.com/v1  sk-file"},
		{"OpenAI's key goes nowhere else", "{provider: openai, baseURL: 'http://a/v1'}", []string{"OPENAI_API_KEY", "sk-openai"}, "openai http://a/v1  "},
		{"OpenRouter's own key", "provider: openrouter", []string{"OPENAI_API_KEY", "sk-openai", "OPENROUTER_API_KEY", "sk-or"}, "openrouter https://openrouter.ai/api/v1  sk-or"},
		{"a server to be found", "{}", nil, "   "},
	} {
		if got := server(newWorld(t, "mm.yaml", c.file).set(c.vars...).load()); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBadOverrides(t *testing.T) {
	w := newWorld(t, "mm.yaml", "{}").set("MM_PROVIDER", "olama", "MM_API_KEY", "a\nb")
	w.wantProblems(`"MM_PROVIDER" is "olama", which isn't known by name — did you mean "ollama"? Any other label needs a baseURL beside it`,
		`"MM_API_KEY" has a line end or another control character in it`)
	w = newWorld(t, "mm.yaml", "{}").set("MM_BASE_URL", "localhost:80")
	w.wantProblems(`"MM_BASE_URL" must be a whole address that begins with http:// or https://`)
}

// TestDefaultsSeeTheEnvironment: without a file the same variables count and can be wrong.
func TestDefaultsSeeTheEnvironment(t *testing.T) {
	w := newWorld(t).set("MM_PROVIDER", "ollama", "AGENT_YOLO", "no", "MM_ASK_DEPTH", "1")
	f, err := Defaults(w.env())
	if err != nil || f.BaseURL != "http://127.0.0.1:11434/v1" || f.Yolo || f.Depth != 1 || f.Path != "" || f.Dir != w.dir {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := Defaults(w.set("AGENT_YOLO", "perhaps").env()); err == nil || !strings.HasPrefix(err.Error(), "AGENT_YOLO must be") {
		t.Errorf("error %v", err)
	}
	if _, err := Defaults(newWorld(t).set("MM_PROVIDER", "scripted").env()); err == nil {
		t.Error("a scripted model without a script")
	}
}

func TestKnownProviders(t *testing.T) {
	want := map[string]string{
		"ollama": "http://127.0.0.1:11434/v1", "llamacpp": "http://127.0.0.1:8080/v1", "lmstudio": "http://127.0.0.1:1234/v1",
		"dockermodelrunner": "http://127.0.0.1:12434/engines/v1", "vllm": "http://127.0.0.1:8000/v1",
		"openai": "https://api.openai.com/v1", "openrouter": "https://openrouter.ai/api/v1",
	}
	for name, base := range want {
		if f := newWorld(t, "mm.yaml", "provider: "+name).load(); f.BaseURL != base {
			t.Errorf("%s: %s, want %s", name, f.BaseURL, base)
		}
	}
	if len(Providers()) != len(want) {
		t.Errorf("%d providers, %d tried", len(Providers()), len(want))
	}
}

func TestAnswerTokens(t *testing.T) {
	for _, c := range []struct {
		file         string
		window, want int
	}{
		{"{}", 0, 4096}, {"{}", 32768, 4096}, {"{}", 8192, 4096}, {"{}", 4096, 2048}, {"{}", 2048, 1024}, {"{}", 1, 1},
		{"maxTokens: 6000", 8192, 6000}, {"maxTokens: 6000", 6000, 3000}, {"maxTokens: 100", 4096, 100},
		{"contextWindow: 2048", 2048, 1024},
	} {
		if got := newWorld(t, "mm.yaml", c.file).load().AnswerTokens(c.window); got != c.want {
			t.Errorf("%s, window %d: %d, want %d", c.file, c.window, got, c.want)
		}
	}
}
