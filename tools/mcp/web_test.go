package mcp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools/mcp"
)

// site is a server over HTTP: the SDK's, behind a handler that a test can change.
type site struct {
	*httptest.Server
	mcp *sdk.Server

	mu      sync.Mutex
	handler http.Handler  // guarded by mu
	servers []*sdk.Server // guarded by mu: all there were
	seen    []http.Header // guarded by mu
	works   atomic.Int32  // calls that were made
	over    chan struct{} // closed with the test
}

type words struct {
	Zeal  string `json:"zeal" jsonschema:"how much"`
	Array string `json:"array,omitempty"`
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{over: make(chan struct{})}
	s.restart()
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() {
		close(s.over)
		s.CloseClientConnections()
		s.Close()
		for _, server := range s.servers {
			for session := range server.Sessions() {
				_ = session.Close()
			}
		}
	})
	return s
}

// restart begins anew, as after a restart of the server: all sessions are forgotten.
func (s *site) restart() {
	server := sdk.NewServer(&sdk.Implementation{Name: "site", Version: "1"}, nil)
	sdk.AddTool(server, &sdk.Tool{Name: "work", Description: "Works."}, func(ctx context.Context, r *sdk.CallToolRequest, in words) (*sdk.CallToolResult, any, error) {
		return s.work(ctx, r, in)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mcp, s.servers = server, append(s.servers, server)
	s.handler = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
}

func (s *site) work(ctx context.Context, r *sdk.CallToolRequest, in words) (*sdk.CallToolResult, any, error) {
	s.works.Add(1)
	switch in.Zeal {
	case "progress":
		for i := range 6 {
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i)})
			time.Sleep(10 * time.Millisecond)
		}
	case "ask":
		res, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Sure?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}})
		if err != nil {
			return nil, nil, err
		}
		return text(res.Action), nil, nil
	case "wait":
		select {
		case <-ctx.Done():
		case <-s.over:
		}
	case "fail":
		return nil, nil, fmt.Errorf("no luck")
	}
	return text("done " + in.Zeal), nil, nil
}

func text(s string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: s}}}
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.seen = append(s.seen, r.Header.Clone())
	h := s.handler
	s.mu.Unlock()
	h.ServeHTTP(w, r)
}

// behind puts a handler before the one there is.
func (s *site) behind(f func(next http.Handler) http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.handler = f(s.handler)
}

func (s *site) conf() mcp.Server { return mcp.Server{Name: "web", URL: s.URL + "/mcp"} }

func TestOverHTTP(t *testing.T) {
	s := newSite(t)
	conf := s.conf()
	conf.Headers = map[string]string{"Authorization": "Bearer secret-1234"}
	b := newBench(t, mcp.Options{Servers: []mcp.Server{conf}, Silence: 30 * time.Second})
	b.host.reply = func(context.Context, ui.Form) ui.FormReply {
		return ui.FormReply{State: ui.Replied, Answers: [][]string{{"yes"}}}
	}
	want(t, b.call("web_work", `{"zeal":"now"}`), false, "done now")
	want(t, b.call("web_work", `{"zeal":"progress"}`), false, "done progress")
	want(t, b.call("web_work", `{"zeal":"ask"}`), false, "accept")
	want(t, b.call("web_work", `{"zeal":"fail"}`), true, "no luck")
	want(t, b.call("web_work", `{"array":"x"}`), true, `[web_work: the arguments don't fit: required: missing properties: ["zeal"]]`)
	if n := b.host.alive.Load(); n < 5 {
		t.Errorf("%d signs of life", n)
	}
	if q := b.host.forms[0].Questions[0]; q.Text != "web asks: Sure?" || q.Type != ui.Confirm {
		t.Errorf("%+v", q)
	}
	// The server's order of keys, which a map would have lost.
	if got := string(b.tool("web_work").Spec().Parameters); !strings.HasPrefix(got, `{"type":"object","properties":{"zeal":{"type":"string","description":"how much"},"array":`) {
		t.Error(got)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.seen {
		if h.Get("Authorization") != "Bearer secret-1234" {
			t.Errorf("%v", h)
		}
	}
}

func TestTooSlowOverHTTP(t *testing.T) {
	s := newSite(t)
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}, Silence: 300 * time.Millisecond})
	b.servers.SetLimits(mcp.Limits{Ping: 20 * time.Second})
	want(t, b.call("web_work", `{"zeal":"wait"}`), true, "[web_work: no answer and no sign of progress for 300ms, so the call was given up; the MCP server web itself still answers]")
}

func TestListChangesOverHTTP(t *testing.T) {
	s := newSite(t)
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}})
	b.names()
	sdk.AddTool(s.mcp, &sdk.Tool{Name: "more"}, func(context.Context, *sdk.CallToolRequest, words) (*sdk.CallToolResult, any, error) {
		return text("more"), nil, nil
	})
	eventually(t, func() string {
		if got := b.names(); len(got) != 2 {
			return fmt.Sprint(got)
		}
		return ""
	})
	want(t, b.call("web_more", `{"zeal":"1"}`), false, "more")
}

