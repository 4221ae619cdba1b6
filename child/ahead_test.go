package child_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/child"
	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/orchestrator"
)

// agentEnv makes the test's own program an agent; its value is the file that the agent notes each request in.
const agentEnv = "CHILD_TEST_AGENT"

func TestMain(m *testing.M) {
	if path := os.Getenv(agentEnv); path != "" {
		runAgent(path)
		return
	}
	goleak.VerifyTestMain(m)
}

// agent answers with the session that it was asked in.
type agent struct {
	conn *acp.Conn
	mu   sync.Mutex
	log  *os.File
	made int
}

func runAgent(path string) {
	log, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	a := &agent{log: log}
	conn := acp.NewConn(os.Stdin, os.Stdout, os.Stdin.Close, a, acp.Options{Side: acp.Agent})
	<-conn.Done()
}

func (a *agent) Bind(c *acp.Conn) { a.conn = c }

func (a *agent) Notification(string, json.RawMessage) {}

func (a *agent) note(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	fmt.Fprintf(a.log, format+"\n", args...)
}

func (a *agent) Request(ctx context.Context, method string, params json.RawMessage) (any, error) {
	switch method {
	case acp.MethodInitialize:
		yes := &acp.Capability{}
		return acp.InitializeResponse{ProtocolVersion: acp.Version, AgentCapabilities: acp.AgentCapabilities{SessionCapabilities: acp.SessionCapabilities{Close: yes}}}, nil
	case acp.MethodNewSession:
		return a.newSession(ctx, params)
	case acp.MethodCloseSession:
		a.note("close %s", acp.SessionOf(params))
		return acp.Empty{}, nil
	}
	id := acp.SessionOf(params)
	a.note("prompt %s", id)
	err := a.conn.Update(ctx, id, acp.TextChunk(acp.UpdateAgentMessage, "", id))
	return acp.PromptResponse{StopReason: acp.StopEndTurn}, err
}

// newSession makes sessions s1, s2, … In the folder "refused" the second is refused; in "slow" there is none; in "eager" each says
// something, and asks for something, before it has a prompt.
func (a *agent) newSession(ctx context.Context, params json.RawMessage) (any, error) {
	var p acp.NewSessionRequest
	if err := acp.DecodeParams(params, &p); err != nil {
		return nil, err
	}
	a.mu.Lock()
	a.made++
	n := a.made
	a.mu.Unlock()
	folder := filepath.Base(p.Cwd)
	if folder == "refused" && n == 2 {
		a.note("refuse")
		return nil, acp.Internal("not now")
	}
	id := fmt.Sprint("s", n)
	a.note("new %s %s", id, folder)
	if folder == "slow" {
		<-ctx.Done()
	}
	return acp.Reply{Result: acp.NewSessionResponse{SessionID: id}, Then: func() {
		if folder != "eager" {
			return
		}
		_ = a.conn.Update(context.Background(), id, acp.Notice{Severity: "warning", Title: "hello from " + id})
		var r acp.RequestPermissionResponse
		err := a.conn.Call(context.Background(), acp.MethodRequestPermission, acp.RequestPermissionRequest{SessionID: id,
			ToolCall: acp.ToolCallUpdate{ToolCallID: "c", Title: "too early"},
			Options:  []acp.PermissionOption{{OptionID: "yes", Name: "yes", Kind: acp.AllowOnce}, {OptionID: "no", Name: "no", Kind: acp.RejectOnce}}}, &r)
		a.note("permission %s %s %v", id, r.Outcome.OptionID, err)
	}}, nil
}

// house is a test's agent and the file of its requests.
type house struct {
	t   *testing.T
	c   *child.Client
	log string
}

func start(t *testing.T, mm bool) *house {
	t.Helper()
	h := &house{t: t, log: filepath.Join(t.TempDir(), "log")}
	c, err := child.Start(t.Context(), child.Command{Name: "jan", Path: os.Args[0], Env: append(os.Environ(), agentEnv+"="+h.log), MM: mm})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	h.c = c
	return h
}

// ask asks in a folder and returns what was answered, and the notices.
func (h *house) ask(folder string) (answer string, notices []string) {
	h.t.Helper()
	host := orchestrator.Program{Event: func(e orchestrator.Event) {
		if n, ok := e.(ui.Notice); ok {
			notices = append(notices, n.Text)
		}
	}}
	done, err := h.c.Ask(h.t.Context(), child.Task{Cwd: "/" + folder, Text: "hi", Parent: "p", StopAfter: 5 * time.Second}, host)
	if err != nil || done.StopReason != "end_turn" {
		h.t.Fatalf("%+v %v", done, err)
	}
	return done.Text, notices
}

