package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// clock counts the waits of a client instead of waiting.
type clock struct {
	waits []time.Duration
	most  int // after so many waits the context's error is returned
}

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.waits = append(c.waits, d)
	if c.most > 0 && len(c.waits) >= c.most {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// ask streams one question and returns what was told, in short.
func ask(c *Client, history ...Message) (Reply, []string, error) {
	if len(history) == 0 {
		history = []Message{{Role: RoleUser, Content: "hello"}}
	}
	var told []string
	reply, err := c.Stream(context.Background(), Request{Messages: history, Tools: offered()}, func(e Event) error {
		told = append(told, short(e))
		return nil
	})
	return reply, told, err
}

func short(e Event) string {
	switch {
	case e.Text != "":
		return "text " + e.Text
	case e.Thought != "":
		return "thought " + e.Thought
	case e.Call != nil:
		return fmt.Sprintf("call %d %s %s", e.Call.Index, e.Call.Name, e.Call.Arguments)
	case e.Progress != nil:
		return fmt.Sprintf("progress %d/%d", e.Progress.Done, e.Progress.Total)
	case e.Waiting != "":
		return e.Waiting
	case e.Notice != "":
		return "notice " + e.Notice
	case e.Restart:
		return "restart"
	case e.TextWasThought:
		return "reconsidered"
	}
	return "nothing"
}

// offered are the tools that the streams' README names.
func offered() []Tool {
	var tools []Tool
	for _, name := range []string{"read_file", "write_file", "edit_file", "list_dir", "search", "run", "pwd"} {
		tools = append(tools, Tool{Name: name, Description: name, Parameters: json.RawMessage(`{"type":"object","properties":{"pattern":{"type":"string"},"n":{"type":"integer"}}}`)})
	}
	return tools
}

type refused struct {
	Name    string            `json:"name"`
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    string            `json:"body"`
	Want    struct {
		Kind         string `json:"kind"`
		Retry        bool   `json:"retry"`
		Message      string `json:"message"`
		RetryAfter   int    `json:"retry_after_s"`
		PromptTokens int    `json:"prompt_tokens"`
		Context      int    `json:"context"`
	} `json:"want"`
}

func TestRefusalsAsServersSendThem(t *testing.T) {
	data, err := os.ReadFile("testdata/streams/http-errors.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []refused
	if err := json.Unmarshal(data, &all); err != nil || len(all) < 30 {
		t.Fatal(len(all), err)
	}
	for _, r := range all {
		t.Run(r.Name, func(t *testing.T) {
			h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				for name, value := range r.Headers {
					w.Header().Set(name, value)
				}
				w.WriteHeader(r.Status)
				_, _ = w.Write([]byte(r.Body))
			}))
			defer h.Close()
			c := newClient(t, Options{Provider: "test", BaseURL: h.URL, Model: "m", ToolCalls: "native"})
			_, err := c.receive(context.Background(), c.target(), []byte("{}"), &output{on: func(Event) error { return nil }})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error is %v", err)
			}
			w := r.Want
			if e.Kind != w.Kind || e.Retry != w.Retry || e.Message != w.Message || e.PromptTokens != w.PromptTokens || e.Context != w.Context {
				t.Errorf("got %+v\nwant %+v", e, w)
			}
			if e.RetryAfter != time.Duration(w.RetryAfter)*time.Second || e.Status != r.Status {
				t.Errorf("retry after %v, status %d", e.RetryAfter, e.Status)
			}
		})
	}
}

// busy answers with each of the given functions in turn, the last one for ever.
func busy(t *testing.T, answers ...http.HandlerFunc) string {
	var n atomic.Int64
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i := min(int(n.Add(1)), len(answers)) - 1
		answers[i](w, r)
	}))
	t.Cleanup(h.Close)
	return h.URL + "/v1"
}

func refuses(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func says(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range events {
			_, _ = w.Write([]byte("data: " + e + "\n\n"))
			w.(http.Flusher).Flush()
		}
	}
}

