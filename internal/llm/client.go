package llm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/mini-me/mm/internal/llm/script"
)

// Client is the Model that New makes.
type Client struct {
	opts Options
	means

	mu    sync.Mutex
	found target // guarded by mu; what is known of the server so far
}

// means are what a client works with; tests put others in their place. Clients of one server share
// them.
type means struct {
	http  *http.Client
	sleep func(ctx context.Context, d time.Duration) error
	now   func() time.Time
	// patience is how long the usage is waited for behind the finish.
	patience time.Duration
	// jitter is a number from 0 up to 1.
	jitter func() float64
}

// target is where requests go.
type target struct {
	provider string
	kind     string // of the server: a known provider's name, "" when not known
	base     string
	model    string
	quirks   quirks
	window   window
	images   images
}

// New checks the options and makes a Model of them. It reads the script of provider "scripted" and
// does no other input or output: the server is found at first use.
func New(o Options) (Model, error) {
	c := &Client{opts: o, means: means{sleep: o.Sleep, now: time.Now, patience: 5 * time.Second, jitter: rand.Float64}}
	if c.sleep == nil {
		c.sleep = sleep
	}
	switch o.ToolCalls {
	case "", "auto", "native", "text":
	default:
		return nil, fmt.Errorf("toolCalls %q: want auto, native or text", o.ToolCalls)
	}
	transport := o.Transport
	if o.Provider == Scripted {
		player, err := c.player()
		if err != nil {
			return nil, err
		}
		transport = player
	}
	if transport == nil {
		transport = newTransport()
	}
	c.http = &http.Client{Transport: transport}
	return c, c.setTarget()
}

func (c *Client) player() (*script.Player, error) {
	text := c.opts.ScriptBytes
	if text == nil {
		if c.opts.Script == "" {
			return nil, errors.New("provider scripted needs a script: FILE")
		}
		var err error
		if text, err = os.ReadFile(c.opts.Script); err != nil {
			return nil, fmt.Errorf("reading the script: %w", err)
		}
	}
	s, err := script.Parse(c.opts.Script, text)
	if err != nil {
		return nil, err
	}
	return script.NewPlayer(s), nil
}

// setTarget takes from the options what they say about the server.
func (c *Client) setTarget() error {
	o := &c.opts
	t := target{provider: o.Provider, base: o.BaseURL, model: o.Model}
	if known(o.Provider) {
		t.kind = o.Provider
	}
	if t.base == "" {
		t.base = DefaultURL(o.Provider)
	}
	if t.base == "" && o.Provider != "" {
		return fmt.Errorf("provider %q needs a baseURL", o.Provider)
	}
	if t.base != "" {
		base, err := checkURL(t.base)
		if err != nil {
			return err
		}
		t.base = base
	}
	if o.Provider == Scripted && t.model == "" {
		t.model = Scripted
	}
	c.found = t
	return nil
}

// newTransport is net/http's, with time limits on what needs none of the model's thinking.
// Compression is off: it would only hold pieces of a stream back.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true,
		DisableCompression:  true,
		MaxIdleConnsPerHost: 4,
		IdleConnTimeout:     time.Minute,
	}
}

// shown is the base URL without what may be secret in it.
func (t target) shown() string {
	u, err := url.Parse(t.base)
	if err != nil {
		return "the server"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// Name returns the model's name, "" until it is known.
func (c *Client) Name() string { return c.target().model }

// Provider returns the provider's name, "" until a server was found.
func (c *Client) Provider() string {
	t := c.target()
	if t.provider == "" && t.base != "" {
		return t.shown()
	}
	return t.provider
}

func (c *Client) target() target {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.found
}

// update changes what is known of the server and returns it.
func (c *Client) update(change func(*target)) target {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.found)
	return c.found
}

// Close gives the idle connections back.
func (c *Client) Close() { c.http.CloseIdleConnections() }

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
