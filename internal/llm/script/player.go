package script

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Player plays a script. It may be used by several goroutines.
type Player struct {
	script *Script
	// Sleep waits for delays; NewPlayer sets a timer that ends with the request.
	Sleep func(ctx context.Context, d time.Duration) error

	mu   sync.Mutex
	used []int // guarded by mu; how often each step was played
}

// NewPlayer makes a model of a script.
func NewPlayer(s *Script) *Player {
	return &Player{script: s, used: make([]int, len(s.Steps)), Sleep: sleep}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// RoundTrip answers a request as a server would: chat/completions from the script, models with one
// name, anything else with 404.
func (p *Player) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := req.Context().Err(); err != nil {
		return nil, err
	}
	switch {
	case req.Method == http.MethodPost && strings.HasSuffix(req.URL.Path, "/chat/completions"):
		return p.chat(req)
	case req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "/models"):
		return document(req, http.StatusOK, nil, `{"object":"list","data":[{"id":"scripted","object":"model","owned_by":"mm"}]}`), nil
	}
	return refuse(req, &Failure{Status: http.StatusNotFound, Message: "File Not Found", Type: "not_found_error"}), nil
}

// maxRequest is how much of a request is read.
const maxRequest = 256 << 20

func (p *Player) chat(req *http.Request) (*http.Response, error) {
	var data []byte
	if req.Body != nil {
		var err error
		data, err = io.ReadAll(io.LimitReader(req.Body, maxRequest))
		if closeErr := req.Body.Close(); err == nil {
			err = closeErr
		}
		if err != nil {
			return nil, err
		}
	}
	var r request
	if err := json.Unmarshal(data, &r); err != nil {
		return refuse(req, &Failure{Status: http.StatusBadRequest, Message: "the request isn't JSON: " + err.Error()}), nil
	}
	situation := situationOf(&r)
	step, found := p.pick(situation)
	if step == nil {
		return refuse(req, &Failure{Status: http.StatusBadRequest, Type: "invalid_request_error",
			Message: fmt.Sprintf("the script has no step for %s", situation)}), nil
	}
	pl := newPlay(req.Context(), p.Sleep, step, found, r.Model, len(data))
	if failed, err := pl.start(); err != nil {
		return nil, err
	} else if failed != nil {
		return refuse(req, failed), nil
	}
	header := http.Header{"Content-Type": {"text/event-stream"}, "Cache-Control": {"no-cache"}}
	return response(req, http.StatusOK, header, pl, -1), nil
}

// pick returns the first step that fits and isn't used up.
func (p *Player) pick(s situation) (*Step, groups) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.script.Steps {
		step := &p.script.Steps[i]
		if step.Times > 0 && p.used[i] >= step.Times {
			continue
		}
		if found, ok := step.match(s); ok {
			p.used[i]++
			return step, found
		}
	}
	return nil, nil
}

func refuse(req *http.Request, f *Failure) *http.Response {
	header := http.Header{}
	for name, value := range f.Headers {
		header.Set(name, value)
	}
	return document(req, f.Status, header, f.json())
}

// json is the failure as servers write it.
func (f *Failure) json() string {
	var code any
	if f.Code != "" {
		code = f.Code
	} else if f.Status != 0 {
		code = f.Status
	}
	data, err := json.Marshal(map[string]any{"error": map[string]any{"message": f.Message, "type": f.Type, "code": code}})
	if err != nil {
		return `{"error":"the script's error can't be written"}`
	}
	return string(data)
}

func document(req *http.Request, status int, header http.Header, body string) *http.Response {
	if header == nil {
		header = http.Header{}
	}
	header.Set("Content-Type", "application/json")
	return response(req, status, header, io.NopCloser(strings.NewReader(body)), int64(len(body)))
}

func response(req *http.Request, status int, header http.Header, body io.ReadCloser, length int64) *http.Response {
	return &http.Response{
		Status: strconv.Itoa(status) + " " + http.StatusText(status), StatusCode: status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: body, ContentLength: length, Request: req,
	}
}

// ServeHTTP plays the script over a real connection.
func (p *Player) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	res, err := p.RoundTrip(req)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer res.Body.Close()
	for name, values := range res.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(res.StatusCode)
	buf := make([]byte, 8<<10)
	for {
		n, err := res.Body.Read(buf)
		if n > 0 {
			if _, werr := w.Write(buf[:n]); werr != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			panic(http.ErrAbortHandler) // cuts the connection
		}
	}
}
