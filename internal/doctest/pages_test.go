package doctest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/llm/script"
)

const root = "../.."

// pages are README.md and all below docs/, relative to the root.
func pages(t *testing.T) []string {
	list := []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			rel, _ := filepath.Rel(root, path)
			list = append(list, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// elsewhere are pages whose blocks another package tries.
func elsewhere() map[string]string {
	return map[string]string{
		"docs/how-to/write-hooks.md":       "hooks",
		"docs/reference/scripted-model.md": "internal/llm",
		"docs/reference/agent-file.md":     "agents",
		"docs/how-to/embed.md":             "TestEmbed",
	}
}

// TestPages plays each page.
func TestPages(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the pages' commands are for a Unix shell")
	}
	mm := build(t)
	for _, page := range pages(t) {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			if elsewhere()[page] != "" {
				return
			}
			list, err := blocks(filepath.Join(root, page))
			if err != nil {
				t.Fatal(err)
			}
			p := newPlay(t, mm, page)
			for _, b := range list {
				if _, err := exec.LookPath("jq"); err != nil && strings.Contains(b.text, "jq ") {
					t.Skip("this page's commands need jq")
				}
				if b.orders["skip"] == "" {
					p.block(b)
				}
			}
		})
	}
}

// build makes the real binary, once.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "mm"), "./cmd/mm")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building mm: %v\n%s", err, out)
	}
	return dir
}

// play is a page being played.
type play struct {
	t    *testing.T
	page string
	dir  string
	at   string // the folder of the repository that the block at hand runs in, "" for dir
	env  []string
}

func newPlay(t *testing.T, mm, page string) *play {
	p := &play{t: t, page: page, dir: filepath.Join(t.TempDir(), "project")}
	home := t.TempDir()
	if err := os.Mkdir(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p.env = append(os.Environ(), "HOME="+home, "PATH="+mm+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1",
		"XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home, "MM_CONFIG=", "AGENT_YOLO=true", "MM_BASE_URL=", "GORACE=atexit_sleep_ms=0",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
	p.env = without(p.env, "AGENT_YOLO", "MM_ASK_DEPTH")
	p.env = append(p.env, goEnv(t)...)
	if text, err := os.ReadFile(p.data(strings.TrimSuffix(filepath.Base(page), ".md") + ".script.yaml")); err == nil {
		p.env = append(p.env, "MM_BASE_URL="+serve(t, string(text)))
	}
	p.run("git init -q && printf 'package main\\n\\nfunc main() { println(\"hello\") }\\n' >main.go && git add . && git commit -qm start && echo '// changed' >>main.go", "")
	return p
}

// serve is a model server that follows a script. Agents of the same instructions may have other
// tools, so llmtest's checks of that don't fit here.
func serve(t *testing.T, text string) (url string) {
	t.Helper()
	parsed, err := script.Parse("script", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(script.NewPlayer(parsed))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// goEnv lets commands in another HOME use Go's caches.
func goEnv(t *testing.T) []string {
	var env []string
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(out)))
	}
	return env
}

func without(env []string, names ...string) []string {
	var out []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		keep := true
		for _, n := range names {
			keep = keep && n != name
		}
		if keep {
			out = append(out, kv)
		}
	}
	return out
}

func (p *play) data(name string) string { return filepath.Join("testdata", name) }

func (p *play) errorf(b block, format string, args ...any) {
	p.t.Helper()
	p.t.Errorf("%s:%d: %s", p.page, b.line, fmt.Sprintf(format, args...))
}

func (p *play) block(b block) {
	p.t.Helper()
	if with := b.orders["with"]; with != "" {
		data, err := os.ReadFile(p.data(with))
		if err != nil {
			p.t.Fatal(err)
		}
		p.write(b, with, string(data))
	}
	if name := b.file(); name != "" {
		p.write(b, name, b.text)
	}
	p.at = b.orders["in"]
	switch b.lang {
	case "sh", "bash":
		if b.file() == "" {
			if out, err := p.run("set -e\n"+b.text, b.orders["stdin"]); err != nil {
				p.errorf(b, "%v\n%s", err, out)
			}
		}
	case "console":
		for _, s := range b.steps() {
			out, err := p.run(s.command, b.orders["stdin"])
			if !matches(s.want, out) {
				p.errorf(b, "$ %s\nprinted (%v):\n%s\nthe page says:\n%s", s.command, err, out, s.want)
			}
		}
	case "yaml":
		p.agentFile(b)
	case "json":
		if !json.Valid([]byte(b.text)) {
			p.errorf(b, "this isn't JSON")
		}
	}
}

func (p *play) write(b block, name, text string) {
	path := filepath.Join(p.dir, filepath.FromSlash(name))
	mode := os.FileMode(0o644)
	if strings.HasPrefix(text, "#!") {
		mode = 0o755
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		p.errorf(b, "%v", err)
	}
}

// agentFile reads a block as an agent file, unless it is a script (a list).
func (p *play) agentFile(b block) {
	if strings.HasPrefix(strings.TrimLeft(b.text, "#\n"), "- ") || strings.HasSuffix(b.file(), ".script.yaml") {
		return
	}
	name := b.file()
	if name == "" {
		name = fmt.Sprintf("line-%d.yaml", b.line)
		p.write(b, name, b.text)
		defer func() { _ = os.Remove(filepath.Join(p.dir, name)) }()
	}
	set := func(v string) (string, bool) { return "set", strings.Contains(b.text, "${"+v) }
	if _, err := agents.Load(name, agents.Env{Lookup: set, Home: p.dir, Dir: p.dir}); err != nil {
		p.errorf(b, "not an agent file: %v", err)
	}
}

// patience is how long one block may take.
const patience = 2 * time.Minute

// run runs a text with bash in the page's folder.
func (p *play) run(text, stdin string) (string, error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", text)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, p.env, 5*time.Second
	if p.at != "" {
		cmd.Dir = filepath.Join(root, p.at)
	}
	if stdin != "" {
		cmd.Stdin = strings.NewReader(strings.ReplaceAll(stdin, `\n`, "\n"))
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("not finished after %v", patience)
	}
	return string(out), err
}
