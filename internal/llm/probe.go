package llm

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// How a model was seen to call a tool.
const (
	ToolsNative  = "native"  // as a call
	ToolsText    = "text"    // as text, which is understood
	ToolsRefused = "refused" // the server takes no tools: they are declared in the prompt
	ToolsUnused  = "unused"  // it was asked to and didn't
)

// Report is what Probe found.
type Report struct {
	Provider string
	BaseURL  string
	Model    string
	Server   Server
	Window   int // the context window that is used

	// Streams reports whether the answer came in pieces.
	Streams bool
	// FirstToken is how long the first piece of an answer took, the reading of its short prompt and
	// the loading of the model included.
	FirstToken time.Duration
	Tools      string // one of the constants above
}

// Probe finds out what "mm check" tells about a model: which server, which models, which window, and
// with one tiny request each whether it streams and calls tools. on is told what is waited for; it
// waits for a server that isn't ready until ctx ends. With an error the Report holds what was found
// until then.
func Probe(ctx context.Context, m Model, on func(Event) error) (Report, error) {
	c, ok := m.(*Client)
	if !ok {
		return Report{Provider: m.Provider(), Model: m.Name()}, errors.New("this model can't be probed")
	}
	r := Report{}
	err := c.probe(ctx, &r, on)
	t := c.target()
	r.Provider, r.BaseURL, r.Model = c.Provider(), t.shown(), t.model
	return r, err
}

func (c *Client) probe(ctx context.Context, r *Report, on func(Event) error) error {
	if err := c.probeStream(ctx, r, on); err != nil {
		return err
	}
	if err := c.probeTools(ctx, r, on); err != nil {
		return err
	}
	t := c.target()
	s, err := c.inspect(ctx, t)
	if err != nil && t.kind != Scripted {
		return c.explain(err)
	}
	r.Server = s
	r.Window = c.Window(ctx)
	return nil
}

// probeStream asks for a few words.
func (c *Client) probeStream(ctx context.Context, r *Report, on func(Event) error) error {
	start := c.now()
	request := Request{Messages: []Message{{Role: RoleUser, Content: "Count from 1 to 5."}}}
	reply, err := c.stream(ctx, request, limits{maxTokens: 64}, func(e Event) error {
		if r.FirstToken == 0 && (e.Text != "" || e.Thought != "") {
			r.FirstToken = c.now().Sub(start)
		}
		if e.Waiting != "" {
			start = c.now()
			return on(e)
		}
		return nil
	})
	r.Streams = reply.pieces > 1
	return err
}

// probeTools asks for a call.
func (c *Client) probeTools(ctx context.Context, r *Report, on func(Event) error) error {
	request := Request{
		Messages: []Message{{Role: RoleUser, Content: "Call the tool echo with the text ok."}},
		Tools: []Tool{{Name: "echo", Description: "Returns the text.", Parameters: json.RawMessage(
			`{"type":"object","properties":{"text":{"type":"string","description":"the text"}},"required":["text"]}`)}},
	}
	r.Tools = ToolsUnused
	reply, err := c.stream(ctx, request, limits{maxTokens: 1024}, func(e Event) error {
		if e.Waiting != "" {
			return on(e)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case c.target().quirks.noTools:
		r.Tools = ToolsRefused
	case len(reply.Message.Calls) > 0 && reply.AsText:
		r.Tools = ToolsText
	case len(reply.Message.Calls) > 0:
		r.Tools = ToolsNative
	}
	return nil
}
