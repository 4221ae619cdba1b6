package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/web"
)

// host counts the signs of life.
type host struct {
	ui.Host
	alive atomic.Int64
}

func (h *host) Alive() { h.alive.Add(1) }

// fetch prepares and runs a call, with the permission it asks for.
func fetch(t *testing.T, tool tools.Tool, args map[string]any) tools.Result {
	t.Helper()
	return fetchIn(t, t.TempDir(), tool, args)
}

func fetchIn(t *testing.T, cwd string, tool tools.Tool, args map[string]any) tools.Result {
	t.Helper()
	plan := prepare(t, cwd, tool, args)
	if plan.Refused != "" {
		return tools.Result{Text: plan.Refused, Failed: true}
	}
	return plan.Run(t.Context(), &host{})
}

func prepare(t *testing.T, cwd string, tool tools.Tool, args map[string]any) tools.Plan {
	t.Helper()
	data, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return tool.Prepare(t.Context(), tools.Call{Args: data, Cwd: cwd})
}

// site is a server that answers by path; robots.txt is a 404 unless it is there.
type site map[string]http.HandlerFunc

func (s site) start(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h, ok := s[r.URL.Path]; ok {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func page(body string) http.HandlerFunc { return typed("text/html; charset=utf-8", body) }

// typed answers with a type; "" sends none.
func typed(contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = nil
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		}
		fmt.Fprint(w, body)
	}
}

func redirect(code int, to string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", to)
		w.WriteHeader(code)
	}
}

func TestReturnsMarkdown(t *testing.T) {
	var asked http.Header
	url := site{"/page": func(w http.ResponseWriter, r *http.Request) {
		asked = r.Header.Clone()
		page(`<title>no</title><nav>no</nav><h1>Hello</h1><p><a href="x">link</a> <del>old</del></p>`)(w, r)
	}}.start(t)
	tool := web.New(web.Options{Version: "1.2.3", MaxOutput: 1000})
	plan := prepare(t, t.TempDir(), tool, map[string]any{"url": url + "/page", "strikethrough": "true"})
	if plan.Line != "🌐 fetch_content: "+url+"/page" || plan.Phase != "Fetching" || plan.Kind != consent.KindFetch ||
		plan.Asks != consent.Never || plan.Locations != nil || plan.Title != url+"/page" {
		t.Errorf("plan %+v", plan)
	}
	h := &host{}
	got := plan.Run(t.Context(), h)
	if want := "# Hello\n\n[link](" + url + "/x) ~~old~~\n"; got.Text != want || got.Failed {
		t.Errorf("got %+v, want %q", got, want)
	}
	if asked.Get("User-Agent") != "mm/1.2.3" {
		t.Errorf("User-Agent %q", asked.Get("User-Agent"))
	}
	if h.alive.Load() < 3 {
		t.Errorf("%d signs of life", h.alive.Load())
	}
	if spec := tool.Spec(); spec.Name != "fetch_content" || spec.Counter != (tools.Counter{Icon: "🌐", Noun: "fetch"}) || !json.Valid(spec.Parameters) {
		t.Errorf("spec %+v", spec)
	}
}

func TestTruncates(t *testing.T) {
	url := site{"/": page("<p>" + strings.Repeat("é", 50))}.start(t)
	got := fetch(t, web.New(web.Options{MaxOutput: 10}), map[string]any{"url": url})
	if want := strings.Repeat("é", 10) + "\n[... 41 more characters]"; got.Text != want {
		t.Errorf("got %q, want %q", got.Text, want)
	}
}

