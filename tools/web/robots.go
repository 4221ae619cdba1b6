package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/mini-me/mm/tools/web/robots"
)

const (
	agent           = "mm"           // the product token that robots.txt names
	robotsAge       = 24 * time.Hour // how long a robots.txt is kept
	robotsKept      = 256            // of so many origins
	robotsRedirects = 5              // RFC 9309 2.3.1.2
)

// Robots keeps the robots.txt of each origin for 24 hours. One that couldn't be read isn't kept: the
// next call asks again. It may be used by several goroutines.
type Robots struct {
	now func() time.Time

	mu   sync.Mutex
	kept map[string]keptRobots // by origin; guarded by mu
}

type keptRobots struct {
	file *robots.File
	read time.Time
}

// NewRobots returns an empty store. now is the clock; nil: time.Now.
func NewRobots(now func() time.Time) *Robots {
	if now == nil {
		now = time.Now
	}
	return &Robots{now: now, kept: map[string]keptRobots{}}
}

func (r *Robots) lookup(origin string) *robots.File {
	r.mu.Lock()
	defer r.mu.Unlock()
	k, ok := r.kept[origin]
	if !ok || r.now().Sub(k.read) >= robotsAge {
		return nil
	}
	return k.file
}

func (r *Robots) keep(origin string, f *robots.File) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.kept) >= robotsKept {
		oldest := ""
		for o, k := range r.kept {
			if oldest == "" || k.read.Before(r.kept[oldest].read) {
				oldest = o
			}
		}
		delete(r.kept, oldest)
	}
	r.kept[origin] = keptRobots{f, r.now()}
}

// origin is the scheme, host and port of a URL.
func origin(u *url.URL) *url.URL {
	host := strings.ToLower(u.Host)
	if port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; strings.HasSuffix(host, port) {
		host = strings.TrimSuffix(host, port)
	}
	return &url.URL{Scheme: u.Scheme, Host: host}
}

// allowed returns a fault when robots.txt forbids a page, or can't be read.
func (c *client) allowed(ctx context.Context, u *url.URL) *fault {
	o := origin(u)
	file := c.t.o.Robots.lookup(o.String())
	if file == nil {
		var f *fault
		if file, f = c.readRobots(ctx, o); f != nil {
			return f
		}
		c.t.o.Robots.keep(o.String(), file)
	}
	if !file.Allowed(agent, u) {
		return faultf(input, "robots.txt of %s forbids %s to mm", o, u.Redacted())
	}
	return nil
}

// readRobots reads the robots.txt of an origin. An answer of 4xx allows everything; one of 5xx or
// none at all forbids everything (tools.fr.md, robots.txt). One that redirects more than five times
// counts as one that isn't there (RFC 9309 2.3.1.2).
func (c *client) readRobots(ctx context.Context, o *url.URL) (*robots.File, *fault) {
	unread := func(why string) *fault {
		return faultf(input, "robots.txt of %s can't be read (%s), so nothing may be fetched there", o, why)
	}
	u := o.JoinPath("/robots.txt")
	for hop := 0; ; hop++ {
		resp, f := c.get(ctx, u, "text/plain")
		if f != nil {
			if ctx.Err() != nil || f.noHost && hop == 0 {
				return nil, f // no page there either
			}
			return nil, unread(f.reason)
		}
		to, f := target(resp, u)
		if to == nil {
			defer resp.Body.Close()
		} else {
			resp.Body.Close()
		}
		switch {
		case f != nil:
			return nil, unread(f.reason)
		case to != nil && hop == robotsRedirects:
			return &robots.File{}, nil
		case to != nil:
			u = to
			continue
		case resp.StatusCode >= 400 && resp.StatusCode < 500:
			return &robots.File{}, nil
		case resp.StatusCode < 200 || resp.StatusCode >= 300:
			return nil, unread(status(resp))
		}
		text, _, err := c.read(resp, robots.MaxSize)
		if err != nil && err != errTooLarge {
			if ctx.Err() != nil {
				return nil, c.t.unreachable(ctx, u, err)
			}
			return nil, unread(cause(err))
		}
		return robots.Parse(text), nil
	}
}

// status is the status of an answer in words.
func status(resp *http.Response) string {
	if text := http.StatusText(resp.StatusCode); text != "" {
		return fmt.Sprintf("HTTP status %d %s", resp.StatusCode, text)
	}
	return fmt.Sprintf("HTTP status %d", resp.StatusCode)
}
