// Package web is the tool fetch_content: it fetches a web page and returns it as Markdown, or saves
// the Markdown in a file (tools.fr.md, fetch_content; supplement 14 to 16).
//
// A call goes through Prepare, which checks the arguments (failures of class usage), and Run:
// robots.txt and the page are requested, redirects are followed one by one, the body is
// decompressed, decoded (package charset) and converted (package markdown). Everything has a bound:
// 30 s for all of it, 5 MiB for the page, 10 redirects. Each connection is checked when it is made,
// so that no name and no redirect leads to a link-local or metadata address.
package web

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/web/markdown"
)

// name is the tool's name.
const name = "fetch_content"

// Options configure the tool. The zero value works.
type Options struct {
	Version   string // of mm, for User-Agent
	MaxOutput int    // characters of a result; 0: all
	// Files is where output is saved; nil: the disk.
	Files ui.FileSystem
	// Robots keeps what robots.txt files say; nil: the tool has its own. Tools that are made anew
	// for each session should share one.
	Robots *Robots
	// Resolver finds addresses; nil: the system's.
	Resolver *net.Resolver

	timeout time.Duration // for tests; 0: timeout
	proxy   func(*http.Request) (*url.URL, error)
}

// tool is fetch_content.
type tool struct {
	o    Options
	spec tools.Spec
}

// New returns the fetch_content tool.
func New(o Options) tools.Tool {
	if o.Files == nil {
		o.Files = tools.Disk{}
	}
	if o.Robots == nil {
		o.Robots = NewRobots(nil)
	}
	if o.timeout == 0 {
		o.timeout = timeout
	}
	if o.proxy == nil {
		o.proxy = http.ProxyFromEnvironment
	}
	return &tool{o: o, spec: tools.Spec{
		Name:        name,
		Description: "Fetch a web page as Markdown.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"},` +
			`"output":{"type":"string","description":"File to save the Markdown in; it is not returned then"},` +
			`"baseUrl":{"type":"string","description":"Absolute URL that relative links start from, if not the page's"},` +
			`"tables":{"type":"string","enum":["html","flatten"],"description":"Tables with merged cells: raw HTML (default) or cells copied"},` +
			`"strikethrough":{"type":"boolean"},"taskList":{"type":"boolean"}},"required":["url"]}`),
		Counter: tools.Counter{Icon: "🌐", Noun: "fetch"},
	}}
}

// Spec declares the tool.
func (t *tool) Spec() tools.Spec { return t.spec }

// args are the arguments of a call (tools.fr.md, fields of fetch_content).
type args struct {
	URL           string     `json:"url"`
	Output        string     `json:"output"`
	BaseURL       string     `json:"baseUrl"`
	Tables        string     `json:"tables"`
	Strikethrough tools.Bool `json:"strikethrough"`
	TaskList      tools.Bool `json:"taskList"`
}

// request is a call that has been checked.
type request struct {
	url     *url.URL
	options markdown.Options
	output  string // as the model named it, "" to return the Markdown
	path    string // absolute
	cwd     string // absolute
}

// Prepare checks the arguments. Nothing is fetched before permission is given.
func (t *tool) Prepare(_ context.Context, c tools.Call) tools.Plan {
	p := tools.Plan{Title: name, Kind: consent.KindFetch, Phase: "Fetching"}
	var a args
	if err := json.Unmarshal(c.Args, &a); err != nil {
		p.Refused = tools.BadArguments(name, err)
		return p
	}
	r, f := a.check(c.Cwd)
	if f != nil {
		p.Title, p.Refused = a.URL, f.text()
		return p
	}
	p.Title = r.url.Redacted()
	if r.output != "" {
		p.Title += " → " + r.output
		p.Asks = consent.UnlessYolo
		p.Locations = []consent.Location{{Path: r.path}}
		if f := t.inspect(r, &p); f != nil {
			p.Refused = f.text()
			return p
		}
	}
	p.Line = "🌐 " + name + ": " + p.Title
	p.Run = func(ctx context.Context, host ui.Host) tools.Result { return t.run(ctx, r, host) }
	return p
}

// check returns the request that the arguments describe, or a fault of class usage.
func (a args) check(cwd string) (request, *fault) {
	var r request
	var f *fault
	if r.url, f = parseURL(a.URL); f != nil {
		return r, f
	}
	r.options = markdown.Options{Strikethrough: bool(a.Strikethrough), TaskList: bool(a.TaskList)}
	switch a.Tables {
	case "", "html":
	case "flatten":
		r.options.Tables = markdown.Flatten
	default:
		return r, usage("tables is %q — use html or flatten", a.Tables)
	}
	if base := strings.TrimSpace(a.BaseURL); base != "" {
		u, err := url.Parse(base)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return r, usage("baseUrl is %q — give an absolute URL, such as https://example.com/docs/", a.BaseURL)
		}
		r.options.BaseURL = base
	}
	if r.output = strings.TrimSpace(a.Output); r.output == "" {
		return r, nil
	}
	if strings.ContainsRune(r.output, 0) || strings.HasSuffix(r.output, "/") {
		return r, usage("output is %q — give the path of a file", a.Output)
	}
	r.cwd, r.path = cwd, filepath.Clean(r.output)
	if !filepath.IsAbs(r.path) {
		r.path = filepath.Join(cwd, r.path)
	}
	return r, nil
}
