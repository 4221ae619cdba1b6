package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// A call that is given up returns at once and tells the peer, whose handler's context ends.
func TestCancelledCall(t *testing.T) {
	cause := make(chan error, 1)
	entered := make(chan struct{})
	_, client := pair(t, handler{request: func(ctx context.Context, m string, _ json.RawMessage) (any, error) {
		close(entered)
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return nil, ctx.Err()
	}}, nil)
	c, cancel := context.WithCancel(ctx(t))
	go func() { <-entered; cancel() }()
	if err := client.Call(c, "m", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("the call: %v", err)
	}
	if err := <-cause; acp.ErrorCode(err) != acp.CodeRequestCancelled {
		t.Errorf("the handler's cause: %v", err)
	}
	if err := client.Call(c, "m", nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a call with an ended context: %v", err)
	}
}

// $/cancel_request finds its request whatever the id, and only that one.
func TestCancelRequestByID(t *testing.T) {
	for _, id := range []string{"0", `""`, "null", "1.5", `"a"`, "-1"} {
		p := rawPeer(t, handler{request: func(ctx context.Context, m string, _ json.RawMessage) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, acp.Options{})
		p.send(`{"jsonrpc":"2.0","id":"other","method":"m"}`, `{"jsonrpc":"2.0","id":`+id+`,"method":"m"}`,
			`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":`+id+`}}`)
		p.want(acptest.ErrorLine(id, -32800, "the request was cancelled"))
		p.send(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"\u006fther"}}`)
		p.want(acptest.ErrorLine(`"other"`, -32800, "the request was cancelled"))
	}
}

// accepter refuses what comes before initialize and notes the order of arrival.
type accepter struct {
	handler
	mu     sync.Mutex
	ready  bool
	events []string
	conn   *acp.Conn
}

type turnKey struct{}

func (a *accepter) Bind(c *acp.Conn) { a.conn = c }

func (a *accepter) Accept(ctx context.Context, method string, _ json.RawMessage) (context.Context, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.events = append(a.events, method)
	if method == acp.MethodInitialize {
		a.ready = true
	}
	if !a.ready {
		return nil, acp.InvalidRequest("%s before initialize", method)
	}
	return context.WithValue(ctx, turnKey{}, len(a.events)), nil
}

func (a *accepter) Notification(method string, _ json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.events = append(a.events, method)
}

// A cancel right behind a prompt must find its turn, though the prompt has its own goroutine.
func TestAcceptIsInOrder(t *testing.T) {
	a := &accepter{}
	a.request = func(ctx context.Context, _ string, _ json.RawMessage) (any, error) { return ctx.Value(turnKey{}), nil }
	p := rawPeer(t, a, acp.Options{})
	if a.conn != p.conn {
		t.Error("not bound")
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"session/new"}`)
	p.want(acptest.ErrorLine("1", -32600, "session/new before initialize"))
	p.send(`{"jsonrpc":"2.0","id":2,"method":"initialize"}`)
	p.want(`{"jsonrpc":"2.0","id":2,"result":2}`)
	p.send(`{"jsonrpc":"2.0","id":3,"method":"session/prompt"}`, `{"jsonrpc":"2.0","method":"session/cancel"}`)
	p.want(`{"jsonrpc":"2.0","id":3,"result":3}`)
	p.send(`{"jsonrpc":"2.0","id":4,"method":"x"}`)
	p.line()
	if diff := cmp.Diff([]string{"session/new", "initialize", "session/prompt", "session/cancel", "x"}, a.events); diff != "" {
		t.Error(diff)
	}
}

// The first update of a session comes after the line that names it.
func TestReplyThen(t *testing.T) {
	for range 50 {
		a := &accepter{ready: true}
		a.request = func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
			return acp.Reply{Result: acp.NewSessionResponse{SessionID: "s"}, Then: func() {
				if err := a.conn.Update(ctx, "s", acp.AvailableCommands{}); err != nil {
					t.Error(err)
				}
			}}, nil
		}
		p := rawPeer(t, a, acp.Options{})
		p.send(`{"jsonrpc":"2.0","id":0,"method":"session/new"}`)
		p.want(`{"jsonrpc":"2.0","id":0,"result":{"sessionId":"s"}}`,
			`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"available_commands_update","availableCommands":[]}}}`)
	}
}

