package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// stream is a body of testdata/streams and the right reading of it.
type stream struct {
	name        string
	body        []byte
	Status      int        `json:"status"`
	ContentType string     `json:"content_type"`
	Want        wanted     `json:"want"`
	Lifted      *wantedNow `json:"lifted"`
}

type wantedNow struct {
	Text      string       `json:"text"`
	Reasoning string       `json:"reasoning"`
	ToolCalls []wantedCall `json:"tool_calls"`
}

type wanted struct {
	wantedNow
	Finish *string `json:"finish"`
	Usage  *struct {
		Prompt     int  `json:"prompt"`
		Completion int  `json:"completion"`
		Cached     *int `json:"cached"`
	} `json:"usage"`
	Error *struct {
		Message string  `json:"message"`
		Type    *string `json:"type"`
		Code    *string `json:"code"`
	} `json:"error"`
	Done     bool `json:"done"`
	Complete bool `json:"complete"`
}

type wantedCall struct {
	ID        *string        `json:"id"`
	Name      string         `json:"name"`
	Arguments string         `json:"arguments"`
	Args      map[string]any `json:"args"`
}

func streams(t testing.TB) []*stream {
	t.Helper()
	files, err := filepath.Glob("testdata/streams/*.sse")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d streams, %v", len(files), err)
	}
	var all []*stream
	for _, f := range files {
		s := &stream{name: strings.TrimSuffix(filepath.Base(f), ".sse")}
		if s.body, err = os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(f, ".sse") + ".want.json")
		if err == nil {
			err = json.Unmarshal(want, s)
		}
		if err != nil {
			t.Fatal(f, err)
		}
		all = append(all, s)
	}
	return all
}

// cutter is a transport that hands on the bytes of a real server's answer in pieces of given sizes.
type cutter struct {
	next http.RoundTripper
	size func() int
}

func (c *cutter) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := c.next.RoundTrip(req)
	if err == nil {
		res.Body = &cutBody{res.Body, c.size}
	}
	return res, err
}

type cutBody struct {
	io.ReadCloser
	size func() int
}

func (c *cutBody) Read(b []byte) (int, error) {
	return c.ReadCloser.Read(b[:min(len(b), c.size())])
}

