package doctest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEmbed builds the program of docs/how-to/embed.md in a module of its own, where internal
// packages can't be imported, and lets it ask two agents.
func TestEmbed(t *testing.T) {
	list, err := blocks(filepath.Join(root, "docs", "how-to", "embed.md"))
	if err != nil {
		t.Fatal(err)
	}
	var program string
	for _, b := range list {
		if b.lang == "go" {
			program = b.text
		}
	}
	_, body, _ := strings.Cut(program, "func main() {\n")
	if n := strings.Count(body, "\n"); n > 31 {
		t.Errorf("the example's main has %d lines, more than 30", n-1)
	}
	dir := t.TempDir()
	module(t, dir)
	for name, text := range map[string]string{
		"main.go": program,
		"mm.yaml": "provider: scripted\nscript: s.yaml\nmmConfigs: {jan: jan.yaml, homer: homer.yaml}\n",
		// Their own yolo must not count.
		"jan.yaml":   "provider: scripted\nscript: jan.script.yaml\nyolo: true\n",
		"homer.yaml": "provider: scripted\nscript: homer.script.yaml\nyolo: true\n",
		"s.yaml":     "- reply: unused\n",
		"jan.script.yaml": "- when: {user: here}\n  reply: [call: {name: bash, arguments: {command: ls *.go}}]\n" +
			"- when: {tool: \"(?s)(.*)\"}\n  reply: \"I see $1\"\n",
		"homer.script.yaml": "- when: {user: here}\n  reply: [call: {name: bash, arguments: {command: rm main.go}}]\n" +
			"- when: {tool: \"(?s)(.*)\"}\n  reply: \"I read $1\"\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	mm := filepath.Join(build(t), "mm")
	cmd := exec.Command("go", "run", "-mod=mod", ".", mm)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	has(t, string(out), err, "jan: I see main.go", "homer: I read [command rejected by the user]")
	if _, err := os.Stat(filepath.Join(dir, "main.go")); err != nil {
		t.Error("a refused command has run")
	}
}

// module writes the go.mod of another module that uses this one, with this one's requirements.
func module(t *testing.T, dir string) {
	t.Helper()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(mod), "module example.com/embed")
	text += "\nrequire github.com/mini-me/mm v0.0.0\n\nreplace github.com/mini-me/mm => " + abs + "\n"
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"go.mod": []byte(text), "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
