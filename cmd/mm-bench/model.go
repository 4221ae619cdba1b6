package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// model is a fake model server. What it answers is written in the question:
//
//	say N        N chunks of text
//	wait MS      answers after a delay, with one word
//	ask A,B P    calls ask_agent for each agent, with the prompt P
//
// After a tool's result it says "done".
type model struct {
	url string
	srv *http.Server

	mu    sync.Mutex
	bytes int // of the last request's body; guarded by mu
}

func startModel() *model {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	m := &model{url: "http://" + l.Addr().String() + "/v1"}
	m.srv = &http.Server{Handler: m}
	go func() { _ = m.srv.Serve(l) }()
	return m
}

func (m *model) close() { _ = m.srv.Close() }

// lastBytes is the size of the last request.
func (m *model) lastBytes() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bytes
}

var (
	sayRule  = regexp.MustCompile(`say (\d+)`)
	waitRule = regexp.MustCompile(`wait (\d+)`)
	askRule  = regexp.MustCompile(`ask (\S+) (.*)`)
)

// ServeHTTP answers a request.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
		fmt.Fprint(w, `{"object":"list","data":[{"id":"bench","object":"model","max_model_len":1000000}]}`)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m.mu.Lock()
	m.bytes = len(body)
	m.mu.Unlock()
	last, err := lastMessage(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	s := stream{w: w}
	switch {
	case last.Role == "tool":
		s.text("done")
	case askRule.MatchString(last.Content):
		found := askRule.FindStringSubmatch(last.Content)
		for i, agent := range strings.Split(found[1], ",") {
			s.call(i, agent, found[2])
		}
	case waitRule.MatchString(last.Content):
		ms, _ := strconv.Atoi(waitRule.FindStringSubmatch(last.Content)[1])
		time.Sleep(time.Duration(ms) * time.Millisecond) // the model's own time is what is wanted
		s.text("done")
	case sayRule.MatchString(last.Content):
		n, _ := strconv.Atoi(sayRule.FindStringSubmatch(last.Content)[1])
		for range n {
			s.text("word ")
		}
	default:
		for range 20 {
			s.text("word ")
		}
	}
	s.end()
}

// message is one of a request.
type message struct{ Role, Content string }

// lastMessage reads the last message of a request, which is its end, and nothing else: a long history
// would cost the model more than what is measured.
func lastMessage(body []byte) (m message, err error) {
	at := bytes.LastIndex(body, []byte(`{"role":`))
	if at < 0 || !bytes.HasSuffix(body, []byte("]}")) {
		return m, errors.New("the messages must be the end of the request")
	}
	return m, json.Unmarshal(body[at:len(body)-2], &m)
}

// stream writes chunks.
type stream struct {
	w     http.ResponseWriter
	calls bool
}

func (s *stream) chunk(choice string) {
	fmt.Fprintf(s.w, `data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"bench","choices":[%s]}`+"\n\n", choice)
	_ = http.NewResponseController(s.w).Flush()
}

func (s *stream) text(t string) {
	s.chunk(fmt.Sprintf(`{"index":0,"delta":{"content":%q},"finish_reason":null}`, t))
}

func (s *stream) call(i int, agent, prompt string) {
	s.calls = true
	args, _ := json.Marshal(map[string]string{"agent": agent, "prompt": prompt})
	quoted, _ := json.Marshal(string(args))
	s.chunk(fmt.Sprintf(`{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"call_%d","type":"function","function":{"name":"ask_agent","arguments":%s}}]},"finish_reason":null}`, i, i, quoted))
}

func (s *stream) end() {
	reason := "stop"
	if s.calls {
		reason = "tool_calls"
	}
	s.chunk(fmt.Sprintf(`{"index":0,"delta":{},"finish_reason":%q}`, reason))
	fmt.Fprint(s.w, "data: [DONE]\n\n")
}
