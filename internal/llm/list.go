package llm

import (
	"context"
	"time"
)

// listTime is how long a list of models is waited for.
const listTime = 5 * time.Second

// Lister is a Model whose server can tell which others it has.
type Lister interface {
	// List asks the server for its models.
	List(ctx context.Context) (Server, error)
	// With returns the same server with another of its models.
	With(model string) Model
}

// List asks the server for its models. It doesn't wait for a server that isn't ready.
func (c *Client) List(ctx context.Context) (Server, error) {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	t, err := c.resolve(ctx)
	if err != nil {
		return Server{}, c.explain(err)
	}
	if t.kind == Scripted {
		return Server{Kind: Scripted, Models: []string{t.model}, Loaded: []string{t.model}}, nil
	}
	s, err := c.inspect(ctx, t)
	if err != nil {
		return s, c.explain(err)
	}
	return s, nil
}

// With returns a Model of the same server: what was found out about the server holds for it too,
// what was found out about the model doesn't.
func (c *Client) With(model string) Model {
	n := &Client{opts: c.opts, means: c.means, found: c.target()}
	n.opts.Model = model
	n.found.model, n.found.quirks, n.found.window, n.found.images = model, quirks{}, window{}, images{}
	return n
}
