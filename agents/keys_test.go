package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// keyWorld has the files that the values of keyCases name.
func keyWorld(t *testing.T, yaml string) *world {
	w := newWorld(t, "mm.yaml", yaml, "role.md", "You are Jan.\n", "schema.json", "{\"type\": \"object\",\n \"b\": 1, \"a\": 2}\n",
		"bad.json", "{\n  \"type\": oops}\n", "list.json", "[]", "script.yaml", "steps: []\n", "guard.sh", "#!/bin/sh\n", "notes.txt", "", "skills/x.md", "# x\n")
	if err := os.Chmod(filepath.Join(w.dir, "guard.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	return w.set("TOKEN", "tok-12345678", "HOST_NAME", "gpu.example")
}

// keyCase is a right value of a key. The key is as the table has it, with * for names.
type keyCase struct {
	key, yaml string
	get       func(*File) any
	want      any // in texts, DIR is the folder of the file
}

func keyCases() []keyCase {
	mcp := func(f *File) any { return f.MCPServers["m"] }
	lsp := func(f *File) any { s := f.LSPServers["l"]; s.Line, s.Column = 0, 0; return withoutMethods(s) }
	jan := func(f *File) any { return f.MMConfigs["jan"] }
	const server = "lsp: {servers: {l: {command: l, extensions: [x]"
	return []keyCase{
		{"provider", "provider: llamacpp", func(f *File) any { return f.Provider + " " + f.BaseURL }, "llamacpp http://127.0.0.1:8080/v1"},
		{"provider", "{provider: mine, baseURL: 'http://x/v1'}", func(f *File) any { return f.Provider + " " + f.BaseURL }, "mine http://x/v1"},
		{"baseURL", "baseURL: http://${HOST_NAME}:9/v1/", func(f *File) any { return f.Provider + " " + f.BaseURL }, "gpu.example:9 http://gpu.example:9/v1"},
		{"baseURL", "baseURL: http://127.0.0.1:1234/v1", func(f *File) any { return f.Provider }, "lmstudio"},
		{"apiKey", "apiKey: ${TOKEN}", func(f *File) any { return f.APIKey }, "tok-12345678"},
		{"apiKey", "apiKey: ''", func(f *File) any { return f.APIKey }, ""},
		{"headers", "headers: {X-Key: '${TOKEN}', X-Try: 1}", func(f *File) any { return f.Headers }, map[string]string{"X-Key": "tok-12345678", "X-Try": "1"}},
		{"model", "model: qwen", func(f *File) any { return f.Model }, "qwen"},
		{"script", "{provider: scripted, script: script.yaml}", func(f *File) any { return f.Script + f.BaseURL }, "DIR/script.yaml"},
		{"temperature", "temperature: 1", func(f *File) any { return f.Temperature }, 1.0},
		{"temperature", "{}", func(f *File) any { return f.Temperature }, 0.6},
		{"maxTokens", "maxTokens: 100", func(f *File) any { return f.MaxTokens }, 100},
		{"maxTokens", "{}", func(f *File) any { return f.MaxTokens }, 4096},
		{"maxTokens", "contextWindow: 4096", func(f *File) any { return f.MaxTokens }, 2048},
		{"topP", "topP: 0.9", func(f *File) any { return *f.TopP }, 0.9},
		{"topP", "{}", func(f *File) any { return f.TopP == nil && f.Seed == nil }, true},
		{"seed", "seed: -7", func(f *File) any { return *f.Seed }, int64(-7)},
		{"reasoningEffort", "reasoningEffort: low", func(f *File) any { return f.ReasoningEffort }, "low"},
		{"extraBody", "extraBody: {n: 12345678901234567890, t: [1.5, null, true, 2024-01-01], o: {k: '<'}}", func(f *File) any { return jsonOf(f.ExtraBody) },
			`{"n":12345678901234567890,"o":{"k":"<"},"t":[1.5,null,true,"2024-01-01"]}`},
		{"contextWindow", "contextWindow: 32768", func(f *File) any { return f.ContextWindow }, 32768},
		{"contextWindow", "{}", func(f *File) any { return f.ContextWindow }, 0},
		{"toolCalls", "toolCalls: text", func(f *File) any { return f.ToolCalls }, "text"},
		{"toolCalls", "{}", func(f *File) any { return f.ToolCalls }, "auto"},
		{"instructions", "instructions: |\n  Be short.\n", func(f *File) any { return f.Instructions }, "Be short.\n"},
		{"instructionsFile", "instructionsFile: ./role.md", func(f *File) any { return f.Instructions }, "You are Jan.\n"},
		{"bashTool", "bashTool: false", func(f *File) any { return f.BashTool }, false},
		{"bashTool", "{}", func(f *File) any {
			return []bool{f.BashTool, f.EditTools, f.FetchContentTool, f.AskUserTool, f.PlanTool}
		}, []bool{true, false, false, true, false}},
		{"editTools", "editTools: true", func(f *File) any { return f.EditTools }, true},
		{"fetchContentTool", "fetchContentTool: true", func(f *File) any { return f.FetchContentTool }, true},
		{"askUserTool", "askUserTool: false", func(f *File) any { return f.AskUserTool }, false},
		{"planTool", "planTool: true", func(f *File) any { return f.PlanTool }, true},
		{"skillsDir", "skillsDir: skills", func(f *File) any { return f.SkillsDir }, "DIR/skills"},
		{"skillsDir", "skillsDir: ~/skills", func(f *File) any { return f.SkillsDir }, "DIR/home/skills"},
		{"maxOutput", "maxOutput: 1e3", func(f *File) any { return f.MaxOutput }, 1000},
		{"maxOutput", "{}", func(f *File) any { return []int{f.MaxOutput, f.PreviewLines, f.MaxTurns} }, []int{16000, 8, 50}},
		{"previewLines", "previewLines: 0", func(f *File) any { return f.PreviewLines }, 0},
		{"maxTurns", "maxTurns: 5", func(f *File) any { return f.MaxTurns }, 5},
		{"watchdogTimeout", "watchdogTimeout: 90s", func(f *File) any { return f.WatchdogTimeout }, 90 * time.Second},
		{"watchdogTimeout", "watchdogTimeout: 1h2m3.5s", func(f *File) any { return f.WatchdogTimeout }, time.Hour + 2*time.Minute + 3500*time.Millisecond},
		{"watchdogTimeout", "watchdogTimeout: 45", func(f *File) any { return f.WatchdogTimeout }, 45 * time.Second},
		{"watchdogTimeout", "watchdogTimeout: '45'", func(f *File) any { return f.WatchdogTimeout }, 45 * time.Second},
		{"watchdogTimeout", "watchdogTimeout: 0", func(f *File) any { return f.WatchdogTimeout }, time.Duration(0)},
		{"watchdogTimeout", "{}", func(f *File) any { return f.WatchdogTimeout }, 3 * time.Minute},
		{"yolo", "yolo: false", func(f *File) any { return f.Yolo }, false},
		{"yolo", "{}", func(f *File) any { return f.Yolo }, true},
		{"permissions", "permissions: ask", func(f *File) any { return f.Yolo }, false},
		{"permissions", "permissions: auto", func(f *File) any { return f.Yolo }, true},
		{"structuredOutput", "structuredOutput: {name: n, schema: {type: object, b: 1, a: [x]}}", func(f *File) any { return f.StructuredOutput.Name + string(f.StructuredOutput.Schema) },
			`n{"type":"object","b":1,"a":["x"]}`},
		{"structuredOutput.name", "structuredOutput: {name: a-B_9, schema: {}}", func(f *File) any { return f.StructuredOutput.Name }, "a-B_9"},
		{"structuredOutput.schema", "{}", func(f *File) any { return f.StructuredOutput == nil }, true},
		{"structuredOutput.schemaFile", "structuredOutput: {name: n, schemaFile: schema.json}", func(f *File) any { return string(f.StructuredOutput.Schema) },
			`{"type":"object","b":1,"a":2}`},
		{"lsp", "lsp:", func(f *File) any { return len(f.LSPServers) }, 0},
		{"lsp.servers", "lsp: {servers: {gopls: , pyright: {args: [-v]}}}", func(f *File) any {
			g, p := f.LSPServers["gopls"], f.LSPServers["pyright"]
			return []any{g.Command, g.Args, g.Extensions, p.Command, p.Args, p.Extensions, p.Name}
		}, []any{"gopls", []string(nil), []string{".go"}, "pyright-langserver", []string{"-v"}, []string{".py", ".pyi"}, "pyright"}},
		{"lsp.servers.*.command", server + "}}}", lsp, withoutMethods(LSPServer{Name: "l", Command: "l", Extensions: []string{".x"}})},
		{"lsp.servers.*.command", "lsp: {servers: {gopls: {command: bin/gopls}}}", func(f *File) any { return f.LSPServers["gopls"].Command }, "DIR/bin/gopls"},
		{"lsp.servers.*.args", server + ", args: [--port, 80, '${HOST_NAME}']}}}", func(f *File) any { return f.LSPServers["l"].Args }, []string{"--port", "80", "gpu.example"}},
		{"lsp.servers.*.extensions", "lsp: {servers: {l: {command: l, extensions: [.d.ts, x]}}}", func(f *File) any { return f.LSPServers["l"].Extensions }, []string{".d.ts", ".x"}},
		{"lsp.servers.*.languageId", server + ", languageId: zig}}}", func(f *File) any { return f.LSPServers["l"].Language(".x") }, "zig"},
		{"lsp.servers.*.env", server + ", env: {A: '${TOKEN}', B: true}}}}", func(f *File) any { return f.LSPServers["l"].Env }, map[string]string{"A": "tok-12345678", "B": "true"}},
		{"lsp.servers.*.initializationOptions", server + ", initializationOptions: {a: 1}}}}", func(f *File) any { return string(f.LSPServers["l"].InitializationOptions) }, `{"a":1}`},
		{"lsp.servers.*.settings", server + ", settings: {b: {c: false}}}}}", func(f *File) any { return string(f.LSPServers["l"].Settings) }, `{"b":{"c":false}}`},
		{"mcpServers", "mcpServers:", func(f *File) any { return len(f.MCPServers) }, 0},
		{"mcpServers.*.command", "mcpServers: {m: {command: ./run}}", func(f *File) any { return mcp(f).(MCPServer).Command }, "DIR/run"},
		{"mcpServers.*.args", "mcpServers: {m: {command: npx, args: ['${X:-y}']}}", func(f *File) any { return mcp(f).(MCPServer).Args }, []string{"y"}},
		{"mcpServers.*.env", "mcpServers: {m: {command: npx, env: {K: '${TOKEN}'}}}", func(f *File) any { return mcp(f).(MCPServer).Env }, map[string]string{"K": "tok-12345678"}},
		{"mcpServers.*.url", "mcpServers: {m: {url: 'https://x/mcp'}}", func(f *File) any { return mcp(f).(MCPServer).URL }, "https://x/mcp"},
		{"mcpServers.*.headers", "mcpServers: {m: {url: 'https://x', headers: {A: 'Bearer ${TOKEN}'}}}", func(f *File) any { return mcp(f).(MCPServer).Headers }, map[string]string{"A": "Bearer tok-12345678"}},
		{"mcpServers.*.permission", "mcpServers: {m: {command: x, permission: ask}, n: {command: x}}", func(f *File) any { return f.MCPServers["m"].Permission + f.MCPServers["n"].Permission }, "askauto"},
		{"mcpServers.*.tools", "mcpServers: {m: {command: x, tools: [a, b]}, n: {command: x}}", func(f *File) any { return []any{f.MCPServers["m"].Tools, f.MCPServers["n"].Tools} }, []any{[]string{"a", "b"}, []string(nil)}},
		{"hooks", "hooks:", func(f *File) any { return len(f.Hooks) }, 0},
		{"hooks.preToolCall", "hooks: {preToolCall: [{command: ./guard.sh}, {command: b}]}", func(f *File) any { return f.Hooks[PreToolCall] },
			[]Hook{{Command: "./guard.sh", Timeout: 30 * time.Second, OnError: "deny", Line: 1, Column: 23}, {Command: "b", Timeout: 30 * time.Second, OnError: "deny", Line: 1, Column: 46}}},
		{"hooks.postToolCall", "hooks: {postToolCall: [{command: a}]}", func(f *File) any { return f.Hooks[PostToolCall][0].OnError }, "continue"},
		{"hooks.preAsk", "hooks: {preAsk: [{command: a}]}", func(f *File) any { return f.Hooks[PreAsk][0].OnError }, "deny"},
		{"hooks.postAsk", "hooks: {postAsk: [{command: a}]}", func(f *File) any { return f.Hooks[PostAsk][0].OnError }, "deny"},
		{"hooks.*.match", "hooks: {preAsk: [{command: a, match: 'jan|ho.*'}]}", func(f *File) any { return f.Hooks[PreAsk][0].Match }, "jan|ho.*"},
		{"hooks.*.command", "hooks: {preAsk: [{command: 'echo ${NOT_SET}'}]}", func(f *File) any { return f.Hooks[PreAsk][0].Command }, "echo ${NOT_SET}"},
		{"hooks.*.timeout", "hooks: {preAsk: [{command: a, timeout: 10s}]}", func(f *File) any { return f.Hooks[PreAsk][0].Timeout }, 10 * time.Second},
		{"hooks.*.onError", "hooks: {postToolCall: [{command: a, onError: deny}]}", func(f *File) any { return f.Hooks[PostToolCall][0].OnError }, "deny"},
		{"mmConfigs", "mmConfigs: {jan: ./jan.yaml}", func(f *File) any { return withoutMethodsOfEntry(jan(f).(Entry)) },
			withoutMethodsOfEntry(Entry{Name: "jan", Path: "DIR/jan.yaml", Line: 1, Column: 13})},
		{"mmConfigs", "mmConfigs: {jan: '${HOST_NAME}/jan.yaml'}", func(f *File) any { return jan(f).(Entry).Path }, "DIR/gpu.example/jan.yaml"},
		{"mmConfigs.*.path", "mmConfigs: {jan: {path: sub/jan.yaml}}", func(f *File) any { return jan(f).(Entry).Path }, "DIR/sub/jan.yaml"},
		{"mmConfigs.*.command", "mmConfigs: {jan: {command: gemini}}", func(f *File) any { return jan(f).(Entry).Command }, "gemini"},
		{"mmConfigs.*.args", "mmConfigs: {jan: {command: g, args: [--acp]}}", func(f *File) any { return jan(f).(Entry).Args }, []string{"--acp"}},
		{"mmConfigs.*.env", "mmConfigs: {jan: {path: j, env: {MM_MODEL: x}}}", func(f *File) any { return jan(f).(Entry).Env }, map[string]string{"MM_MODEL": "x"}},
		{"mmConfigs.*.description", "mmConfigs: {jan: {path: j, description: Looks around}}", func(f *File) any { return jan(f).(Entry).Description }, "Looks around"},
		{"mmConfigs.*.yolo", "mmConfigs: {jan: {path: j, yolo: false}, b: j}", func(f *File) any { return !*f.MMConfigs["jan"].Yolo && f.MMConfigs["b"].Yolo == nil }, true},
		{"mmConfigs.*.timeout", "mmConfigs: {jan: {path: j, timeout: 2m}}", func(f *File) any { return jan(f).(Entry).Timeout }, 2 * time.Minute},
		{"mmConfigs.*.prewarm", "mmConfigs: {jan: {path: j, prewarm: true}}", func(f *File) any { return jan(f).(Entry).Prewarm }, true},
		{"mmConfigs.*.prewarm", "mmConfigs: {jan: j}", func(f *File) any { return jan(f).(Entry).Prewarm }, false},
		{"acp", "acp:", func(f *File) any { return f.ACPTitle }, "mm"},
		{"acp.title", "acp: {title: Jan}", func(f *File) any { return []any{f.ACPTitle, f.HasTitle()} }, []any{"Jan", true}},
		{"acp.title", "{}", func(f *File) any { return []any{f.ACPTitle, f.HasTitle()} }, []any{"mm", false}},
		{"acp.description", "acp: {description: d}", func(f *File) any { return f.ACPDescription }, "d"},
		{"sessionsDir", "sessionsDir: s", func(f *File) any { return f.SessionsDir }, "DIR/s"},
		{"sessionsDir", "{}", func(f *File) any { return f.SessionsDir }, "DIR/home/.local/state/mm/sessions"},
		{"audit", "audit: ./log/audit.jsonl", func(f *File) any { return f.Audit }, "DIR/log/audit.jsonl"},
	}
}

// The types without their methods, for cmp to look into.
type (
	plainLSP   LSPServer
	plainEntry Entry
)

func withoutMethods(s LSPServer) plainLSP      { return plainLSP(s) }
func withoutMethodsOfEntry(e Entry) plainEntry { return plainEntry(e) }

func jsonOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(string(data), `\u003c`, "<")
}

func TestEveryKey(t *testing.T) {
	for _, c := range keyCases() {
		t.Run(c.key+"/"+c.yaml, func(t *testing.T) {
			w := keyWorld(t, c.yaml)
			got, err := json.Marshal(c.get(w.load()))
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(c.want)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(got), jsonPath(w.dir), "DIR")
			if filepath.Separator != '/' {
				text = strings.ReplaceAll(text, `\\`, "/")
			}
			if diff := cmp.Diff(string(want), text); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.yaml, diff)
			}
		})
	}
}