func cuts(events ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		says(events...)(w, r)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

const (
	okEvent   = `{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`
	halfEvent = `{"choices":[{"delta":{"content":"ha"}}]}`
)

func testClient(t *testing.T, base string, clock *clock) *Client {
	c := newClient(t, Options{Provider: "test", BaseURL: base, Model: "m", Sleep: clock.sleep})
	c.jitter = func() float64 { return 0.5 }
	return c
}

func TestLoadingIsWaitedForAndSaid(t *testing.T) {
	loading := refuses(503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`)
	clock := &clock{}
	c := testClient(t, busy(t, loading, loading, loading, loading, loading, says(okEvent)), clock)
	reply, told, err := ask(c)
	if err != nil || reply.Message.Content != "ok" {
		t.Fatal(reply, err)
	}
	want := []string{"waiting for test: Loading model", "text ok"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q", told)
	}
	if want := []time.Duration{500e6, 1e9, 2e9, 2e9, 2e9}; !slices.Equal(clock.waits, want) {
		t.Errorf("waited %v", clock.waits)
	}
}

func TestWaitsGrowAndKeepToRetryAfter(t *testing.T) {
	busyNow := refuses(502, "")
	clock := &clock{}
	c := testClient(t, busy(t, busyNow, busyNow, busyNow, busyNow, busyNow, busyNow, busyNow,
		refuses(429, `{"error":"slow down"}`, "Retry-After", "40"), says(okEvent)), clock)
	if _, _, err := ask(c); err != nil {
		t.Fatal(err)
	}
	if want := []time.Duration{500e6, 1e9, 2e9, 4e9, 8e9, 15e9, 15e9, 40500e6}; !slices.Equal(clock.waits, want) {
		t.Errorf("waited %v", clock.waits)
	}
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := newClient(t, Options{Provider: "test", BaseURL: busy(t, refuses(503, "")), Model: "m"})
	_, err := c.Stream(ctx, Request{Messages: []Message{{Role: RoleUser, Content: "a"}}}, func(e Event) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

func TestARefusedConnectionIsTriedAgain(t *testing.T) {
	h := httptest.NewServer(says(okEvent))
	base := h.URL + "/v1"
	h.Close()
	clock := &clock{most: 5}
	c := testClient(t, base, clock)
	_, told, err := ask(c)
	if !errors.Is(err, context.DeadlineExceeded) || len(told) != 1 || len(clock.waits) != 5 || told[0] != "waiting for test: connection refused" {
		t.Errorf("told %q, %v", told, err)
	}
	_, err = c.post(context.Background(), c.target(), nil)
	if e := c.explain(err); !errors.Is(e, syscall.ECONNREFUSED) || e.Error() != "test: connection refused — is a server running at "+base+"?" {
		t.Errorf("error is %v", e)
	}
}

func TestAStreamThatBreaksBeforeItShowedAnythingIsAskedAgainOnce(t *testing.T) {
	clock := &clock{}
	for name, first := range map[string]http.HandlerFunc{
		"cut":           cuts(),
		"ended":         says(),
		"role only":     says(`{"choices":[{"delta":{"role":"assistant","content":""}}]}`),
		"no status":     func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"cut after one": cuts(`{"choices":[{"delta":{"role":"assistant","content":""}}]}`),
	} {
		reply, told, err := ask(testClient(t, busy(t, first, says(okEvent)), clock))
		if err != nil || reply.Message.Content != "ok" || len(told) != 1 {
			t.Errorf("%s: %+v, %q, %v", name, reply, told, err)
		}
		_, _, err = ask(testClient(t, busy(t, first, first, says(okEvent)), clock))
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindBroken {
			t.Errorf("%s twice: %v", name, err)
		}
	}
}

func TestAStreamThatBreaksLaterKeepsWhatArrived(t *testing.T) {
	for name, first := range map[string]http.HandlerFunc{"cut": cuts(halfEvent), "ended": says(halfEvent)} {
		reply, _, err := ask(testClient(t, busy(t, first, says(okEvent)), &clock{}))
		var e *Error
		if !errors.As(err, &e) || e.Kind != KindBroken || reply.Message.Content != "ha" || reply.Complete {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
}

func TestOutputThatTheServerCouldNotParseIsAskedAgainOnce(t *testing.T) {
	bad := `{"error":{"code":500,"message":"Failed to parse input at pos 84: <tool_call>","type":"server_error"}}`
	reply, told, err := ask(testClient(t, busy(t, says(halfEvent, bad), says(okEvent)), &clock{}))
	if err != nil || reply.Message.Content != "ok" || !slices.Equal(told, []string{"text ha", "restart", "text ok"}) {
		t.Errorf("%+v, %q, %v", reply, told, err)
	}
	reply, told, err = ask(testClient(t, busy(t, refuses(500, bad), says(okEvent)), &clock{}))
	if err != nil || reply.Message.Content != "ok" || len(told) != 1 {
		t.Errorf("%+v, %q, %v", reply, told, err)
	}
	_, _, err = ask(testClient(t, busy(t, refuses(500, bad), says(bad), says(okEvent)), &clock{}))
	if err == nil || !strings.Contains(err.Error(), "Failed to parse input at pos 84") {
		t.Error(err)
	}
}

func TestAPlain500IsTriedFourTimes(t *testing.T) {
	clock := &clock{}
	_, _, err := ask(testClient(t, busy(t, refuses(500, `{"error":{"message":"not: {} in a schema"}}`)), clock))
	if err == nil || err.Error() != "test: not: {} in a schema" || len(clock.waits) != 3 {
		t.Errorf("%v after %v", err, clock.waits)
	}
}

func TestAnErrorOfTheCallerStopsTheGeneration(t *testing.T) {
	gone := make(chan struct{})
	base := busy(t, func(w http.ResponseWriter, r *http.Request) {
		says(halfEvent)(w, r)
		<-r.Context().Done()
		close(gone)
	})
	enough := errors.New("enough")
	c := testClient(t, base, &clock{})
	reply, err := c.Stream(context.Background(), Request{Messages: []Message{{Role: RoleUser, Content: "a"}}}, func(Event) error { return enough })
	if err != enough || reply.Message.Content != "ha" || reply.Complete {
		t.Errorf("%+v, %v", reply, err)
	}
	<-gone
}

func TestErrorsThatWaitingDoesNotMend(t *testing.T) {
	for _, status := range []int{400, 401, 402, 404, 422} {
		clock := &clock{}
		_, _, err := ask(testClient(t, busy(t, refuses(status, `{"error":"no"}`)), clock))
		var e *Error
		if !errors.As(err, &e) || e.Status != status || len(clock.waits) != 0 {
			t.Errorf("%d: %v after %v", status, err, clock.waits)
		}
	}
}

// TestAWebPageIsNoAnswer: it was read as a stream that ended too early, and asked for again.
func TestAWebPageIsNoAnswer(t *testing.T) {
	clock := &clock{}
	base := busy(t, refuses(200, "<!doctype html><title>Welcome\nhere</title>", "Content-Type", "text/html; charset=utf-8"))
	_, _, err := ask(testClient(t, base, clock))
	want := "test: the answer is a web page (Welcome here) — is baseURL right? it is " + base + " and usually ends in /v1"
	if err == nil || err.Error() != want || len(clock.waits) != 0 {
		t.Errorf("%v after %v, want %s", err, clock.waits, want)
	}
}

func TestTheEnvironmentIsNotRead(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	t.Setenv("OPENAI_ORG_ID", "org")
	var header http.Header
	base := busy(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		says(okEvent)(w, r)
	})
	c := newClient(t, Options{BaseURL: base, Model: "m", Headers: map[string]string{"X-Mine": "1"}})
	if _, _, err := ask(c); err != nil {
		t.Fatal(err)
	}
	if header.Get("Authorization") != "" || header.Get("Openai-Organization") != "" || header.Get("X-Stainless-Os") != "" {
		t.Errorf("headers %v", header)
	}
	if header.Get("X-Mine") != "1" || header.Get("User-Agent") != "mm" {
		t.Errorf("headers %v", header)
	}
}

func TestTheConnectionIsUsedAgain(t *testing.T) {
	var opened atomic.Int64
	h := httptest.NewUnstartedServer(says(okEvent, "[DONE]"))
	h.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	h.Start()
	defer h.Close()
	c := testClient(t, h.URL, &clock{})
	for range 10 {
		if _, _, err := ask(c); err != nil {
			t.Fatal(err)
		}
	}
	if n := opened.Load(); n > 3 { // a slow machine may lose one
		t.Errorf("%d connections", n)
	}
}

func TestAServerThatKeepsTheConnectionOpen(t *testing.T) {
	for name, events := range map[string][]string{"after the finish": {okEvent}, "after the end": {okEvent, "[DONE]"}} {
		c := testClient(t, busy(t, func(w http.ResponseWriter, r *http.Request) {
			says(events...)(w, r)
			<-r.Context().Done()
		}), &clock{})
		c.patience = 10 * time.Millisecond
		reply, _, err := ask(c)
		if err != nil || reply.Message.Content != "ok" || !reply.Complete {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
}

func TestSecretsOfTheURLAreNotShown(t *testing.T) {
	c := newClient(t, Options{BaseURL: "http://user:geheim@127.0.0.1:1/v1?key=geheim", Model: "m", Sleep: (&clock{most: 1}).sleep})
	_, told, _ := ask(c)
	_, err := c.post(context.Background(), c.target(), nil)
	if text := c.explain(err).Error() + strings.Join(told, " ") + c.Provider(); strings.Contains(text, "geheim") {
		t.Error(text)
	}
}

func TestWhatIsWrongWithTheOptions(t *testing.T) {
	for want, o := range map[string]Options{
		`provider "mine" needs a baseURL`:                          {Provider: "mine"},
		`baseURL "localhost:8080": want http`:                      {BaseURL: "localhost:8080"},
		`baseURL "http://": want http`:                             {BaseURL: "http://"},
		`toolCalls "some": want auto, native or text`:              {ToolCalls: "some"},
		"provider scripted needs a script":                         {Provider: Scripted},
		"reading the script: open nowhere.yaml":                    {Provider: Scripted, Script: "nowhere.yaml"},
		"team.yaml:1:1: the script is empty: want a list of steps": {Provider: Scripted, Script: "team.yaml", ScriptBytes: []byte{}},
	} {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
