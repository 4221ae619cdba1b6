package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/mcp"
)

// host is what a turn lends to a call: it counts signs of life and answers questions.
type host struct {
	ui.Host
	alive atomic.Int32
	mu    sync.Mutex
	forms []ui.Form // guarded by mu
	reply func(context.Context, ui.Form) ui.FormReply
}

func (h *host) Alive() { h.alive.Add(1) }

func (h *host) AskUser(ctx context.Context, f ui.Form) ui.FormReply {
	h.mu.Lock()
	h.forms = append(h.forms, f)
	h.mu.Unlock()
	if h.reply == nil {
		return ui.FormReply{State: ui.Nobody}
	}
	return h.reply(ctx, f)
}

// bench is servers at work in a test.
type bench struct {
	t       *testing.T
	servers *mcp.Servers
	host    *host
	notes   string
}

// fakeServer is the test binary as a server with the given manners.
func fakeServer(name, mode, notes string, env ...string) mcp.Server {
	if mode == "" {
		mode = "plain"
	}
	s := mcp.Server{Name: name, Command: os.Args[0], Env: map[string]string{"MCP_FAKE": mode, "MCP_NOTE": notes}}
	for _, kv := range env {
		k, v, _ := strings.Cut(kv, "=")
		s.Env[k] = v
	}
	return s
}

// newBench makes servers, which end with the test.
func newBench(t *testing.T, o mcp.Options) *bench {
	t.Helper()
	b := &bench{t: t, host: &host{}}
	o.Guard, o.Version, o.Log = os.Args[0], "test", t.Logf
	if o.MaxOutput == 0 {
		o.MaxOutput = 16000
	}
	b.servers = mcp.New(o)
	b.servers.SetLimits(mcp.Limits{Prompt: time.Minute}) // machines that run tests are busy
	t.Cleanup(b.servers.Close)
	return b
}

// newFake makes one server with the given manners, named "fake".
func newFake(t *testing.T, mode string, o mcp.Options, env ...string) *bench {
	t.Helper()
	notes := filepath.Join(t.TempDir(), "notes")
	o.Servers = []mcp.Server{fakeServer("fake", mode, notes, env...)}
	b := newBench(t, o)
	b.notes = notes
	return b
}

// noted is what the server has noted so far.
func (b *bench) noted() string {
	data, _ := os.ReadFile(b.notes)
	return string(data)
}

// starts is how often the server was started.
func (b *bench) starts() int { return strings.Count(b.noted(), "started") }

func (b *bench) names() []string {
	var names []string
	for _, t := range b.servers.Tools(b.t.Context()) {
		names = append(names, t.Spec().Name)
	}
	return names
}

func (b *bench) tool(name string) tools.Tool {
	b.t.Helper()
	for _, t := range b.servers.Tools(b.t.Context()) {
		if t.Spec().Name == name {
			return t
		}
	}
	b.t.Fatalf("no tool %s among %q; %v; %q", name, b.names(), b.servers.Status(), b.servers.Warnings())
	return nil
}

func (b *bench) plan(name, args string) tools.Plan {
	b.t.Helper()
	return b.tool(name).Prepare(b.t.Context(), tools.Call{ID: "call-1", Args: json.RawMessage(args), Cwd: b.t.TempDir()})
}

// call runs a tool within 20 s.
func (b *bench) call(name, args string) tools.Result {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), 20*time.Second)
	defer cancel()
	return b.callIn(ctx, name, args)
}

func (b *bench) callIn(ctx context.Context, name, args string) tools.Result {
	b.t.Helper()
	p := b.plan(name, args)
	if p.Refused != "" {
		return tools.Result{Text: p.Refused, Failed: true}
	}
	return p.Run(ctx, b.host)
}

// want compares a result's text.
func want(t *testing.T, r tools.Result, failed bool, text string) {
	t.Helper()
	if r.Text != text || r.Failed != failed {
		t.Errorf("got failed=%v %q\nwant failed=%v %q", r.Failed, r.Text, failed, text)
	}
}

// eventually waits until wrong returns "".
func eventually(t *testing.T, wrong func() string) {
	t.Helper()
	for end := time.Now().Add(15 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		what := wrong()
		if what == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatal(what)
		}
	}
}
