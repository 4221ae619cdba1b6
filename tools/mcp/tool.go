package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/clip"
	"github.com/mini-me/mm/internal/schema"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

const (
	// patience is how much longer than its timeout the watchdog waits for a call, so that the call's
	// own reason arrives.
	patience = 5 * time.Second
	// maxLine is how many characters of the arguments the terminal's line shows. The question for
	// permission shows all.
	maxLine = 200
	// maxToolText is how long a tool's description may be: some model servers take no more.
	maxToolText = 1024
)

// Tool is a tool of an MCP server. It stays usable when its server ends and is started again.
type Tool struct {
	server *server
	name   string // the server's own
	raw    string // what the server says of it, to see whether it has changed
	spec   tools.Spec
	check  *schema.Schema
}

func newTool(s *server, name, description string, parameters json.RawMessage, raw string) *Tool {
	description = clip.To(strings.TrimSpace(description), maxToolText)
	if description == "" {
		description = name + ", a tool of the MCP server " + s.Name
	}
	return &Tool{
		server: s, name: name, raw: raw, check: schema.Lenient(parameters),
		spec: tools.Spec{
			Name: s.all.o.Names.claim(s, name), Description: description, Parameters: declared(parameters),
			Counter: tools.Counter{Icon: "🧩", Noun: "mcp call"},
		},
	}
}

// Spec declares the tool.
func (t *Tool) Spec() tools.Spec { return t.spec }

// Prepare checks the arguments against the server's own schema. Whether a tool only reads is what
// its server says of itself, so it isn't relied on.
func (t *Tool) Prepare(_ context.Context, c tools.Call) tools.Plan {
	p := tools.Plan{Title: t.spec.Name, Kind: consent.KindOther, Asks: consent.UnlessYolo, Patience: patience}
	if t.server.Ask {
		p.Asks = consent.Always
	}
	args := c.Args
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, args); err != nil || compact.Bytes()[0] != '{' {
		p.Refused = fmt.Sprintf("[%s: the arguments must be a JSON object]", t.spec.Name)
		return p
	}
	if compact.Len() > len("{}") {
		p.Title = compact.String()
	}
	p.Line = "🧩 " + t.spec.Name
	if p.Title != t.spec.Name {
		p.Line += ": " + clip.To(p.Title, maxLine)
	}
	if err := t.check.Check(args); err != nil {
		p.Refused = fmt.Sprintf("[%s: the arguments don't fit: %v]", t.spec.Name, err)
		return p
	}
	r := request{id: c.ID, tool: t.name, args: compact.Bytes(), silence: t.server.all.o.Silence}
	p.Run = func(ctx context.Context, host ui.Host) tools.Result {
		r.host = host
		return t.run(ctx, r)
	}
	return p
}

// run makes the call and words what came of it.
func (t *Tool) run(ctx context.Context, r request) tools.Result {
	limit := t.server.all.o.MaxOutput
	text, failed, err := t.server.call(ctx, r, limit)
	if err != nil {
		return tools.Result{Text: tools.Truncate(failure(ctx, t, err), limit), Failed: true}
	}
	if failed && strings.TrimSpace(text) == "" {
		text = "[" + t.spec.Name + " failed without saying why]"
	}
	return tools.Result{Text: tools.Truncate(text, limit), Failed: failed}
}
