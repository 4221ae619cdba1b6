package web_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/mini-me/mm/tools/web"
)

func TestEncodings(t *testing.T) {
	var pages []struct {
		File     string   `json:"file"`
		Header   string   `json:"content_type_header"`
		Contains []string `json:"expected_text_contains"`
		Lacks    []string `json:"must_not_contain"`
		Why      string   `json:"why"`
	}
	read(t, "charset/testdata/index.json", &pages)
	s := site{}
	for _, p := range pages {
		data, err := os.ReadFile(filepath.Join("charset", "testdata", p.File))
		if err != nil {
			t.Fatal(err)
		}
		s["/"+p.File] = typed(p.Header, string(data))
	}
	url := s.start(t)
	tool := web.New(web.Options{})
	good := 0
	for _, p := range pages {
		ok := t.Run(p.File, func(t *testing.T) {
			got := fetch(t, tool, map[string]any{"url": url + "/" + p.File})
			for _, want := range p.Contains {
				if !strings.Contains(got.Text, want) {
					t.Errorf("%s: %q lacks %q", p.Why, got.Text, want)
				}
			}
			for _, no := range p.Lacks {
				if strings.Contains(got.Text, no) {
					t.Errorf("%s: %q has %q", p.Why, got.Text, no)
				}
			}
		})
		if ok {
			good++
		}
	}
	t.Logf("%d of %d pages as expected", good, len(pages))
	if len(pages) != 60 {
		t.Errorf("read %d pages, want 60", len(pages))
	}
}