// server serves a body in pieces, each flushed; abort breaks the connection after them.
func server(t testing.TB, s *stream, pieces [][]byte, abort bool) string {
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", s.ContentType)
		w.WriteHeader(s.Status)
		for _, p := range pieces {
			_, _ = w.Write(p)
			w.(http.Flusher).Flush()
		}
		if abort {
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(h.Close)
	return h.URL + "/v1"
}

// read asks a server once and returns what the stream brought.
func read(t testing.TB, base string, transport http.RoundTripper) (*received, error) {
	t.Helper()
	c := newClient(t, Options{Provider: "test", BaseURL: base, Model: "m", Transport: transport})
	var events []Event
	got, err := c.receive(context.Background(), c.target(), []byte("{}"), &output{on: func(e Event) error {
		events = append(events, e)
		return nil
	}})
	checkEvents(t, events, got)
	return got, err
}

func newClient(t testing.TB, o Options) *Client {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	c := m.(*Client)
	t.Cleanup(c.Close)
	return c
}

// checkEvents compares what was told while the stream was read with what it brought.
func checkEvents(t testing.TB, events []Event, got *received) {
	t.Helper()
	var text, thought strings.Builder
	args := map[int]string{}
	for _, e := range events {
		text.WriteString(e.Text)
		thought.WriteString(e.Thought)
		if e.Call != nil {
			args[e.Call.Index] += e.Call.Arguments
		}
	}
	if text.String() != string(got.text) || thought.String() != string(got.thought) {
		t.Errorf("told text %q and thought %q, got %q and %q", text.String(), thought.String(), got.text, got.thought)
	}
	for i, c := range got.calls {
		if args[i] != string(c.args) {
			t.Errorf("told arguments %q, got %q", args[i], c.args)
		}
	}
}

// compare fails the test when a stream was read otherwise than wanted.
func (s *stream) compare(t testing.TB, got *received) {
	t.Helper()
	w := &s.Want
	if string(got.text) != w.Text {
		t.Errorf("text %q, want %q", got.text, w.Text)
	}
	if string(got.thought) != w.Reasoning {
		t.Errorf("reasoning %q, want %q", got.thought, w.Reasoning)
	}
	s.compareCalls(t, got)
	if finish := deref(w.Finish); got.finish != finish {
		t.Errorf("finish %q, want %q", got.finish, finish)
	}
	if got.done != w.Done || got.complete() != w.Complete {
		t.Errorf("done %v, complete %v, want %v, %v", got.done, got.complete(), w.Done, w.Complete)
	}
	if u := w.Usage; (u == nil) != (got.usage == nil) {
		t.Errorf("usage %+v, want %+v", got.usage, u)
	} else if u != nil {
		cached := -1
		if u.Cached != nil {
			cached = *u.Cached
		}
		if *got.usage != (wireUsage{u.Prompt, u.Completion, cached}) {
			t.Errorf("usage %+v, want %+v", got.usage, u)
		}
	}
	if e := w.Error; (e == nil) != (got.fault == nil) {
		t.Errorf("error %+v, want %+v", got.fault, e)
	} else if e != nil && (got.fault.message != e.Message || got.fault.kind != deref(e.Type) || got.fault.code != deref(e.Code)) {
		t.Errorf("error %+v, want %+v", got.fault, e)
	}
}

func (s *stream) compareCalls(t testing.TB, got *received) {
	t.Helper()
	if len(got.calls) != len(s.Want.ToolCalls) {
		t.Errorf("%d calls, want %d", len(got.calls), len(s.Want.ToolCalls))
		return
	}
	for i, c := range got.calls {
		w := s.Want.ToolCalls[i]
		if c.id != deref(w.ID) || c.name != w.Name || string(c.args) != w.Arguments {
			t.Errorf("call %d is %s %s %s, want %s %s %s", i, c.id, c.name, c.args, deref(w.ID), w.Name, w.Arguments)
		}
		object, bad := repairArguments(string(c.args), !got.complete() || got.finish == "length")
		compareArgs(t, object, bad, w.Args)
	}
}

func compareArgs(t testing.TB, object, bad string, want map[string]any) {
	t.Helper()
	if (bad != "") != (want == nil) {
		t.Errorf("arguments are bad: %q, want %v", bad, want)
	}
	var args map[string]any
	if err := json.Unmarshal([]byte(object), &args); err != nil {
		t.Errorf("arguments %s: %v", object, err)
	}
	if want != nil && !reflect.DeepEqual(args, want) {
		t.Errorf("arguments %v, want %v", args, want)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func TestStreamsAsServersSendThem(t *testing.T) {
	for _, s := range streams(t) {
		t.Run(s.name, func(t *testing.T) {
			lines := bytes.SplitAfter(s.body, []byte("\n"))
			for name, pieces := range map[string][][]byte{
				"whole": {s.body}, "lines": lines, "bytes": singles(s.body),
			} {
				t.Run(name, func(t *testing.T) {
					got, _ := read(t, server(t, s, pieces, false), nil)
					s.compare(t, got)
				})
			}
		})
	}
}

func singles(body []byte) [][]byte {
	var pieces [][]byte
	for i := range body {
		pieces = append(pieces, body[i:i+1])
	}
	return pieces
}

func TestStreamsInCutsOfAnySize(t *testing.T) {
	for _, s := range streams(t) {
		t.Run(s.name, func(t *testing.T) {
			base := server(t, s, [][]byte{s.body}, false)
			next := newTransport()
			defer next.CloseIdleConnections()
			one := &cutter{next, func() int { return 1 }}
			got, _ := read(t, base, one)
			s.compare(t, got)
			for seed := range int64(100) {
				random := rand.New(rand.NewSource(seed))
				most := 1 + random.Intn(200)
				got, _ := read(t, base, &cutter{next, func() int { return 1 + random.Intn(most) }})
				s.compare(t, got)
				if t.Failed() {
					t.Fatalf("with seed %d", seed)
				}
			}
		})
	}
}

// TestStreamsClosedEarly closes the connection after each event, with and without the proper end of
// a body: "the result is never complete, except where a finish_reason has already come".
func TestStreamsClosedEarly(t *testing.T) {
	for _, s := range streams(t) {
		t.Run(s.name, func(t *testing.T) {
			for _, end := range eventEnds(s.body) {
				for _, abort := range []bool{false, true} {
					got, err := read(t, server(t, s, [][]byte{s.body[:end]}, abort), nil)
					if got.complete() && got.finish == "" {
						t.Errorf("complete after %d bytes", end)
					}
					if got.complete() != (err == nil) {
						t.Errorf("after %d bytes: complete %v, error %v", end, got.complete(), err)
					}
					if !strings.HasPrefix(s.Want.Text, string(bytes.TrimSuffix(got.text, []byte("\uFFFD")))) {
						t.Errorf("after %d bytes: text %q", end, got.text)
					}
				}
			}
		})
	}
}

// eventEnds are the places after each empty line but the last.
func eventEnds(body []byte) []int {
	var ends []int
	for i := range body {
		if i > 0 && body[i] == '\n' && (body[i-1] == '\n' || i > 2 && string(body[i-3:i]) == "\r\n\r") {
			ends = append(ends, i+1)
		}
	}
	if n := len(ends); n > 0 && ends[n-1] == len(body) {
		ends = ends[:n-1]
	}
	return append([]int{0}, ends...)
}