// jsonPath is a path as it stands in JSON.
func jsonPath(path string) string {
	data, _ := json.Marshal(path)
	return strings.Trim(string(data), `"`)
}

// TestKeyCasesAreComplete fails when the table gets a key that no case reads.
func TestKeyCasesAreComplete(t *testing.T) {
	tried := map[string]bool{}
	for _, c := range keyCases() {
		tried[c.key] = true
	}
	eachKey(agentFile().rules, "", func(path string, _ *spec) {
		// The four events share the keys of their hooks.
		for _, event := range hooksObject().keys() {
			path = strings.Replace(path, "hooks."+event+".", "hooks.*.", 1)
		}
		if !tried[path] {
			t.Errorf("no case for %s", path)
		}
	})
}

// eachKey visits the keys of the table, with * for names and items.
func eachKey(r rules, prefix string, visit func(path string, s *spec)) {
	for _, s := range r.fields {
		visit(prefix+s.key, s)
		switch {
		case s.kind == kindMap && s.elem.object != nil:
			eachKey(*s.elem.object, prefix+s.key+".*.", visit)
		case s.kind == kindList:
			eachKey(*s.elem.object, prefix+s.key+".", visit)
		case s.object != nil:
			eachKey(*s.object, prefix+s.key+".", visit)
		}
	}
}