func TestTypes(t *testing.T) {
	for _, c := range []struct{ name, contentType, body, want string }{
		{"html", "text/html", "<p>x", "x\n"},
		{"capitals", "Text/HTML ; charset=UTF-8", "<p>é", "é\n"},
		{"xhtml", "application/xhtml+xml", `<?xml version="1.0"?><html><body><p>x</p></body></html>`, "x\n"},
		{"text", "text/plain", "<p>x", "is no HTML page but text/plain]"},
		{"json", "application/json", "{}", "is no HTML page but application/json]"},
		{"pdf called html", "text/html", "%PDF-1.4\n<p>x", "is no HTML page but application/pdf]"},
		{"image called html", "text/html", "\x89PNG\x0d\x0a\x1a\x0a<p>x", "is no HTML page but image/png]"},
		{"NUL called html", "text/html", "<p>x" + strings.Repeat(" ", 2000) + "\x00", "is no HTML page but binary data]"},
		{"none", "", "<!DOCTYPE html><p>x", "x\n"},
		{"none, xhtml", "", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p></body></html>`, "x\n"},
		{"none, a fragment", "", "<article><p>x</p></article>", "x\n"},
		{"none, utf-16", "", "\xff\xfe<\x00p\x00>\x00x\x00", "x\n"},
		{"none, text", "", "just text", "is no HTML page but of no type, and doesn't look like one]"},
		{"none, empty", "", "", "has no text content once scripts, navigation and ads are removed — nothing saved]"},
		{"forbidden encoding", "text/html; charset=iso-2022-kr", "<p>x", "can't be decoded: the encoding replacement can't be decoded]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := site{"/": typed(c.contentType, c.body)}.start(t)
			got := fetch(t, web.New(web.Options{}), map[string]any{"url": url})
			switch {
			case !strings.HasSuffix(c.want, "]"):
				if got.Text != c.want || got.Failed {
					t.Errorf("got %+v, want %q", got, c.want)
				}
			case strings.Contains(c.want, "nothing saved"):
				if got.Text != "[fetch_content: "+url+" "+c.want {
					t.Errorf("got %q", got.Text)
				}
			case got.Text != "[fetch_content: error 1 (conversion) — "+url+" "+c.want || !got.Failed:
				t.Errorf("got %+v, want %q", got, c.want)
			}
		})
	}
}

func TestRedirects(t *testing.T) {
	s := site{"/x": page("<p><a href=y>x</a>"), "/dir/x": page("<p><a href=y>x</a>"), "/ftp": redirect(302, "ftp://x/y"), "/file": redirect(301, "file:///etc/passwd"),
		"/bad": redirect(302, "http://[::1"), "/nowhere": redirect(302, ""), "/300": redirect(300, "/x"), "/304": redirect(304, "/x"),
		"/301": redirect(301, "/dir/x"), "/303": redirect(303, "dir/x"), "/307": redirect(307, "/x#f"), "/308": redirect(308, "/x"), "/loop": redirect(302, "/loop")}
	for i := 1; i <= 11; i++ {
		s[fmt.Sprintf("/hop%d", i)] = redirect(302, fmt.Sprintf("/hop%d", i-1))
	}
	s["/hop0"] = page("<p>there")
	url := s.start(t)
	tool := web.New(web.Options{})
	for path, want := range map[string]string{
		"/301":     "[x](" + url + "/dir/y)\n",
		"/303":     "[x](" + url + "/dir/y)\n",
		"/307":     "[x](" + url + "/y)\n",
		"/308":     "[x](" + url + "/y)\n",
		"/hop10":   "there\n",
		"/hop11":   "[fetch_content: error 2 (input) — more than 10 redirects, the last one from " + url + "/hop1 to " + url + "/hop0]",
		"/loop":    "[fetch_content: error 2 (input) — more than 10 redirects, the last one from " + url + "/loop to " + url + "/loop]",
		"/ftp":     "[fetch_content: error 2 (input) — " + url + "/ftp redirects to ftp://x/y: only http and https can be fetched]",
		"/file":    "[fetch_content: error 2 (input) — " + url + "/file redirects to file:///etc/passwd: only http and https can be fetched]",
		"/bad":     "[fetch_content: error 2 (input) — " + url + "/bad redirects to an address that can't be read]",
		"/nowhere": "[fetch_content: error 2 (input) — " + url + "/nowhere answered with HTTP status 302 Found]",
		"/300":     "[fetch_content: error 2 (input) — " + url + "/300 answered with HTTP status 300 Multiple Choices]",
		"/304":     "[fetch_content: error 2 (input) — " + url + "/304 answered with HTTP status 304 Not Modified]",
	} {
		if got := fetch(t, tool, map[string]any{"url": url + path}); got.Text != want {
			t.Errorf("%s: got %q, want %q", path, got.Text, want)
		}
	}
}

func TestUnreachable(t *testing.T) {
	url := site{}.start(t)
	for given, want := range map[string]string{
		"http://127.0.0.1:1/":     "[fetch_content: error 2 (input) — 127.0.0.1:1 can't be reached: connection refused]",
		"http://nothing.invalid/": "[fetch_content: error 2 (input) — nothing.invalid can't be reached: there is no such host — check the address]",
		url + "/x":                "[fetch_content: error 2 (input) — " + url + "/x answered with HTTP status 404 Not Found]",
	} {
		if got := fetch(t, web.New(web.Options{Resolver: newNames(t).resolver()}), map[string]any{"url": given}); got.Text != want {
			t.Errorf("got %q, want %q", got.Text, want)
		}
	}
}

// compressed answers with a body compressed as the Content-Encoding says.
func compressed(t *testing.T, encoding string, write func(io.Writer)) http.HandlerFunc {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "br":
		w = brotli.NewWriterLevel(&b, brotli.BestSpeed)
	}
	write(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", encoding)
		_, _ = w.Write(b.Bytes())
	}
}

func repeat(piece string, n int) func(io.Writer) {
	return func(w io.Writer) {
		for range n {
			_, _ = io.WriteString(w, piece)
		}
	}
}

// The limit counts what comes out of the decompression, so that small bodies hold no large pages.
func TestSize(t *testing.T) {
	const limit = 5 << 20
	mib := strings.Repeat("x", 1<<20)
	plain := func(n int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, strings.Repeat("x", n))
		}
	}
	url := site{
		"/whole": plain(limit), "/over": plain(limit + 1),
		"/gzip": compressed(t, "gzip", repeat("<p>hello</p>", 3)), "/br": compressed(t, "br", repeat("<p>hello</p>", 3)),
		"/gzip-bomb": compressed(t, "gzip", repeat(mib, 40)), "/br-bomb": compressed(t, "br", repeat(mib, 40)),
		"/cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write([]byte("\x1f\x8b\x08\x00"))
		},
		"/bad": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			fmt.Fprint(w, "<p>not compressed at all</p>")
		},
		"/zstd": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "zstd")
			fmt.Fprint(w, "x")
		},
		"/endless": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, mib); err != nil {
					return
				}
			}
		},
	}.start(t)
	large := func(path string) string {
		return "[fetch_content: error 1 (conversion) — " + url + path + " is larger than 5 MiB]"
	}
	undecoded := func(path, why string) string {
		return "[fetch_content: error 1 (conversion) — " + url + path + " can't be decoded: " + why + "]"
	}
	for path, want := range map[string]string{
		"/whole": strings.Repeat("x", limit) + "\n", "/over": large("/over"), "/endless": large("/endless"),
		"/gzip": "hello\n\nhello\n\nhello\n", "/br": "hello\n\nhello\n\nhello\n",
		"/gzip-bomb": large("/gzip-bomb"), "/br-bomb": large("/br-bomb"),
		"/cut": undecoded("/cut", "unexpected EOF"), "/bad": undecoded("/bad", "gzip: invalid header"),
		"/zstd": undecoded("/zstd", "it is compressed as zstd"),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := fetch(t, web.New(web.Options{}), map[string]any{"url": url + path})
		runtime.ReadMemStats(&after)
		if got.Text != want {
			t.Errorf("%s: got %d bytes %.200q, want %.200q", path, len(got.Text), got.Text, want)
		}
		if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 120 {
			t.Errorf("%s: %d MiB allocated", path, mib)
		}
	}
}
