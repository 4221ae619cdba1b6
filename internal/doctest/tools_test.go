package doctest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/lsp"
	"github.com/mini-me/mm/tools/web"
)

//go:generate go test -run ^TestToolsPage$ -update .

var update = flag.Bool("update", false, "write the generated pages")

// TestToolsPage writes, with -update, docs/reference/tools.md from the tools' declarations and the
// words of testdata/tools.md.tmpl, and fails when it is stale.
func TestToolsPage(t *testing.T) {
	specs := map[string]tools.Spec{}
	for _, tool := range all(t) {
		specs[tool.Spec().Name] = tool.Spec()
	}
	used := map[string]bool{}
	funcs := template.FuncMap{
		"tool": func(name string) (string, error) {
			s, ok := specs[name]
			if !ok {
				return "", fmt.Errorf("no tool %s", name)
			}
			used[name] = true
			return declaration(s)
		},
	}
	tmpl, err := template.New("tools.md.tmpl").Funcs(funcs).ParseFiles(filepath.Join("testdata", "tools.md.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.NewBufferString("<!-- Generated from the tools' declarations: go generate ./internal/doctest -->\n\n")
	if err := tmpl.Execute(out, nil); err != nil {
		t.Fatal(err)
	}
	for name := range specs {
		if !used[name] {
			t.Errorf("the page lacks the tool %s", name)
		}
	}
	path := filepath.Join(root, "docs", "reference", "tools.md")
	if *update {
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, out.Bytes()) {
		t.Errorf("%s is stale (%v): go generate ./internal/doctest", path, err)
	}
}

// all are the built-in tools.
func all(t *testing.T) []tools.Tool {
	t.Helper()
	server, warnings := lsp.New(lsp.Options{Servers: []lsp.Server{{Name: "gopls", Command: "go", Extensions: []string{".go"}}}})
	if server == nil {
		t.Fatal(warnings)
	}
	files := tools.FileOptions{}
	return []tools.Tool{
		tools.NewBash(tools.BashOptions{}), tools.NewReadFile(files), tools.NewWriteFile(files), tools.NewEditFile(files), server,
		tools.NewReadSkill("skills", []tools.Skill{{Name: "release", Description: "how a release is made"}}, 0),
		tools.NewAskAgent(tools.AskAgentOptions{Agents: []tools.Agent{{Name: "jan", Role: "reviews code"}}}),
		tools.NewPlan(&tools.PlanState{}), tools.NewAskUser(), web.New(web.Options{}),
	}
}

// declaration is what the model is told: the description, and a table of the fields in their order.
func declaration(s tools.Spec) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "> %s\n\n| field | type | |\n|---|---|---|\n", strings.ReplaceAll(s.Description, "\n", "\n> "))
	var schema struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if err := json.Unmarshal(s.Parameters, &schema); err != nil {
		return "", err
	}
	required := map[string]bool{}
	for _, name := range schema.Required {
		required[name] = true
	}
	return b.String() + fields("", schema.Properties, required), nil
}

// fields are the rows of the properties, in the order in which they are declared.
func fields(prefix string, properties json.RawMessage, required map[string]bool) string {
	var b strings.Builder
	dec := json.NewDecoder(bytes.NewReader(properties))
	_, _ = dec.Token() // {
	for dec.More() {
		name, _ := dec.Token()
		var p struct {
			Type        string   `json:"type"`
			Description string   `json:"description"`
			Enum        []string `json:"enum"`
			Items       *struct {
				Type        string          `json:"type"`
				Description string          `json:"description"`
				Properties  json.RawMessage `json:"properties"`
				Required    []string        `json:"required"`
			} `json:"items"`
		}
		if dec.Decode(&p) != nil {
			break
		}
		key, words := prefix+fmt.Sprint(name), p.Description
		if len(p.Enum) > 0 {
			words = strings.TrimSpace("`" + strings.Join(p.Enum, "` `") + "` " + words)
		}
		kind := p.Type
		if p.Items != nil {
			kind += " of " + p.Items.Type
			words = strings.TrimSpace(words + " " + p.Items.Description)
		}
		if required[fmt.Sprint(name)] {
			words = strings.TrimSpace("required. " + words)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", key, kind, words)
		if p.Items != nil && p.Items.Properties != nil {
			need := map[string]bool{}
			for _, n := range p.Items.Required {
				need[n] = true
			}
			b.WriteString(fields(key+"[].", p.Items.Properties, need))
		}
	}
	return b.String()
}