func TestSaves(t *testing.T) {
	url := site{"/p": page("<h1>Hello</h1><p>text</p>")}.start(t)
	cwd := t.TempDir()
	tool := web.New(web.Options{})
	args := map[string]any{"url": url + "/p", "output": "docs/deep/page.md"}
	plan := prepare(t, cwd, tool, args)
	path := filepath.Join(cwd, "docs", "deep", "page.md")
	if plan.Asks != consent.UnlessYolo || len(plan.Locations) != 1 || plan.Locations[0].Path != path ||
		plan.Line != "🌐 fetch_content: "+url+"/p → docs/deep/page.md" {
		t.Errorf("plan %+v", plan)
	}
	if _, err := os.Stat(filepath.Join(cwd, "docs")); err == nil {
		t.Error("Prepare made a folder")
	}
	got := plan.Run(t.Context(), &host{})
	want := "[fetch_content: saved 3 lines of Markdown (14 bytes) from " + url + "/p to docs/deep/page.md — the content is not shown]"
	if got.Text != want || got.Failed {
		t.Errorf("got %q, want %q", got.Text, want)
	}
	if len(got.Files) != 1 || got.Files[0] != (ui.FileChange{Path: path, Added: 3}) {
		t.Errorf("files %+v", got.Files)
	}
	data, err := os.ReadFile(path)
	if err != nil || string(data) != "# Hello\n\ntext\n" {
		t.Errorf("file %q, %v", data, err)
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if len(entries) != 1 {
		t.Errorf("%d files are left", len(entries))
	}
}

// Nothing is written on failure: an older file stays, no folder is made.
func TestWritesNothingOnFailure(t *testing.T) {
	url := site{"/empty": page("<nav>x</nav><script>y</script>"), "/pdf": typed("text/html", "%PDF-1.7 x"),
		"/half": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "<p>half")
		}}.start(t)
	cwd := t.TempDir()
	old := filepath.Join(cwd, "old.md")
	if err := os.WriteFile(old, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/empty": "[fetch_content: " + url + "/empty has no text content once scripts, navigation and ads are removed — nothing saved]",
		"/pdf":   "[fetch_content: error 1 (conversion) — " + url + "/pdf is no HTML page but application/pdf]",
		"/none":  "[fetch_content: error 2 (input) — " + url + "/none answered with HTTP status 404 Not Found]",
		"/half":  "[fetch_content: error 2 (input) — " + strings.TrimPrefix(url, "http://") + " can't be reached: unexpected EOF]",
	} {
		for _, output := range []string{"old.md", "new/file.md"} {
			got := fetchIn(t, cwd, web.New(web.Options{}), map[string]any{"url": url + path, "output": output})
			if got.Text != want || !got.Failed || got.Files != nil {
				t.Errorf("%s: got %+v, want %q", path, got, want)
			}
		}
	}
	if data, _ := os.ReadFile(old); string(data) != "old" {
		t.Errorf("the old file is %q", data)
	}
	if entries, _ := os.ReadDir(cwd); len(entries) != 1 {
		t.Errorf("%d entries", len(entries))
	}
}

