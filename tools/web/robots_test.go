package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mini-me/mm/tools/web"
)

// read reads a file of a corpus; the README.md beside it says what the fields mean.
func read(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.FromSlash(path))
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestRobotsStatus(t *testing.T) {
	var cases []struct {
		Name        string `json:"name"`
		Status      int    `json:"robots_status"`
		Unreachable string `json:"unreachable"`
		Text        string `json:"robots_txt"`
		URL         string `json:"url"`
		Allowed     bool   `json:"allowed"`
	}
	read(t, "robots/testdata/status.json", &cases)
	good := 0
	for _, c := range cases {
		ok := t.Run(c.Name, func(t *testing.T) {
			requested := false
			url := site{
				"/robots.txt": func(w http.ResponseWriter, _ *http.Request) {
					if c.Unreachable != "" {
						panic(http.ErrAbortHandler)
					}
					w.WriteHeader(c.Status)
					fmt.Fprint(w, c.Text)
				},
				c.URL: func(w http.ResponseWriter, r *http.Request) {
					requested = true
					page("<p>text")(w, r)
				},
			}.start(t)
			got := fetch(t, web.New(web.Options{}), map[string]any{"url": url + c.URL})
			switch {
			case requested != c.Allowed, got.Failed == c.Allowed:
				t.Errorf("page requested %v, result %+v", requested, got)
			case !c.Allowed && !strings.HasPrefix(got.Text, "[fetch_content: error 2 (input) — robots.txt of "+url):
				t.Errorf("text %q", got.Text)
			}
		})
		if ok {
			good++
		}
	}
	t.Logf("%d of %d answers as expected", good, len(cases))
	if len(cases) != 10 {
		t.Errorf("read %d cases, want 10", len(cases))
	}
}

// server is one of a scenario.
type server struct {
	Robots *string `json:"robots_txt"`
	Status int     `json:"robots_status"`
	Pages  map[string]struct {
		Status      int    `json:"status"`
		Location    string `json:"location"`
		ContentType string `json:"content_type"`
		Body        string `json:"body"`
	} `json:"pages"`
}

type scenario struct {
	Name     string            `json:"name"`
	Servers  map[string]server `json:"servers"`
	Fetch    []string          `json:"fetch"`
	Expect   []string          `json:"expect"`
	MustNot  []string          `json:"must_not_request"`
	Requests map[string]int    `json:"requests"`
}

func TestRobotsScenarios(t *testing.T) {
	var cases []scenario
	read(t, "robots/testdata/scenarios.json", &cases)
	good := 0
	for _, c := range cases {
		if t.Run(c.Name, c.run) {
			good++
		}
	}
	t.Logf("%d of %d scenarios as expected", good, len(cases))
	if len(cases) != 6 {
		t.Errorf("read %d scenarios, want 6", len(cases))
	}
}

func (c scenario) run(t *testing.T) {
	var mu sync.Mutex
	requests := map[string]int{}
	urls := map[string]string{}
	resolve := func(s string) string {
		name, path, ok := strings.Cut(s, ":/")
		if base := urls[name]; ok && base != "" {
			return base + "/" + path
		}
		return s
	}
	for name, s := range c.Servers {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			requests[name+":"+r.URL.Path]++
			mu.Unlock()
			p, ok := s.Pages[r.URL.Path]
			switch {
			case r.URL.Path == "/robots.txt" && s.Robots != nil:
				fmt.Fprint(w, *s.Robots)
			case r.URL.Path == "/robots.txt":
				w.WriteHeader(s.Status)
			case !ok:
				http.NotFound(w, r)
			default:
				if p.Location != "" {
					w.Header().Set("Location", resolve(p.Location))
				}
				if p.ContentType != "" {
					w.Header().Set("Content-Type", p.ContentType)
				}
				w.WriteHeader(p.Status)
				fmt.Fprint(w, p.Body)
			}
		}))
		t.Cleanup(srv.Close)
		urls[name] = srv.URL
	}
	tool := web.New(web.Options{})
	for i, u := range c.Fetch {
		got := fetch(t, tool, map[string]any{"url": resolve(u)})
		want := c.Expect[i] == "ok"
		if want && got.Text != "target page\n" || !want && !strings.HasPrefix(got.Text, "[fetch_content: error 2 (input) — robots.txt of ") {
			t.Errorf("%s: %q, want %s", u, got.Text, c.Expect[i])
		}
	}
	for _, path := range c.MustNot {
		if requests[path] > 0 {
			t.Errorf("%s was requested", path)
		}
	}
	for path, n := range c.Requests {
		if requests[path] != n {
			t.Errorf("%s was requested %d times, want %d", path, requests[path], n)
		}
	}
}

// A robots.txt is kept for 24 hours, and judged for each path. One that can't be read isn't kept.
func TestRobotsAge(t *testing.T) {
	asked, broken := 0, false
	url := site{
		"/robots.txt": func(w http.ResponseWriter, _ *http.Request) {
			if asked++; broken {
				w.WriteHeader(503)
			}
			fmt.Fprint(w, "User-agent: mm\nDisallow: /no")
		},
		"/a": page("<p>x"), "/no": page("<p>x"),
	}.start(t)
	now := time.Now()
	kept := web.NewRobots(func() time.Time { return now })
	look := func(path string, want bool, requests int) {
		t.Helper()
		got := fetch(t, web.New(web.Options{Robots: kept}), map[string]any{"url": url + path})
		if got.Failed == want || asked != requests {
			t.Errorf("%s after %d requests for robots.txt, want %d: %+v", path, asked, requests, got)
		}
	}
	look("/a", true, 1)
	look("/no", false, 1)
	now = now.Add(24*time.Hour - time.Second)
	look("/a", true, 1)
	now = now.Add(time.Second)
	broken = true
	look("/a", false, 2)
	look("/a", false, 3)
	broken = false
	look("/a", true, 4)
	look("/a", true, 4)
}

// The redirects of robots.txt are followed, five of them; more count as none being there.
func TestRobotsRedirects(t *testing.T) {
	s := site{"/a": page("<p>x"), "/5": typed("text/plain", "User-agent: *\nDisallow: /")}
	for i := range 5 {
		s[fmt.Sprintf("/%d", i)] = redirect(301, fmt.Sprintf("/%d", i+1))
	}
	s["/robots.txt"] = redirect(301, "/1")
	url := s.start(t)
	if got := fetch(t, web.New(web.Options{}), map[string]any{"url": url + "/a"}); !strings.Contains(got.Text, "forbids") {
		t.Errorf("after five redirects: %q", got.Text)
	}
	s["/robots.txt"] = redirect(301, "/0")
	url = s.start(t)
	if got := fetch(t, web.New(web.Options{}), map[string]any{"url": url + "/a"}); got.Text != "x\n" {
		t.Errorf("after six redirects: %q", got.Text)
	}
}