func TestServerThatForgotTheSession(t *testing.T) {
	s := newSite(t)
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}})
	want(t, b.call("web_work", `{"zeal":"1"}`), false, "done 1")
	s.restart()
	want(t, b.call("web_work", `{"zeal":"2"}`), false, "done 2")
}

// A call that a server may have carried out isn't made again.
func TestBrokenOffOverHTTP(t *testing.T) {
	s := newSite(t)
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}})
	b.names()
	var broken sync.WaitGroup
	broken.Go(func() {
		for s.works.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		s.restart()
		s.CloseClientConnections()
	})
	r := b.call("web_work", `{"zeal":"wait"}`)
	broken.Wait()
	if !r.Failed || !strings.HasPrefix(r.Text, "[web_work: the MCP server web") || s.works.Load() != 1 {
		t.Errorf("%+v, made %d times", r, s.works.Load())
	}
	want(t, b.call("web_work", `{"zeal":"1"}`), false, "done 1")
}

func TestHeadersStayWithTheirHost(t *testing.T) {
	var leaked atomic.Value
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		leaked.Store(r.Header.Clone())
		http.Error(w, "no", http.StatusForbidden)
	}))
	defer other.Close()
	s := newSite(t)
	s.behind(func(http.Handler) http.Handler { return http.RedirectHandler(other.URL, http.StatusTemporaryRedirect) })
	conf := s.conf()
	conf.Headers = map[string]string{"X-Key": "secret-1234"}
	b := newBench(t, mcp.Options{Servers: []mcp.Server{conf}})
	b.start().failed("Forbidden (its headers in the agent file say who asks)")
	h, _ := leaked.Load().(http.Header)
	if h == nil || h.Get("X-Key") != "" {
		t.Errorf("the other host got %v", h)
	}
}

func TestCantBeReached(t *testing.T) {
	s := newSite(t)
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}})
	want(t, b.call("web_work", `{"zeal":"1"}`), false, "done 1")
	var down atomic.Bool
	s.behind(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if down.Load() {
				http.Error(w, "later", http.StatusServiceUnavailable)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	down.Store(true)
	want(t, b.call("web_work", `{"zeal":"1"}`), true, "[web_work: the MCP server web: Service Unavailable]")
	down.Store(false)
	want(t, b.call("web_work", `{"zeal":"1"}`), false, "done 1")

	dead := httptest.NewServer(nil)
	dead.Close()
	b = newBench(t, mcp.Options{Servers: []mcp.Server{{Name: "web", URL: dead.URL + "?token=secret-1234"}}})
	b.servers.Start()
	eventually(t, func() string {
		if s := b.servers.Status()[0]; s.State != mcp.Failed || !strings.Contains(s.Reason, "connection refused") || strings.Contains(s.Reason, "secret") {
			return s.String()
		}
		return ""
	})
}

// Some servers let the GET for their own messages wait until they have one. The SDK would wait.
func TestServerWithoutAStream(t *testing.T) {
	s := newSite(t)
	s.behind(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				<-r.Context().Done()
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}})
	b.servers.SetLimits(mcp.Limits{Stream: 100 * time.Millisecond})
	want(t, b.call("web_work", `{"zeal":"1"}`), false, "done 1")
}

func TestNeverAnswersOverHTTP(t *testing.T) {
	s := newSite(t)
	s.behind(func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then the server sees that the client has gone
			<-r.Context().Done()
		})
	})
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}})
	b.servers.SetLimits(mcp.Limits{Start: 300 * time.Millisecond})
	b.start().failed("no answer within 300ms")
	b = newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}}).start()
	begin := time.Now()
	b.servers.Close()
	if d := time.Since(begin); d > 2*time.Second {
		t.Errorf("closing took %v", d)
	}
}

func TestEndlessAnswer(t *testing.T) {
	s := newSite(t)
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}})
	b.names()
	s.behind(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			for block := []byte(strings.Repeat(" ", 1<<20)); r.Context().Err() == nil; {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		})
	})
	r := b.call("web_work", `{"zeal":"1"}`)
	if !r.Failed || !strings.Contains(r.Text, "its answer is too long") {
		t.Errorf("%+v", r)
	}
}

// A server of the newest revision has no initialize any more, and asks within the call.
func TestNewestRevision(t *testing.T) {
	s := newSite(t)
	s.behind(func(http.Handler) http.Handler {
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s.mcp }, &sdk.StreamableHTTPOptions{Stateless: true})
	})
	s.mcp.AddTool(&sdk.Tool{Name: "confirm", InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if answer, ok := r.Params.InputResponses["sure"].(*sdk.ElicitResult); ok {
			return text(answer.Action), nil
		}
		ask := &sdk.ElicitParams{Mode: "form", Message: "Sure?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{"sure": ask}}, nil
	})
	s.mcp.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if method == "initialize" {
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no initialize"}
			}
			return next(ctx, method, r)
		}
	})
	b := newBench(t, mcp.Options{Servers: []mcp.Server{s.conf()}, Silence: 20 * time.Second})
	b.host.reply = func(context.Context, ui.Form) ui.FormReply {
		return ui.FormReply{State: ui.Replied, Answers: [][]string{{"yes"}}}
	}
	want(t, b.call("web_work", `{"zeal":"1"}`), false, "done 1")
	want(t, b.call("web_confirm", `{}`), false, "accept")
}
