package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
)

// TestGenerated writes, with -update, what is made from the table, and fails when it is stale.
func TestGenerated(t *testing.T) {
	golden(t, filepath.Join("..", "docs", "agent-file.schema.json"), string(Schema()))
	golden(t, filepath.Join("..", "docs", "reference", "agent-file.md"), reference(t))
}

type variable struct{ Variable, Key string }

func reference(t *testing.T) string {
	t.Helper()
	funcs := template.FuncMap{
		"example": func(name string) (string, error) {
			data, err := os.ReadFile(filepath.Join("testdata", "examples", name))
			return strings.ReplaceAll(string(data), "\r\n", "\n"), err
		},
		"table":    func(path string) string { return keyTable(rulesAt(t, path)) },
		"doc":      func(path string) string { return specAt(t, path).doc },
		"namesSay": func(path string) string { return specAt(t, path).name.says },
		"command":  func(s LSPServer) string { return strings.Join(append([]string{s.Command}, s.Args...), " ") },
		"extensions": func(s LSPServer) string {
			return strings.Join(quotedCode(s.Extensions), ", ")
		},
	}
	path := filepath.Join("testdata", "agent-file.md.tmpl")
	tmpl, err := template.New(filepath.Base(path)).Funcs(funcs).ParseFiles(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	out.WriteString("<!-- Generated from agents/: go generate ./agents -->\n\n")
	if err := tmpl.Execute(&out, referenceData(t)); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}

func referenceData(t *testing.T) map[string]any {
	var expanded []string
	var overrides []variable
	eachKey(agentFile().rules, "", func(path string, s *spec) {
		if s.expand {
			expanded = append(expanded, path)
		}
		if s.override != "" {
			overrides = append(overrides, variable{s.override, s.key})
		}
	})
	const faults = "modle: qwen3:8b\nmaxTurns: 0\nyolo: no\nmmConfig:\n  jan: jan.yaml\n"
	problems := newWorld(t, "mm.yaml", faults).problems()
	return map[string]any{"SchemaURL": SchemaURL, "KnownServers": knownServers(), "Providers": Providers(),
		"Expanded": expanded, "Overrides": overrides, "Problems": strings.Join(problems, "\n") + "\n"}
}

// specAt finds a key by its path.
func specAt(t *testing.T, path string) *spec {
	t.Helper()
	r := agentFile().rules
	var s *spec
	for _, key := range strings.Split(path, ".") {
		if s != nil {
			r = *s.object
		}
		if s = r.find(key); s == nil {
			t.Fatalf("no key %s", path)
		}
	}
	return s
}

// rulesAt finds the keys behind a path: of a map, of what a map or list holds, of the file for "".
func rulesAt(t *testing.T, path string) rules {
	t.Helper()
	if path == "" {
		return agentFile().rules
	}
	s := specAt(t, path)
	if s.elem != nil {
		s = s.elem
	}
	return *s.object
}

func keyTable(r rules) string {
	var out strings.Builder
	out.WriteString("| key | value | default | meaning |\n|---|---|---|---|\n")
	for _, s := range r.fields {
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", s.key, cell(valueWords(s)), cell(defaultWords(s)), cell(keyWords(s)))
	}
	return out.String()
}

func cell(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

func keyWords(s *spec) string {
	words := s.doc
	if s.override != "" {
		words += " Overridden by `" + s.override + "`."
	}
	return words
}

func defaultWords(s *spec) string {
	switch {
	case s.def != nil:
		return fmt.Sprintf("`%v`", defaultValue(s.def))
	case s.unset != "":
		return s.unset
	}
	return ""
}

// valueWords says what a key takes.
func valueWords(s *spec) string {
	limits := ""
	switch {
	case s.positive:
		limits = ", over 0 and at most " + plain(*s.high)
	case s.low != nil:
		limits = ", " + plain(*s.low) + " to " + plain(*s.high)
	}
	switch s.kind {
	case kindWhole:
		return "whole number" + limits
	case kindNumber:
		return "number" + limits
	case kindBool:
		return "true or false"
	case kindDuration:
		return "duration, at most 24 hours"
	case kindTexts:
		return "list of text"
	case kindPairs:
		return "map of text"
	case kindJSON:
		return "map"
	case kindObject:
		return "map"
	case kindMap:
		return "map of " + s.name.noun + "s"
	case kindList:
		return "list of hooks"
	}
	switch {
	case len(s.choices) > 0:
		return strings.Join(quotedCode(s.choices), ", ")
	case s.path:
		return "path"
	case s.program:
		return "program"
	}
	return "text"
}
