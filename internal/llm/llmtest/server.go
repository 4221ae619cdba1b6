package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/mini-me/mm/internal/llm/script"
)

// Handler answers one request for a completion. It runs in the server's goroutine.
type Handler func(w *Answer, r *Request)

// Server is a model server. It is closed when the test ends.
type Server struct {
	// URL is the base URL for a client, with /v1.
	URL string
	// Context is the context window that the list of models tells, 0 for none. Set it before the
	// first request.
	Context int
	// Loose turns the checks of requests off. Set it before the first request.
	Loose bool

	t       testing.TB
	handler Handler
	player  *script.Player

	mu       sync.Mutex
	requests []*Request        // guarded by mu
	tools    map[string]string // guarded by mu; the tools of each system prompt
}

// New starts a server that answers with a function.
func New(t testing.TB, h Handler) *Server {
	t.Helper()
	return start(t, &Server{t: t, handler: h, tools: map[string]string{}})
}

// NewScript starts a server that follows a script, see package script.
func NewScript(t testing.TB, text string) *Server {
	t.Helper()
	s, err := script.Parse("script", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return start(t, &Server{t: t, player: script.NewPlayer(s), tools: map[string]string{}})
}

func start(t testing.TB, s *Server) *Server {
	h := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
	})
	s.URL = h.URL + "/v1"
	return s
}

// Requests returns the requests for completions so far.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// Last returns the last request, nil when there was none.
func (s *Server) Last() *Request {
	all := s.Requests()
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

func (s *Server) serve(w http.ResponseWriter, req *http.Request) {
	switch {
	case req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "/models"):
		s.models(w)
	case req.Method == http.MethodPost && strings.HasSuffix(req.URL.Path, "/chat/completions"):
		s.complete(w, req)
	default:
		http.Error(w, `{"error":{"message":"File Not Found","type":"not_found_error","code":404}}`, http.StatusNotFound)
	}
}

func (s *Server) models(w http.ResponseWriter) {
	model := map[string]any{"id": "test-model", "object": "model", "owned_by": "test"}
	if s.Context > 0 {
		model["max_model_len"] = s.Context
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": []any{model}})
}

func (s *Server) complete(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the client went away
	}
	r := s.keep(req, body)
	if s.player != nil {
		again := req.Clone(req.Context())
		again.Body = io.NopCloser(strings.NewReader(string(body)))
		s.player.ServeHTTP(w, again)
		return
	}
	a := &Answer{w: w, ctx: req.Context()}
	s.handler(a, r)
	a.close()
}

// keep records a request and checks it.
func (s *Server) keep(req *http.Request, body []byte) *Request {
	r, problems := parse(body)
	r.Path, r.Header = req.URL.Path, req.Header.Clone()
	s.mu.Lock()
	r.N = len(s.requests)
	s.requests = append(s.requests, r)
	if tools := string(r.rawTools); tools != "" {
		before, ok := s.tools[r.System()]
		if ok && before != tools {
			problems = append(problems, fmt.Sprintf("the tools differ from those of an earlier request:\n%s\n%s", before, tools))
		}
		s.tools[r.System()] = tools
	}
	s.mu.Unlock()
	if len(problems) > 0 && !s.Loose {
		s.t.Errorf("request %d would be refused by a strict server:\n  %s\n%s", r.N, strings.Join(problems, "\n  "), body)
	}
	return r
}
