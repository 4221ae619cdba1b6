package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/llm/llmtest"
)

// TestAnotherModelAnswers: /model switches to another model of the server, and a conversation that
// goes on keeps it.
func TestAnotherModelAnswers(t *testing.T) {
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) { a.Text("asked " + string(r.Fields["model"])) })
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	to.Path = ""
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }, FlushInterval: -1}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/models") {
			_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"small:4b"},{"id":"large:30b"}]}`)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer front.Close()
	dir := folder(t, map[string]string{"mm.yaml": "provider: test\nbaseURL: " + front.URL + "/v1\ncontextWindow: 8192\n"})
	cmd := mm(t, dir)
	cmd.Stdin = strings.NewReader("one\n/model\n/model LARGE\ntwo\n")
	out, err := cmd.CombinedOutput()
	for _, want := range []string{`asked "small:4b"`, "* small:4b\n  large:30b\n", "large:30b answers from now on", `asked "large:30b"`} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%v: %q isn't in\n%s", err, want, out)
		}
	}
	if out, err := mm(t, dir, "--continue", "-p", "three").CombinedOutput(); err != nil || string(out) != "asked \"large:30b\"\n" {
		t.Errorf("after going on: %v: %s", err, out)
	}
	if out, err := mm(t, dir, "-p", "four").CombinedOutput(); err != nil || string(out) != "asked \"small:4b\"\n" {
		t.Errorf("a new conversation: %v: %s", err, out)
	}
}