// A handler that calls back while others wait, on both sides, does not block anything.
func TestCallsBothWays(t *testing.T) {
	var agent, client *acp.Conn
	agent, client = pair(t,
		handler{request: func(ctx context.Context, m string, _ json.RawMessage) (any, error) {
			var n int
			err := agent.Call(ctx, "back", nil, &n)
			return n, err
		}},
		handler{request: func(ctx context.Context, m string, _ json.RawMessage) (any, error) { return 7, nil }})
	var wg sync.WaitGroup
	for range 200 {
		wg.Go(func() {
			var n int
			if err := client.Call(ctx(t), "there", nil, &n); err != nil || n != 7 {
				t.Errorf("%d, %v", n, err)
			}
		})
	}
	wg.Wait()
}

func TestTooManyRequests(t *testing.T) {
	release := make(chan struct{})
	p := rawPeer(t, handler{request: func(context.Context, string, json.RawMessage) (any, error) { <-release; return 1, nil }}, acp.Options{})
	go func() {
		for i := range 1025 {
			fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"method":"m"}`+"\n", i)
		}
	}()
	p.want(acptest.ErrorLine("1024", -32603, "more than 1024 requests are open"))
	close(release)
	for range 1024 {
		p.line()
	}
}

// slowReader reads what a flood brings, late.
type slowReader struct {
	text  strings.Builder
	other int
	lines int
	long  int
}

func (s *slowReader) read(t *testing.T, p *peer, until string) {
	for {
		line := p.line()
		if strings.Contains(line, until) {
			return
		}
		s.lines++
		s.long = max(s.long, len(line))
		var n struct{ Params json.RawMessage }
		if err := json.Unmarshal([]byte(line), &n); err != nil {
			t.Fatal(err)
		}
		u, err := acp.ParseUpdate(n.Params)
		if err != nil {
			t.Fatal(err)
		}
		if !u.IsChunk() {
			s.other++
			fmt.Fprintf(&s.text, "[%d]", s.other)
			continue
		}
		c, err := u.Chunk()
		if err != nil {
			t.Fatal(err)
		}
		s.text.WriteString(c.Content.Text)
	}
}

// flood sends n updates, and tells how many once one had to wait for a while.
func flood(ctx context.Context, conn *acp.Conn, n int, slowed chan int) error {
	wait := 100 * time.Millisecond
	for i := 0; i < n; i++ {
		u := acp.Update(acp.TextChunk(acp.UpdateAgentMessage, "m", fmt.Sprintf("%d \"é\"\n", i)))
		if i%1000 == 999 {
			u = acp.ToolCall{ToolCallID: fmt.Sprint(i), Title: "t"}
		}
		limit, cancel := context.WithTimeout(ctx, wait)
		err := conn.Update(limit, "s", u)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) && wait < time.Second {
			wait = time.Minute
			slowed <- i
			i-- // it wasn't sent
			continue
		}
		if err != nil {
			return err
		}
	}
	return conn.Notify(ctx, "_end", nil)
}

// A reader that is slower than 100,000 updates slows the sender, holds memory bounded and loses
// nothing; pieces of text that wait in a row become one.
func TestFloodWithSlowReader(t *testing.T) {
	const updates = 100_000
	p := rawPeer(t, nil, acp.Options{})
	var want strings.Builder
	for i := range updates {
		if i%1000 == 999 {
			fmt.Fprintf(&want, "[%d]", i/1000+1)
			continue
		}
		fmt.Fprintf(&want, "%d \"é\"\n", i)
	}
	runtime.GC()
	var before, during runtime.MemStats
	runtime.ReadMemStats(&before)
	slowed, done := make(chan int, 1), make(chan error, 1)
	go func() { done <- flood(ctx(t), p.conn, updates, slowed) }()
	var last int
	select { // nobody reads: the sender must come to rest long before the end
	case last = <-slowed:
	case err := <-done:
		t.Fatalf("the sender wasn't slowed: %v", err)
	}
	runtime.ReadMemStats(&during)
	if grown := int64(during.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("%d MB are held for a reader that doesn't read", grown>>20)
	}
	var s slowReader
	s.read(t, p, "_end")
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s.text.String() != want.String() {
		t.Errorf("what arrived differs from what was sent: %d and %d bytes", s.text.Len(), want.Len())
	}
	if s.lines >= updates/2 || s.long > 64<<10 {
		t.Errorf("%d lines, the longest of %d bytes", s.lines, s.long)
	}
	t.Logf("stopped after %d updates; %d lines, the longest of %d bytes", last, s.lines, s.long)
}

// A handler that takes its time slows a peer that floods: what waits is in the pipe, not in memory.
func TestSlowHandlerSlowsThePeer(t *testing.T) {
	release := make(chan struct{})
	var n int
	p := rawPeer(t, handler{
		notify:  func(string, json.RawMessage) { <-release; n++ },
		request: func(context.Context, string, json.RawMessage) (any, error) { return n, nil },
	}, acp.Options{Side: acp.Client})
	lines := strings.Repeat(`{"jsonrpc":"2.0","method":"session/update"}`+"\n", 1000)
	size := len(lines) / 1000
	p.in.SetWriteDeadline(time.Now().Add(200 * time.Millisecond))
	written := 0
	for {
		k, err := io.WriteString(p.in, lines)
		if written += k; err != nil {
			break
		}
	}
	p.in.SetWriteDeadline(time.Time{})
	if written > 1<<20 {
		t.Errorf("%d bytes were taken from the peer", written)
	}
	close(release)
	cut := written % size
	io.WriteString(p.in, lines[cut:size]+`{"jsonrpc":"2.0","id":1,"method":"n"}`+"\n")
	whole := written / size
	if cut > 0 {
		whole++
	}
	p.want(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":%d}`, whole))
}