func TestUnwritableOutput(t *testing.T) {
	url := site{"/": page("<p>x")}.start(t)
	cwd := t.TempDir()
	if err := os.WriteFile(filepath.Join(cwd, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for output, want := range map[string]string{
		"file/x.md": "[fetch_content: error 1 (conversion) — file/x.md can't be written: a part of its path is a file, not a folder — check the path]",
		".":         "[fetch_content: error 1 (conversion) — . can't be written: is a folder — choose another output]",
	} {
		if got := fetchIn(t, cwd, web.New(web.Options{}), map[string]any{"url": url, "output": output}); got.Text != want {
			t.Errorf("got %q, want %q", got.Text, want)
		}
	}
}

// A link is followed, and the person who is asked sees where to.
func TestSavesThroughALink(t *testing.T) {
	url := site{"/": page("<p>x")}.start(t)
	cwd, other := t.TempDir(), t.TempDir()
	target := filepath.Join(other, "real.md")
	if err := os.WriteFile(target, []byte("old\nlines\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(cwd, "page.md")); err != nil {
		t.Skip(err)
	}
	plan := prepare(t, cwd, web.New(web.Options{}), map[string]any{"url": url, "output": "page.md"})
	if !strings.HasSuffix(plan.Title, "page.md → "+target) {
		t.Errorf("title %q", plan.Title)
	}
	got := plan.Run(t.Context(), &host{})
	if data, _ := os.ReadFile(target); string(data) != "x\n" || got.Files[0].Removed != 2 {
		t.Errorf("%q, %+v", data, got)
	}
}

func TestUsage(t *testing.T) {
	tool := web.New(web.Options{})
	for _, c := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{}, "[fetch_content: error 3 (usage) — url is empty — give the address of a page]"},
		{map[string]any{"url": "ftp://x/y"}, "[fetch_content: error 3 (usage) — url begins with ftp: — only http and https can be fetched]"},
		{map[string]any{"url": "mailto:a@b"}, "[fetch_content: error 3 (usage) — url begins with mailto: — only http and https can be fetched]"},
		{map[string]any{"url": "https://"}, `[fetch_content: error 3 (usage) — url "https://" has no host — give the address of a page, such as https://example.com/page]`},
		{map[string]any{"url": "http://[::1"}, `[fetch_content: error 3 (usage) — url "http://[::1" can't be read — give the address of a page, such as https://example.com/page]`},
		{map[string]any{"url": "a b"}, `[fetch_content: error 3 (usage) — url "a b" can't be read — give the address of a page, such as https://example.com/page]`},
		{map[string]any{"url": "x.org", "tables": "csv"}, `[fetch_content: error 3 (usage) — tables is "csv" — use html or flatten]`},
		{map[string]any{"url": "x.org", "baseUrl": "/docs"}, `[fetch_content: error 3 (usage) — baseUrl is "/docs" — give an absolute URL, such as https://example.com/docs/]`},
		{map[string]any{"url": "x.org", "output": "d/"}, `[fetch_content: error 3 (usage) — output is "d/" — give the path of a file]`},
		{map[string]any{"url": 7}, "[fetch_content: url must be a string, not a number]"},
	} {
		plan := prepare(t, t.TempDir(), tool, c.args)
		if plan.Refused != c.want || plan.Run != nil {
			t.Errorf("%v: got %q, want %q", c.args, plan.Refused, c.want)
		}
	}
}

func TestURLIsRepaired(t *testing.T) {
	tool := web.New(web.Options{})
	for given, want := range map[string]string{
		"k33g.org":                "https://k33g.org",
		"https//k33g.org":         "https://k33g.org",
		"http//k33g.org/a?b#c":    "http://k33g.org/a?b#c",
		"HTTPS://k33g.org":        "https://k33g.org",
		"https:/k33g.org":         "https://k33g.org",
		"//k33g.org/x":            "https://k33g.org/x",
		" http://k33g.org ":       "http://k33g.org",
		"localhost:8080/x":        "https://localhost:8080/x",
		"127.0.0.1:80":            "https://127.0.0.1:80",
		"[::1]:80/x":              "https://[::1]:80/x",
		"httpbin.org":             "https://httpbin.org",
		"http.cat/404":            "https://http.cat/404",
		"k33g.org/a:b":            "https://k33g.org/a:b",
		"http://user:pw@k33g.org": "http://user:xxxxx@k33g.org",
	} {
		if plan := prepare(t, t.TempDir(), tool, map[string]any{"url": given}); plan.Title != want {
			t.Errorf("%q: got %q %s, want %q", given, plan.Title, plan.Refused, want)
		}
	}
}

func TestOptionsReachTheConversion(t *testing.T) {
	url := site{"/": page(`<table><tr><td colspan=2>a</table><ul><li><input type=checkbox>b</ul><a href=c>d</a>`)}.start(t)
	got := fetch(t, web.New(web.Options{}), map[string]any{"url": url, "tables": "flatten", "taskList": true, "baseUrl": "https://x.example/y/"})
	if want := "| a | a |\n| --- | --- |\n\n- [ ] b\n\n[d](https://x.example/y/c)\n"; got.Text != want {
		t.Errorf("got %q, want %q", got.Text, want)
	}
}

func TestCancel(t *testing.T) {
	asked := make(chan struct{})
	url := site{"/": func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	}}.start(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	plan := prepare(t, t.TempDir(), web.New(web.Options{}), map[string]any{"url": url})
	if got := plan.Run(ctx, &host{}); got.Text != "[fetch_content: error 2 (input) — cancelled]" || !got.Failed {
		t.Errorf("got %+v", got)
	}
}

// The time limit covers robots.txt, redirects and the body together.
func TestTimeout(t *testing.T) {
	stuck := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<p>x")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}
	for name, s := range map[string]site{"body": {"/": stuck}, "robots.txt": {"/robots.txt": stuck}, "redirect": {"/": redirect(302, "/b"), "/b": stuck}} {
		url := s.start(t)
		got := fetch(t, web.New(web.Options{}.WithTimeout(100*time.Millisecond)), map[string]any{"url": url})
		if want := "[fetch_content: error 2 (input) — " + strings.TrimPrefix(url, "http://") + " took longer than 100ms]"; got.Text != want {
			t.Errorf("%s: got %q, want %q", name, got.Text, want)
		}
	}
}
