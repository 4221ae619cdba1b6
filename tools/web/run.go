package web

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/web/markdown"
)

// timeout is how long all of a fetch may take.
const timeout = 30 * time.Second

// run fetches the page and returns or saves it. Nothing is written unless all went well.
func (t *tool) run(ctx context.Context, r request, host ui.Host) tools.Result {
	md, f := t.markdown(ctx, r, host)
	switch {
	case f != nil:
		return tools.Result{Text: f.text(), Failed: true}
	case md == "":
		return tools.Result{
			Text:   fmt.Sprintf("[%s: %s has no text content once scripts, navigation and ads are removed — nothing saved]", name, r.url.Redacted()),
			Failed: r.output != "",
		}
	case r.output == "":
		return tools.Result{Text: tools.Truncate(md, t.o.MaxOutput)}
	}
	change, f := t.save(ctx, r, md)
	if f != nil {
		return tools.Result{Text: f.text(), Failed: true}
	}
	return tools.Result{
		Text: fmt.Sprintf("[%s: saved %d lines of Markdown (%d bytes) from %s to %s — the content is not shown]",
			name, strings.Count(md, "\n"), len(md), r.url.Redacted(), r.output),
		Files: []ui.FileChange{change},
	}
}

// markdown fetches and converts the page.
func (t *tool) markdown(ctx context.Context, r request, host ui.Host) (string, *fault) {
	ctx, cancel := context.WithTimeoutCause(ctx, t.o.timeout, errTimeout)
	defer cancel()
	c := t.newClient(host.Alive)
	defer c.close()
	p, f := c.fetch(ctx, r.url)
	if f != nil {
		return "", f
	}
	o := r.options
	if o.BaseURL == "" {
		o.BaseURL = p.url.String()
	}
	md, err := markdown.Convert(bytes.NewReader(p.text), o)
	if err != nil {
		return "", faultf(conversion, "%s can't be converted: %v", p.url.Redacted(), err)
	}
	return md, nil
}
