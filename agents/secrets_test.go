package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

const secretFile = `
provider: mine
baseURL: https://user:pass-5555@host/v1?api_key=query-7777
apiKey: ${KEY}
headers: {X: header-1111, Authorization: Bearer bearer-2222}
mcpServers:
  a: {url: "https://me:mcp-6666@x/", headers: {Y: mcphead-3333}}
  b: {command: x, args: ["--token=${MY_TOKEN}"], env: {SOME_SECRET: env-4444, PORT: "8080", SHORT_KEY: abc}}
mmConfigs:
  jan: {path: a, env: {JAN_TOKEN: jan-88888888}}
lsp: {servers: {gopls: {env: {LSP_PASSWORD: lsp-9999}}}}
`

func secretWorld(t *testing.T) *world {
	return newWorld(t, "mm.yaml", secretFile).set("KEY", "key-0000", "MY_TOKEN", "token-aaaa")
}

func allSecrets() []string {
	return []string{"key-0000", "header-1111", "bearer-2222", "Bearer bearer-2222", "mcphead-3333", "env-4444",
		"pass-5555", "mcp-6666", "query-7777", "jan-88888888", "lsp-9999", "token-aaaa"}
}

func TestNothingPrintsASecret(t *testing.T) {
	f := secretWorld(t).load()
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, nil))
	var texts []string
	for _, v := range []any{f, *f, f.MCPServers, f.MMConfigs, f.LSPServers, f.MCPServers["a"], f.MMConfigs["jan"], f.LSPServers["gopls"]} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data), fmt.Sprint(v), fmt.Sprintf("%v %+v %s %q", v, v, v, v), fmt.Sprintf("%#v", v))
		logger.Info("read", "it", v)
		slog.New(slog.NewTextHandler(&log, nil)).Info("read", "it", v)
	}
	texts = append(texts, log.String())
	for _, text := range texts {
		for _, secret := range allSecrets() {
			if strings.Contains(text, secret) {
				t.Errorf("%s in %s", secret, text)
			}
		}
	}
	if !strings.Contains(f.String(), "mine") || !strings.Contains(f.String(), "https://user:xxxxx@host/v1") {
		t.Errorf("String is %s", f)
	}
}

func TestSecretsForMasking(t *testing.T) {
	got := secretWorld(t).load().Secrets()
	for _, secret := range allSecrets() {
		if !contains(got, secret) {
			t.Errorf("%s is missing", secret)
		}
	}
	if len(got) != len(allSecrets()) {
		t.Errorf("%d secrets: %v", len(got), got)
	}
	for i := 1; i < len(got); i++ {
		if len(got[i]) > len(got[i-1]) {
			t.Errorf("not the longest first: %v", got)
		}
	}
	if got := newWorld(t, "mm.yaml", "{}").set("MM_API_KEY", "override-1").load().Secrets(); len(got) != 1 || got[0] != "override-1" {
		t.Errorf("with MM_API_KEY: %v", got)
	}
}

// TestProblemsKeepSecrets: what is wrong with a secret is told without it.
func TestProblemsKeepSecrets(t *testing.T) {
	for _, yaml := range []string{
		"apiKey: [hush-1234]", "apiKey: {a: hush-1234}", "apiKey: !x hush-1234", "apiKey: 'hush-1234${'", "apiKey: '${hush-1234}'",
		`apiKey: "hush-1234\n"`, `apiKey: "hush-1234\0"`, "apiKey: \"hush-1234", "apiKey: hush-1234: b", "headers: hush-1234", "headers: [hush-1234]",
		"headers: {a: [hush-1234]}", `headers: {a: "hush-1234\n"}`, "headers: {a: '${hush-1234}'}", "baseURL: ftp://a:hush-1234@b", "baseURL: http://a:hush-1234@%zz",
		"mcpServers: {a: {url: 'ftp://a:hush-1234@b'}}", "mcpServers: {a: {command: x, args: hush-1234}}", "mcpServers: {a: {command: x, env: hush-1234}}",
		"mcpServers: {a: {command: x, env: {TOKEN: '${hush-1234}'}}}", "mmConfigs: {a: {path: a, env: hush-1234}}",
	} {
		got := newWorld(t, "mm.yaml", yaml).problems()
		if len(got) == 0 {
			t.Errorf("%s: no problem", yaml)
		}
		if strings.Contains(strings.Join(got, "\n"), "hush-1234") {
			t.Errorf("%s: %v", yaml, got)
		}
	}
}