// Only what belongs together becomes one.
func TestMergeKeepsApart(t *testing.T) {
	p := rawPeer(t, nil, acp.Options{})
	c := ctx(t)
	stuff(t, p)
	send := func(session string, u acp.Update) {
		if err := p.conn.Update(c, session, u); err != nil {
			t.Fatal(err)
		}
	}
	withMeta := acp.TextChunk(acp.UpdateAgentMessage, "m", "e")
	withMeta.Meta = acp.MetaOf("k", 1)
	send("s", acp.TextChunk(acp.UpdateAgentMessage, "m", "a"))
	send("s", acp.TextChunk(acp.UpdateAgentMessage, "m", "b"))
	send("s", acp.TextChunk(acp.UpdateAgentMessage, "n", "c"))
	send("s", acp.TextChunk(acp.UpdateAgentThought, "n", "d"))
	send("s", withMeta)
	send("s", acp.TextChunk(acp.UpdateAgentMessage, "m", "f"))
	send("t", acp.TextChunk(acp.UpdateAgentMessage, "m", "g"))
	send("t", acp.TextChunk(acp.UpdateUserMessage, "m", "h"))
	send("t", acp.TextChunk(acp.UpdateUserMessage, "m", "i"))
	if err := p.conn.Notify(c, "_end", nil); err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		line := p.line()
		if strings.Contains(line, "_end") {
			break
		}
		var n struct{ Params json.RawMessage }
		_ = json.Unmarshal([]byte(line), &n)
		if u, err := acp.ParseUpdate(n.Params); err == nil && u.Kind != acp.UpdateToolCall {
			chunk, _ := u.Chunk()
			got = append(got, fmt.Sprintf("%s %s %s %s", u.SessionID, u.Kind, chunk.MessageID, chunk.Content.Text))
		}
	}
	want := []string{"s agent_message_chunk m ab", "s agent_message_chunk n c", "s agent_thought_chunk n d", "s agent_message_chunk m e",
		"s agent_message_chunk m f", "t agent_message_chunk m g", "t user_message_chunk m h", "t user_message_chunk m i"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// stuff sends until the pipe is full and the writer is stuck in it.
func stuff(t *testing.T, p *peer) {
	t.Helper()
	big := acp.ToolCall{ToolCallID: "big", Title: strings.Repeat("x", 200<<10)}
	if err := p.conn.Update(ctx(t), "s", big); err != nil {
		t.Fatal(err)
	}
	c, cancel := context.WithTimeout(ctx(t), 50*time.Millisecond)
	defer cancel()
	if err := p.conn.Flush(c); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the writer isn't stuck: %v", err)
	}
}

// While the peer doesn't read, what waits for room ends with its context, and Close frees the
// writer and all who wait.
func TestCloseFreesBlockedWriter(t *testing.T) {
	p := rawPeer(t, nil, acp.Options{})
	stuff(t, p)
	block := acp.ToolCall{ToolCallID: "b", Title: strings.Repeat("y", 2<<20)}
	c, cancel := context.WithTimeout(ctx(t), 20*time.Millisecond)
	defer cancel()
	if err := p.conn.Update(c, "s", block); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Update: %v", err)
	}
	if err := p.conn.Call(c, "m", block, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Call: %v", err)
	}
	errs := make(chan error, 3)
	go func() { errs <- p.conn.Update(ctx(t), "s", block) }()
	go func() { errs <- p.conn.Call(ctx(t), "m", block, nil) }()
	go func() { errs <- p.conn.Flush(ctx(t)) }()
	start := time.Now()
	p.conn.Close()
	for range 3 {
		if err := <-errs; !errors.Is(err, acp.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	}
	p.conn.Wait()
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("Close took %v", took)
	}
	if err := p.conn.Err(); err != nil {
		t.Errorf("Err after Close: %v", err)
	}
}

