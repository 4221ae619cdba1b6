//go:build linux || darwin

package lsp_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/lsp"
)

// host counts signs of life; the tool needs nothing else of a turn.
type host struct {
	ui.Host
	alive atomic.Int32
}

func (h *host) Alive() { h.alive.Add(1) }

// project is a folder with files, and the tool at work in it.
type project struct {
	t    *testing.T
	dir  string
	tool *lsp.Tool
}

// newProject writes the files of a txtar archive and makes the tool for the servers. The tool is
// closed with the test.
func newProject(t *testing.T, files string, servers ...lsp.Server) *project {
	t.Helper()
	p := &project{t: t, dir: t.TempDir()}
	for _, f := range txtar.Parse([]byte(files)).Files {
		p.write(f.Name, string(f.Data))
	}
	p.start(servers...)
	return p
}

func (p *project) start(servers ...lsp.Server) {
	p.t.Helper()
	tool, warnings := lsp.New(lsp.Options{Servers: servers, MaxOutput: 16000, Guard: os.Args[0], Version: "test", Log: p.t.Logf})
	if tool == nil {
		p.t.Fatal(warnings)
	}
	p.tool = tool
	p.t.Cleanup(tool.Close)
}

func (p *project) path(name string) string { return filepath.Join(p.dir, filepath.FromSlash(name)) }

func (p *project) write(name, data string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.path(name)), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.path(name), []byte(data), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) read(name string) string {
	p.t.Helper()
	data, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(data)
}

// prepare resolves a call whose arguments are JSON without the outer braces.
func (p *project) prepare(args string) tools.Plan {
	p.t.Helper()
	if !json.Valid([]byte("{" + args + "}")) {
		p.t.Fatalf("the test's arguments aren't JSON: %s", args)
	}
	return p.tool.Prepare(p.t.Context(), tools.Call{ID: "call00001", Args: json.RawMessage("{" + args + "}"), Cwd: p.dir})
}

// call makes a call and returns what the model reads.
func (p *project) call(args string) string {
	p.t.Helper()
	return p.callContext(p.t.Context(), args)
}

func (p *project) callContext(ctx context.Context, args string) string {
	p.t.Helper()
	plan := p.prepare(args)
	if plan.Refused != "" {
		return plan.Refused
	}
	return plan.Run(ctx, &host{}).Text
}

// expect makes a call and holds its text against the wanted one, in which DIR stands for the folder.
func (p *project) expect(args, want string) {
	p.t.Helper()
	if got := strings.ReplaceAll(p.call(args), p.dir, "DIR"); got != want {
		p.t.Errorf("%s\ngot:\n%s\nwant:\n%s", args, got, want)
	}
}

func testBinary(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func chmod(t *testing.T, path string) {
	t.Helper()
	if err := os.Chmod(path, 0o777); err != nil {
		t.Fatal(err)
	}
}

// shellQuote quotes a word for a shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// running reports whether a process lives. One that nobody has reaped doesn't.
func running(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}
