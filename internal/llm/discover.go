package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// discoverTime is how long a server on this machine has to answer.
const discoverTime = 300 * time.Millisecond

// Found is a server on this machine.
type Found struct {
	Provider string
	BaseURL  string
	Server   Server
	// Loading means that it answers, but not yet about its models.
	Loading bool
}

// local are the providers that are looked for, in the order of preference.
func local() []string { return []string{Ollama, LlamaCPP, LMStudio, DockerModelRunner, VLLM} }

// Discover asks the usual ports of this machine for model servers, all at once, within 300 ms.
// transport may be nil.
func Discover(ctx context.Context, transport http.RoundTripper) []Found {
	m, err := New(Options{Transport: transport})
	if err != nil {
		return nil
	}
	c := m.(*Client)
	defer c.Close()
	return c.discover(ctx)
}

func (c *Client) discover(ctx context.Context) []Found {
	ctx, cancel := context.WithTimeout(ctx, discoverTime)
	defer cancel()
	providers := local()
	found := make([]*Found, len(providers))
	var all sync.WaitGroup
	for i, provider := range providers {
		all.Go(func() { found[i] = c.knock(ctx, provider) })
	}
	all.Wait()
	var list []Found
	for _, f := range found {
		if f != nil {
			list = append(list, *f)
		}
	}
	return list
}

// knock asks one address; nil when no model server answers. Any web server may use the port: only a
// list of models counts, or the word that a model is being loaded.
func (c *Client) knock(ctx context.Context, provider string) *Found {
	t := target{provider: provider, base: DefaultURL(provider)}
	s, err := c.inspect(ctx, t)
	var e *Error
	switch {
	case err == nil:
		return &Found{Provider: provider, BaseURL: t.base, Server: s}
	case errors.As(err, &e) && e.Kind == KindLoading:
		return &Found{Provider: provider, BaseURL: t.base, Loading: true}
	}
	return nil
}

// best prefers a server with a model, then one that loads one.
func best(found []Found) Found {
	for _, f := range found {
		if len(f.Server.Models) > 0 {
			return f
		}
	}
	for _, f := range found {
		if f.Loading {
			return f
		}
	}
	return found[0]
}

// noServer says what was tried and what to do.
func noServer() *Error {
	var tried []string
	for _, p := range local() {
		tried = append(tried, fmt.Sprintf("%s at %s", p, strings.TrimPrefix(DefaultURL(p), "http://")))
	}
	return &Error{
		Kind:    KindNoServer,
		Message: "no model server found on this machine: nothing answered for " + strings.Join(tried, ", "),
		Hint: "start one (`ollama run qwen3:4b`, or `llama-server --jinja -hf ggml-org/gemma-3-4b-it-GGUF`), " +
			"or set provider or baseURL in mm.yaml; `mm demo` shows mm without a model",
	}
}

// Resolve makes sure that the server and the model's name are known, asking the server if need be.
// It doesn't wait for a server that isn't ready.
func (c *Client) Resolve(ctx context.Context) error {
	if _, err := c.resolve(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return c.explain(err)
	}
	return nil
}

// Resolver is a Model that can find out its own name and provider before the first request.
type Resolver interface {
	Resolve(ctx context.Context) error
}

// resolve returns where to send a request, finding out what the options leave open.
func (c *Client) resolve(ctx context.Context) (target, error) {
	t := c.target()
	if t.base == "" {
		found := c.discover(ctx)
		if len(found) == 0 {
			if ctx.Err() != nil {
				return t, ctx.Err()
			}
			return t, noServer()
		}
		f := best(found)
		t = c.update(func(t *target) {
			t.provider, t.base, t.kind = f.Provider, f.BaseURL, f.Provider
			if f.Server.Kind != "" {
				t.kind = f.Server.Kind
			}
		})
	}
	if t.model != "" {
		return t, nil
	}
	return c.firstModel(ctx, t)
}

// firstModel takes the first chat model that the server lists.
func (c *Client) firstModel(ctx context.Context, t target) (target, error) {
	s, err := c.inspect(ctx, t)
	if err != nil {
		return t, err
	}
	for _, name := range s.Models {
		if m := (&listed{ID: name}); m.chats() {
			return c.update(func(t *target) {
				t.model = name
				if t.kind == "" {
					t.kind = s.Kind
				}
			}), nil
		}
	}
	hint := "load one, or set model"
	if t.kind == Ollama {
		hint = "get one: `ollama pull qwen3:4b`"
	}
	return t, &Error{Kind: KindNotFound, Message: "the server has no models", Hint: hint}
}