// sees waits until the agent has seen a request.
func (h *house) sees(want string) {
	h.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !slices.Contains(h.requests(), want); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("the agent hasn't seen %q:\n%s", want, strings.Join(h.requests(), "\n"))
		}
	}
}

func (h *house) requests() (list []string) {
	f, err := os.Open(h.log)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		h.t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		list = append(list, lines.Text())
	}
	return list
}

// TestTheNextSessionIsMadeAhead: an ask costs one round trip, each has a session of its own, and the ones
// before are closed.
func TestTheNextSessionIsMadeAhead(t *testing.T) {
	h := start(t, true)
	for i := range 5 {
		want := fmt.Sprint("s", i+1)
		if got, _ := h.ask("here"); got != want {
			t.Errorf("ask %d was answered in %q, want %q", i, got, want)
		}
		h.sees(fmt.Sprintf("new s%d here", i+2))
		h.sees("close " + want)
	}
}

// TestAsksRightBehindEachOther: also one that comes while the next session is being made.
func TestAsksRightBehindEachOther(t *testing.T) {
	h := start(t, true)
	seen := map[string]bool{}
	for range 100 {
		got, _ := h.ask("here")
		if seen[got] {
			t.Fatalf("session %s was used twice", got)
		}
		seen[got] = true
	}
	h.sees("new s101 here")
}

// TestSideBySide: of several asks at once only one can have the session that was made ahead.
func TestSideBySide(t *testing.T) {
	h := start(t, true)
	for range 20 {
		var mu sync.Mutex
		seen := map[string]bool{}
		var asks sync.WaitGroup
		for range 4 {
			asks.Go(func() {
				got, _ := h.ask("here")
				mu.Lock()
				defer mu.Unlock()
				if seen[got] {
					t.Errorf("session %s was used twice", got)
				}
				seen[got] = true
			})
		}
		asks.Wait()
	}
}

// TestAnotherFolder: a session of one folder is nothing for another, and isn't kept.
func TestAnotherFolder(t *testing.T) {
	h := start(t, true)
	h.ask("here")
	h.sees("new s2 here")
	if got, _ := h.ask("there"); got != "s3" {
		t.Errorf("answered in %q", got)
	}
	h.sees("new s3 there")
	h.sees("close s2")
	if slices.Contains(h.requests(), "prompt s2") {
		t.Error("the session of the wrong folder was used")
	}
}

// TestAnotherFolderMeanwhile: a session ahead that isn't there yet, and that the next ask can't use, ended the
// agent when it took longer than a cancel may.
func TestAnotherFolderMeanwhile(t *testing.T) {
	h := start(t, true)
	h.c.Prepare(child.Task{Cwd: "/slow", Parent: "p"})
	h.sees("new s1 slow")
	done, err := h.c.Ask(t.Context(), child.Task{Cwd: "/here", Text: "hi", Parent: "p", StopAfter: time.Nanosecond}, orchestrator.Program{})
	if err != nil || done.Text != "s2" {
		t.Fatalf("%+v %v", done, err)
	}
	h.sees("new s3 here")
	if got, _ := h.ask("here"); got != "s3" || !h.c.Alive() {
		t.Errorf("answered in %q", got)
	}
}

// TestAheadRefused: what was refused to nobody fails no ask.
func TestAheadRefused(t *testing.T) {
	h := start(t, true)
	h.ask("refused")
	h.sees("refuse")
	if got, _ := h.ask("refused"); got != "s3" {
		t.Errorf("answered in %q", got)
	}
}

// TestAheadSpeaks: what a session that was made ahead tells is shown with the ask that gets it; what it
// asks for before anybody asked it is rejected.
func TestAheadSpeaks(t *testing.T) {
	h := start(t, true)
	h.ask("eager")
	h.sees("permission s2 no <nil>")
	if got, notices := h.ask("eager"); got != "s2" || !slices.Equal(notices, []string{"hello from s2"}) {
		t.Errorf("answered in %q with %q", got, notices)
	}
}

// TestOthersGetNoSessionAhead: agents of other makes get a session when there is something to do.
func TestOthersGetNoSessionAhead(t *testing.T) {
	h := start(t, false)
	h.ask("here")
	h.sees("close s1")
	h.ask("here")
	h.sees("close s2")
	want := []string{"new s1 here", "prompt s1", "close s1", "new s2 here", "prompt s2", "close s2"}
	if got := h.requests(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
