package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// Options configure the lsp tool.
type Options struct {
	// Servers are those of the agent file. The first one that has an extension gets its files.
	Servers []Server
	// MaxOutput is the size of a result in characters.
	MaxOutput int
	// Guard is the executable for proc.Spec.Guard; "" runs servers without a guard.
	Guard string
	// Env is the environment that servers get, this process's own when nil.
	Env []string
	// Version is mm's, as servers are told.
	Version string
	// Log gets lines for the log; nil drops them.
	Log func(format string, args ...any)
}

// Tool is the lsp tool. The project of a call is its folder, Call.Cwd: a server runs once in each.
type Tool struct {
	o      Options
	spec   tools.Spec
	limits limits
	// ctx ends when Close is called.
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	slots  map[slotKey]*slot // guarded by mu
	closed bool              // guarded by mu
}

type slotKey struct{ root, server string }

// New looks for the servers' commands. It starts none. A server whose command isn't found is left
// out, with a warning; tool is nil when none is found, and the tool isn't declared then.
func New(o Options) (tool *Tool, warnings []string) {
	if o.Log == nil {
		o.Log = func(string, ...any) {}
	}
	var found []Server
	for _, s := range o.Servers {
		if _, ok := s.find(o.Env); !ok {
			warnings = append(warnings, fmt.Sprintf("lsp server %s (%s) not found on the PATH — skipped", s.Name, s.Command))
			continue
		}
		found = append(found, s)
	}
	if len(found) == 0 {
		return nil, warnings
	}
	o.Servers = found
	t := &Tool{o: o, limits: defaultLimits(), slots: map[slotKey]*slot{}}
	t.ctx, t.cancel = context.WithCancelCause(context.Background())
	t.spec = tools.Spec{
		Name: "lsp",
		Description: "Ask a language server about code. Servers available: " + t.labels() + ". Actions: definition, references, hover (type and documentation), " +
			"symbols (outline of a file), diagnostics (errors in a file), rename (an identifier, in all files).",
		Parameters: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string","enum":["definition","references","hover","symbols","diagnostics","rename"]},"path":{"type":"string"},"symbol":{"type":"string","description":"The identifier, as in the code"},"line":{"type":"integer","description":"Where symbol is, if it is in the file more than once"},"column":{"type":"integer","description":"Only without symbol"},"new_name":{"type":"string","description":"For rename"}},"required":["action","path"]}`),
		Counter:    tools.Counter{Icon: "🔎", Noun: "lsp call"},
	}
	return t, warnings
}

// Names are the servers that were found, in order; none for a nil Tool.
func (t *Tool) Names() []string {
	if t == nil {
		return nil
	}
	names := make([]string, len(t.o.Servers))
	for i, s := range t.o.Servers {
		names[i] = s.Name
	}
	return names
}

// Spec declares the tool.
func (t *Tool) Spec() tools.Spec { return t.spec }

// labels lists the servers: "gopls (.go), clangd (.c, .h)".
func (t *Tool) labels() string {
	list := make([]string, len(t.o.Servers))
	for i, s := range t.o.Servers {
		list[i] = s.label()
	}
	return strings.Join(list, ", ")
}

// Close ends the servers, all at the same time: shutdown, exit, then the process. Calls that run
// are cancelled. It returns when all are gone; a nil Tool has none.
func (t *Tool) Close() {
	if t == nil {
		return
	}
	t.cancel(errClosed)
	t.mu.Lock()
	t.closed = true
	slots := t.slots
	t.slots = nil
	t.mu.Unlock()
	var all sync.WaitGroup
	for _, s := range slots {
		all.Go(s.close)
	}
	all.Wait()
}

// slot returns the place of a server in a project.
func (t *Tool) slot(root string, s Server) (*slot, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errClosed
	}
	key := slotKey{root, s.Name}
	if t.slots[key] == nil {
		t.slots[key] = &slot{o: &t.o, limits: t.limits, server: s, root: root, turn: make(chan struct{}, 1)}
	}
	return t.slots[key], nil
}

// Prepare resolves a call. A rename asks the server here, since what it would change is what a
// person is asked about; nothing is changed.
func (t *Tool) Prepare(ctx context.Context, c tools.Call) tools.Plan {
	q, refused := read(c)
	p := tools.Plan{Title: "lsp", Kind: consent.KindRead, Refused: refused}
	if q.action == rename {
		p.Kind, p.RejectedAs, p.Asks = consent.KindEdit, "rename", consent.UnlessYolo
	}
	if q.name != "" {
		p.Title, p.Line = q.title(), "🔎 lsp: "+q.title()
		p.Locations = []consent.Location{{Path: q.path, Line: q.line}}
	}
	if refused != "" {
		return p
	}
	server, ok := t.serverFor(q.path)
	if !ok {
		p.Refused = fmt.Sprintf("[lsp: no language server for %q — configured: %s]", q.name, t.labels())
		return p
	}
	now, err := load(ctx, q.path)
	if err != nil {
		p.Refused = unreadable(q.name, err)
		return p
	}
	if q.pointed() {
		if _, p.Refused = q.positions(newText(now.text)); p.Refused != "" {
			return p
		}
	}
	if q.action == rename {
		if c.Alive != nil {
			defer pulse(c.Alive)()
		}
		return t.prepareRename(ctx, q, server, p)
	}
	p.Run = func(ctx context.Context, host ui.Host) tools.Result {
		defer pulse(host.Alive)()
		return t.navigate(ctx, q, server)
	}
	return p
}

func (t *Tool) serverFor(path string) (Server, bool) {
	for _, s := range t.o.Servers {
		if s.serves(filepath.Base(path)) {
			return s, true
		}
	}
	return Server{}, false
}

// navigate answers the actions that change nothing.
func (t *Tool) navigate(ctx context.Context, q request, server Server) tools.Result {
	var answer string
	err := t.use(ctx, q, server, func(ctx context.Context, c *conn) (err error) {
		answer, err = c.act(ctx, q)
		return err
	})
	if err != nil {
		return tools.Result{Text: tools.Truncate(failure(ctx, q, server, err), t.o.MaxOutput), Failed: true}
	}
	return tools.Result{Text: tools.Truncate(answer, t.o.MaxOutput)}
}

// use calls f with a connection to the server, within the time limit of a call.
func (t *Tool) use(ctx context.Context, q request, server Server, f func(context.Context, *conn) error) error {
	s, err := t.slot(q.root, server)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, t.limits.call, errSlow{after: t.limits.call})
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(t.ctx, func() { stop(errClosed) })()
	return s.use(ctx, func(c *conn) error { return f(ctx, c) })
}
