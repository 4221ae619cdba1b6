package lsp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sourcegraph/jsonrpc2"
)

// maxRounds bounds how often a server that is still getting ready is asked the same.
const maxRounds = 3

// Codes of LSP 3.17 for requests that were overtaken by events and can be made again.
const (
	codeServerCancelled = -32802
	codeContentModified = -32801
)

// act answers an action that changes nothing.
func (c *conn) act(ctx context.Context, q request) (string, error) {
	if q.action == diagnostics {
		return c.diagnose(ctx, q)
	}
	d, err := c.openFor(ctx, q)
	if err != nil {
		return "", err
	}
	switch q.action {
	case symbols:
		return c.outline(ctx, q, d)
	case hoverAction:
		var h hover
		err := c.find(ctx, q, d, func(p position) (bool, error) {
			h = hover{}
			err := c.ask(ctx, d, "textDocument/hover", positionParams{TextDocument: documentID{d.uri}, Position: p}, &h)
			return strings.TrimSpace(string(h.Contents)) != "", err
		})
		return string(h.Contents), err
	}
	return c.locate(ctx, q, d)
}

// able reports an error when the server doesn't answer the action's request.
func (c *conn) able(action string) error {
	methods := map[string][2]string{
		definition:  {"textDocument/definition", "definitionProvider"},
		references:  {"textDocument/references", "referencesProvider"},
		hoverAction: {"textDocument/hover", "hoverProvider"},
		symbols:     {"textDocument/documentSymbol", "documentSymbolProvider"},
		rename:      {"textDocument/rename", "renameProvider"},
	}
	if m := methods[action]; !c.supports(m[0], m[1]) {
		return errors.New("the server doesn't support it")
	}
	return nil
}

// openFor gives the server the request's file, waits until it is ready for questions, and sees
// whether it takes that kind: some offer what they do only once they have started.
func (c *conn) openFor(ctx context.Context, q request) (*document, error) {
	d, _, err := c.open(ctx, q.path)
	if err == nil {
		err = c.settle(ctx, d)
	}
	if err == nil {
		err = c.able(q.action)
	}
	return d, err
}

// ask sends a request, again where the server says that something came between.
func (c *conn) ask(ctx context.Context, d *document, method string, params, result any) error {
	for try := 1; ; try++ {
		err := c.askOnce(ctx, method, params, result)
		var e *jsonrpc2.Error
		again := errors.As(err, &e) && (e.Code == codeContentModified || e.Code == codeServerCancelled)
		if !again || try == maxRounds {
			return err
		}
		if err := c.settle(ctx, d); err != nil {
			return err
		}
	}
}

func (c *conn) askOnce(ctx context.Context, method string, params, result any) error {
	ctx, cancel := context.WithTimeoutCause(ctx, c.limits.request, errSlow{after: c.limits.request})
	defer cancel()
	return c.call(ctx, method, params, result)
}

// find asks about the places of the request's symbol in order until the server has an answer, and
// all over again while the server reports that it is getting ready.
func (c *conn) find(ctx context.Context, q request, d *document, ask func(position) (found bool, err error)) error {
	list, refused := q.positions(d.text)
	if refused != "" {
		return refusal(refused)
	}
	for round := 1; ; round++ {
		begun := c.beginnings()
		found, refusedBy, err := tryEach(list, ask)
		switch {
		case err != nil:
			return err
		case found:
			c.update(func() { c.complaint = "" }) // it can't be why something else isn't found
			return nil
		case round < maxRounds && c.stirs(begun):
			if err := c.settle(ctx, d); err != nil {
				return err
			}
		case refusedBy != nil:
			return refusedBy
		default:
			return c.nothing(q, d, list[0])
		}
	}
}

// tryEach asks about the places in order. A place that the server refuses is passed over; its
// error counts when the server refuses every one.
func tryEach(list []position, ask func(position) (bool, error)) (found bool, refused, err error) {
	empty := false
	for _, p := range list {
		found, err := ask(p)
		var e *jsonrpc2.Error
		switch {
		case errors.As(err, &e):
			if refused == nil {
				refused = err
			}
		case err != nil || found:
			return found, nil, err
		default:
			empty = true
		}
	}
	if empty {
		refused = nil
	}
	return false, refused, nil
}

// nothing is the text for a symbol that the server knows nothing about. An error that the server
// wanted to show may be the reason.
func (c *conn) nothing(q request, d *document, p position) error {
	where := fmt.Sprintf("%s:%d:%d", q.name, p.Line+1, d.text.column(p))
	s := fmt.Sprintf("[lsp: no %s found for the symbol at %s]", q.action, where)
	if q.action == rename {
		s = fmt.Sprintf("[lsp: %s: rename failed: nothing to rename at %s]", c.server.Name, where)
	}
	return refusal(s + c.complained() + c.unfinished())
}

// complained is the last error that the server wanted to show, on a line of its own.
func (c *conn) complained() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.complaint == "" {
		return ""
	}
	return "\n" + c.server.Name + " says: " + c.complaint
}
