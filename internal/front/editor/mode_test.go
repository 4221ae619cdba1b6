package editor

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/engine"
)

// TestTheLastChosenModelAnswers: of two models chosen while a turn ran the first one could answer after it,
// while the client was told of the second.
func TestTheLastChosenModelAnswers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // the goroutine that was started last runs first
	began, end := make(chan struct{}, 1), make(chan struct{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			began <- struct{}{}
			<-end
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"yes\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
		}
	}))
	defer model.Close()
	dir := t.TempDir()
	path := filepath.Join(dir, "mm.yaml")
	if err := os.WriteFile(path, []byte("provider: test\nmodel: alpha\nbaseURL: "+model.URL+"/v1\nsessionsDir: "+dir+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := agents.Load(path, agents.Env{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	s, err := e.NewSession(engine.SessionOptions{Cwd: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ses := &open{server: &server{e: e, o: Options{Log: t.Logf}}, s: s, listed: make(chan struct{}), models: []string{"alpha", "beta", "gamma"}, model: "alpha"}
	ses.ctx, ses.stop = context.WithCancel(t.Context())
	defer ses.stop()
	close(ses.listed)
	run := runOf(ses.begin(t.Context()))
	go func() { defer run.end(); s.Ask(t.Context(), "well?") }()
	<-began
	for _, name := range []string{"beta", "gamma"} {
		if !ses.choose(t.Context(), name) {
			t.Fatalf("no %s", name)
		}
	}
	runtime.Gosched() // they wait for the turn
	close(end)
	ses.work.Wait()
	<-run.done
	if got := s.Model().Name(); got != "gamma" || ses.model != "gamma" {
		t.Errorf("%s answers and the client is told of %s", got, ses.model)
	}
}
