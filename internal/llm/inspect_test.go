package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// described is an entry of models.json: what a kind of server answers, and what it means.
type described struct {
	Name     string `json:"name"`
	Requests []struct {
		Method string          `json:"method"`
		Path   string          `json:"path"`
		Send   json.RawMessage `json:"send"`
		Status int             `json:"status"`
		Body   json.RawMessage `json:"body"`
	} `json:"requests"`
	Want struct {
		Models     []string `json:"models"`
		Loaded     []string `json:"loaded"`
		Context    int      `json:"context"`
		MaxContext int      `json:"max_context"`
		Tools      *bool    `json:"tools"`
	} `json:"want"`
}

func describedServers(t *testing.T) []described {
	data, err := os.ReadFile("testdata/streams/models.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []described
	if err := json.Unmarshal(data, &all); err != nil || len(all) < 13 {
		t.Fatal(len(all), err)
	}
	return all
}

// serve answers as the server does, and 404 to all else.
func (d *described) serve(t *testing.T) *httptest.Server {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, q := range d.Requests {
			if q.Method != r.Method || q.Path != r.URL.Path {
				continue
			}
			if q.Send != nil {
				var got, want any
				body, _ := io.ReadAll(r.Body)
				if json.Unmarshal(body, &got) != nil || json.Unmarshal(q.Send, &want) != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s %s: sent %s, want %s", q.Method, q.Path, body, q.Send)
				}
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(q.Status)
			_, _ = w.Write(q.Body)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(h.Close)
	return h
}

// provider is the known name of the kind of server, "" for one that has none.
func (d *described) provider() string {
	kind, _, _ := strings.Cut(d.Name, "-")
	switch kind {
	case "dmr":
		return DockerModelRunner
	case "mlx", "localai":
		return ""
	}
	return kind
}

func TestModelsAndContextOfEachKindOfServer(t *testing.T) {
	for _, d := range describedServers(t) {
		h := d.serve(t)
		base := h.URL + "/v1"
		if d.Name == "dmr" {
			base = h.URL + "/engines/v1"
		}
		// By the provider's name, and by what the answers look like.
		for _, provider := range []string{d.provider(), "mine"} {
			if provider == "" || provider == "mine" && (d.Name == "lmstudio-v1" || d.Name == "ollama-empty") {
				continue
			}
			t.Run(d.Name+" as "+provider, func(t *testing.T) {
				c := newClient(t, Options{Provider: provider, BaseURL: base})
				s, err := c.inspect(context.Background(), c.target())
				if err != nil {
					t.Fatal(err)
				}
				w := d.Want
				if !reflect.DeepEqual(s.Models, w.Models) || !reflect.DeepEqual(s.Loaded, w.Loaded) || s.Context != w.Context ||
					s.MaxContext != w.MaxContext || !reflect.DeepEqual(s.Tools, w.Tools) || s.Kind != d.provider() {
					t.Errorf("got  %+v\nwant %+v", s, w)
				}
			})
		}
	}
}

func TestWindow(t *testing.T) {
	for _, d := range describedServers(t) {
		h := d.serve(t)
		want := d.Want.Context
		if want == 0 {
			want = 8192
		}
		base := h.URL + "/v1"
		if d.Name == "dmr" {
			base, want = h.URL+"/engines/v1", 4096
		}
		c := newClient(t, Options{Provider: d.provider(), BaseURL: base})
		if got := c.Window(context.Background()); got != want {
			t.Errorf("%s: %d, want %d", d.Name, got, want)
		}
		if len(d.Want.Models) > 0 && d.Name != "llamacpp-router" && c.Name() != d.Want.Models[0] {
			t.Errorf("%s: name is %q", d.Name, c.Name())
		}
		if c := newClient(t, Options{Provider: "x", BaseURL: h.URL, ContextWindow: 77}); c.Window(context.Background()) != 77 {
			t.Errorf("%s: the configured window doesn't count", d.Name)
		}
	}
}

// TestTheWindowOfAModelThatLoadsOnFirstUse asks again after the first answer.
func TestTheWindowOfAModelThatLoadsOnFirstUse(t *testing.T) {
	var mu sync.Mutex
	loaded, asked := false, 0
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		switch r.URL.Path {
		case "/v1/models":
			_, _ = io.WriteString(w, `{"data":[{"id":"qwen3:4b","owned_by":"library"}]}`)
		case "/api/ps":
			asked++
			if loaded {
				_, _ = io.WriteString(w, `{"models":[{"name":"qwen3:4b","context_length":16384}]}`)
			} else {
				_, _ = io.WriteString(w, `{"models":[]}`)
			}
		case "/v1/chat/completions":
			loaded = true
			says(okEvent)(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	defer h.Close()
	c := newClient(t, Options{Provider: Ollama, BaseURL: h.URL + "/v1"})
	for _, want := range []int{8192, 8192} {
		if got := c.Window(context.Background()); got != want {
			t.Errorf("before: %d", got)
		}
	}
	if _, _, err := ask(c); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got := c.Window(context.Background()); got != 16384 {
			t.Errorf("after: %d", got)
		}
		_, _, _ = ask(c)
	}
	if asked != 3 { // once for the model's name, once before and once after
		t.Errorf("asked %d times", asked)
	}
}

// elsewhere sends requests for ports of this machine to test servers.
type elsewhere struct {
	next  http.RoundTripper
	ports map[string]string
}

func (e elsewhere) RoundTrip(req *http.Request) (*http.Response, error) {
	host, ok := e.ports[req.URL.Host]
	if !ok {
		return nil, errors.New("connection refused")
	}
	req = req.Clone(req.Context())
	req.URL.Host = host
	return e.next.RoundTrip(req)
}

func TestServersAreFoundOnThisMachine(t *testing.T) {
	byName := map[string]string{}
	for _, d := range describedServers(t) {
		byName[d.Name] = strings.TrimPrefix(d.serve(t).URL, "http://")
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }))
	defer page.Close()
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer slow.Close()
	loading := httptest.NewServer(refuses(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`))
	defer loading.Close()
	host := func(h *httptest.Server) string { return strings.TrimPrefix(h.URL, "http://") }
	const ollama, llamacpp, lmstudio, dmr, vllm = "127.0.0.1:11434", "127.0.0.1:8080", "127.0.0.1:1234", "127.0.0.1:12434", "127.0.0.1:8000"
	for name, c := range map[string]struct {
		ports map[string]string
		want  string // provider and model
	}{
		"ollama":                  {map[string]string{ollama: byName["ollama"], llamacpp: byName["llamacpp"]}, "ollama qwen3:4b"},
		"llamacpp":                {map[string]string{llamacpp: byName["llamacpp"]}, "llamacpp qwen3-4b-instruct-q4_k_m.gguf"},
		"lmstudio":                {map[string]string{lmstudio: byName["lmstudio"]}, "lmstudio qwen3-4b"},
		"dmr":                     {map[string]string{dmr: byName["dmr"]}, "dockermodelrunner docker.io/ai/qwen3:4B-Q4_K_M"},
		"vllm":                    {map[string]string{vllm: byName["vllm"]}, "vllm Qwen/Qwen3-4B"},
		"ollama without models":   {map[string]string{ollama: byName["ollama-empty"], vllm: byName["vllm"]}, "vllm Qwen/Qwen3-4B"},
		"another web server":      {map[string]string{llamacpp: host(page), vllm: byName["vllm"]}, "vllm Qwen/Qwen3-4B"},
		"one that doesn't answer": {map[string]string{ollama: host(slow), vllm: byName["vllm"]}, "vllm Qwen/Qwen3-4B"},
		"one that loads":          {map[string]string{llamacpp: host(loading)}, "llamacpp "},
	} {
		next := newTransport()
		c2 := newClient(t, Options{Transport: elsewhere{next, c.ports}})
		start := time.Now()
		err := c2.Resolve(context.Background())
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
		if got := c2.Provider() + " " + c2.Name(); got != c.want || err != nil && name != "one that loads" {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, c.want)
		}
		next.CloseIdleConnections()
	}
}

func TestNoServerIsFound(t *testing.T) {
	c := newClient(t, Options{Transport: elsewhere{}})
	_, _, err := ask(c)
	var e *Error
	if !errors.As(err, &e) || e.Kind != KindNoServer {
		t.Fatal(err)
	}
	for _, want := range []string{"ollama at 127.0.0.1:11434/v1", "llamacpp at 127.0.0.1:8080", "lmstudio at 127.0.0.1:1234",
		"dockermodelrunner at 127.0.0.1:12434", "vllm at 127.0.0.1:8000", "llama-server --jinja", "ollama run", "`mm demo`"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q isn't in %q", want, err)
		}
	}
}

func TestProbe(t *testing.T) {
	native := `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"echo","arguments":"{\"text\":\"ok\"}"}}]},"finish_reason":"tool_calls"}]}`
	text := `{"choices":[{"delta":{"content":"<tool_call>{\"name\": \"echo\", \"arguments\": {\"text\": \"ok\"}}</tool_call>"},"finish_reason":"stop"}]}`
	for want, answer := range map[string]http.HandlerFunc{
		ToolsNative: says(native), ToolsText: says(text), ToolsUnused: says(okEvent),
		ToolsRefused: refuses(400, `{"error":{"message":"\"gemma:2b\" does not support tools"}}`),
	} {
		h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			switch {
			case r.URL.Path == "/v1/models":
				_, _ = io.WriteString(w, `{"data":[{"id":"m","max_model_len":5000}]}`)
			case bytes.Contains(body, []byte(`"tools":`)):
				answer(w, r)
			default:
				says(halfEvent, okEvent)(w, r)
			}
		}))
		c := newClient(t, Options{Provider: "mine", BaseURL: h.URL + "/v1"})
		r, err := Probe(context.Background(), c, func(Event) error { return nil })
		if err != nil || r.Tools != want || !r.Streams || r.Window != 5000 || r.Model != "m" || r.Provider != "mine" || r.FirstToken <= 0 {
			t.Errorf("%s: got %+v, %v", want, r, err)
		}
		h.Close()
	}
}

// TestAnotherModelOfTheServer failed when With forgot how long the usage is waited for.
func TestAnotherModelOfTheServer(t *testing.T) {
	c := newClient(t, Options{Provider: "mine", BaseURL: "http://127.0.0.1:1/v1", Model: "a"})
	n := c.With("b").(*Client)
	if n.Name() != "b" || n.Provider() != "mine" || n.patience != c.patience || n.sleep == nil || n.now == nil || n.jitter == nil || n.http != c.http {
		t.Errorf("%+v", n.means)
	}
}