// What was sent before Close arrives when the peer reads.
func TestCloseWritesWhatWasSent(t *testing.T) {
	p := rawPeer(t, nil, acp.Options{})
	const n = 5000
	go func() {
		for i := range n {
			if err := p.conn.Notify(ctx(t), "_n", i); err != nil {
				t.Error(err)
			}
		}
		p.conn.Close()
	}()
	for i := range n {
		if got, want := p.line(), fmt.Sprintf(`{"jsonrpc":"2.0","method":"_n","params":%d}`, i); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
	if line, err := p.out.ReadString('\n'); err != io.EOF {
		t.Errorf("after Close: %q, %v", line, err)
	}
	for _, err := range []error{p.conn.Notify(ctx(t), "_n", 1), p.conn.Call(ctx(t), "m", nil, nil)} {
		if !errors.Is(err, acp.ErrClosed) {
			t.Errorf("after Close: %v", err)
		}
	}
	if err := p.conn.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestFlush(t *testing.T) {
	p := rawPeer(t, nil, acp.Options{})
	if err := p.conn.Flush(ctx(t)); err != nil {
		t.Error(err)
	}
	if err := p.conn.Notify(ctx(t), "_n", nil); err != nil {
		t.Error(err)
	}
	if err := p.conn.Flush(ctx(t)); err != nil {
		t.Error(err)
	}
	p.want(`{"jsonrpc":"2.0","method":"_n"}`)
}

// A child's last answer is read though it can't be written to any more, and its end ends calls.
func TestChildThatDies(t *testing.T) {
	r, in := pipe(t)
	out, w := pipe(t)
	c := acp.NewConn(r, w, closeBoth(r, w), nil, acp.Options{Side: acp.Client})
	t.Cleanup(func() { c.Close(); c.Wait() })
	answers := make(chan error, 2)
	var got string
	go func() { answers <- c.Call(ctx(t), "a", nil, &got) }()
	buf := make([]byte, 4096)
	if _, err := out.Read(buf); err != nil {
		t.Fatal(err)
	}
	out.Close()
	for { // until the write has failed
		if err := c.Notify(ctx(t), "_n", nil); err != nil {
			if !errors.Is(err, acp.ErrClosed) || !strings.Contains(err.Error(), "broken pipe") {
				t.Errorf("Notify: %v", err)
			}
			break
		}
		runtime.Gosched()
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":0,"result":"last words"}`+"\n")
	if err := <-answers; err != nil || got != "last words" {
		t.Errorf("the last answer: %q, %v", got, err)
	}
	in.Close()
	<-c.Done()
}

func TestCallEndsWithTheConnection(t *testing.T) {
	p := rawPeer(t, nil, acp.Options{Side: acp.Client})
	go func() { p.line(); p.in.Close() }()
	err := p.conn.Call(ctx(t), "m", nil, nil)
	if !errors.Is(err, acp.ErrClosed) || !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
	if err := p.conn.Err(); err != io.EOF {
		t.Errorf("Err: %v", err)
	}
}

// A handler's context ends with the connection.
func TestHandlersEnd(t *testing.T) {
	for _, side := range []acp.Side{acp.Agent, acp.Client} {
		ended := make(chan struct{})
		entered := make(chan struct{})
		p := rawPeer(t, handler{request: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
			close(entered)
			<-ctx.Done()
			close(ended)
			return nil, ctx.Err()
		}}, acp.Options{Side: side})
		p.send(`{"jsonrpc":"2.0","id":1,"method":"m"}`)
		<-entered
		p.in.Close()
		<-ended
	}
}

// The real stdout is private: what prints goes to stderr, also in a child.
func TestPrivateStdout(t *testing.T) {
	out, errOut := runPrivateStdout(t)
	if out != "frame\n" {
		t.Errorf("stdout: %q", out)
	}
	for _, want := range []string{"printed\n", "by a child\n"} {
		if !strings.Contains(errOut, want) {
			t.Errorf("stderr: %q lacks %q", errOut, want)
		}
	}
}

// The pipe that is stdin is read by mm alone, and by nothing that it starts; what isn't a pipe is taken as
// it is.
func TestPrivateStdin(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux opens a pipe once more")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), stdinEnv+"=1")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe() // stays open until the program has ended
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if _, err := in.Write([]byte("frame\n")); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.Output()
	if err != nil || string(out) != `"frame\n", a child ""` {
		t.Errorf("%s %v", out, err)
	}
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if acp.PrivateStdin(file) != file {
		t.Error("what isn't a pipe was opened anew")
	}
}
