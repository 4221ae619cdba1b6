package acp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

var echo = handler{request: func(_ context.Context, m string, p json.RawMessage) (any, error) {
	if m != "echo" {
		return nil, acp.MethodNotFound(m)
	}
	return p, nil
}}

// Each of 1,000 malformed lines gets the error it deserves, and the connection lives on.
func TestMalformedLines(t *testing.T) {
	p := rawPeer(t, echo, acp.Options{})
	malformed, silent := acptest.Malformed(), acptest.Silent()
	go func() {
		for i := range 1000 {
			io.WriteString(p.in, silent[i%len(silent)]+"\n"+malformed[i%len(malformed)].Line+"\r\n")
		}
	}()
	// Those that reach the handler are answered by goroutines of their own, so order is open.
	want, got := map[string]int{}, map[string]int{}
	for i := range 1000 {
		want[malformed[i%len(malformed)].Want]++
		got[p.line()]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	p.send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":[1.50,"é"]}}`)
	p.want(`{"jsonrpc":"2.0","id":1,"result":{"a":[1.50,"é"]}}`)
}

func TestEachMalformedLine(t *testing.T) {
	p := rawPeer(t, echo, acp.Options{})
	for _, m := range acptest.Malformed() {
		p.send(m.Line)
		if got := p.line(); got != m.Want {
			t.Errorf("%.100q:\ngot  %s\nwant %s", m.Line, got, m.Want)
		}
	}
	for _, line := range acptest.Silent() {
		p.send(line, `{"jsonrpc":"2.0","id":1,"method":"echo","params":5}`)
		if got, want := p.line(), `{"jsonrpc":"2.0","id":1,"result":5}`; got != want {
			t.Errorf("%q: answered %s", line, got)
		}
	}
}

// What isn't UTF-8 is mended, and nothing that isn't goes out.
func TestInvalidUTF8(t *testing.T) {
	p := rawPeer(t, echo, acp.Options{})
	p.send("\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":\"a\xffb\xe2\x82\"}")
	p.want("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"a\uFFFDb\uFFFD\"}")
	if err := p.conn.Notify(ctx(t), "_n", json.RawMessage("{\"a\":\n\"\xff\"}")); err != nil {
		t.Fatal(err)
	}
	p.want("{\"jsonrpc\":\"2.0\",\"method\":\"_n\",\"params\":{\"a\":\"\uFFFD\"}}")
	if err := p.conn.Update(ctx(t), "s\xff", acp.TextChunk(acp.UpdateAgentMessage, "", "\xe2\x82")); err != nil {
		t.Fatal(err)
	}
	p.want("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\uFFFD\",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\",\"text\":\"\uFFFD\uFFFD\"}}}}")
}

// A child's banner, escape sequences and blank lines are noise: reported, never answered.
func TestNoiseOfAChild(t *testing.T) {
	var mu sync.Mutex
	var noise []string
	p := rawPeer(t, echo, acp.Options{Side: acp.Client, OnNoise: func(line string) {
		mu.Lock()
		defer mu.Unlock()
		noise = append(noise, line)
	}})
	p.send("Welcome to agent 1.0!", "", "\x1b[32mready\x1b[0m", `{"level":"info","msg":"log"}`, "[1,2]", "42", "{broken",
		"\x1b[?25l> "+`{"jsonrpc":"2.0","id":0,"method":"echo","params":1}`,
		`note: {"a":1}`, `{"jsonrpc":"2.0","id":1,"method":"echo","params":2}`)
	got := map[string]bool{p.line(): true, p.line(): true}
	want := map[string]bool{`{"jsonrpc":"2.0","id":0,"result":1}`: true, `{"jsonrpc":"2.0","id":1,"result":2}`: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff([]string{"Welcome to agent 1.0!", "\x1b[32mready\x1b[0m", `{"level":"info","msg":"log"}`, "[1,2]", "42", "{broken", "\x1b[?25l> ", `note: {"a":1}`}, noise); diff != "" {
		t.Errorf("noise (-want +got):\n%s", diff)
	}
}

// TestNullIsNoContent: an answer of null was taken for a file that is empty, and the file was then replaced.
func TestNullIsNoContent(t *testing.T) {
	p := rawPeer(t, nil, acp.Options{Side: acp.Agent})
	go func() {
		for range 2 {
			var req struct{ ID int }
			line, _ := p.out.ReadString('\n')
			_ = json.Unmarshal([]byte(line), &req)
			fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":%d,"result":null}`+"\n", req.ID)
		}
	}()
	var file acp.ReadTextFileResponse
	if err := p.conn.Call(ctx(t), acp.MethodReadTextFile, nil, &file); err == nil || !strings.Contains(err.Error(), "content: is missing") {
		t.Errorf("reading: %v", err)
	}
	if err := p.conn.Call(ctx(t), acp.MethodWriteTextFile, nil, &acp.Empty{}); err != nil {
		t.Errorf("writing, where old clients answer null: %v", err)
	}
}

// An answer is found however odd it is; what isn't one is no answer.
func TestOddAnswers(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"jsonrpc":"2.0","id":%d,"result":{"a":1}}`, `{"a":1}`},
		{`{"id":%d,"result":[1.50]}`, `[1.50]`},
		{`{"jsonrpc":"2.0","id":%d,"result":null}`, ``},
		{`{"jsonrpc":"2.0","id":%d}`, ``}, // JavaScript drops undefined
		{`{"jsonrpc":"2.0","id":%d,"error":null}`, ``},
		{`{"jsonrpc":"2.0","id":%d,"result":1,"error":null}`, `1`},
		{`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"log in","data":{"a":1}}}`, `error -32000 log in {"a":1}`},
		{`{"jsonrpc":"2.0","id":%d,"result":1,"error":{"code":7,"message":"m"}}`, `error 7 m`},
		{`{"jsonrpc":"2.0","id":%d,"error":"plain"}`, `error -32603 plain`},
		{`{"jsonrpc":"2.0","id":%d,"error":{"code":"E","message":3}}`, `error -32603 failed without a reason`},
		{`{"jsonrpc":"2.0","id":%d,"error":[]}`, `error -32603 failed without a reason`},
		{`{"jsonrpc":"2.0","id":%d,"error":1}`, `error -32603 failed without a reason`},
	} {
		p := rawPeer(t, nil, acp.Options{Side: acp.Client})
		go func() {
			var req struct{ ID int }
			line, _ := p.out.ReadString('\n')
			_ = json.Unmarshal([]byte(line), &req)
			io.WriteString(p.in, `{"jsonrpc":"2.0","id":7777,"result":"stray"}`+"\n"+fmt.Sprintf(c.line, req.ID)+"\n"+fmt.Sprintf(c.line, req.ID)+"\n")
		}()
		var raw json.RawMessage
		got := ""
		err := p.conn.Call(ctx(t), "m", nil, &raw)
		if e, ok := errors.AsType[*acp.Error](err); ok {
			got = fmt.Sprintf("error %d %s", e.Code, e.Message)
			if e.Data != nil {
				got += " " + string(*e.Data)
			}
		} else if got = string(raw); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
	}
}

func TestAnswerOfTheWrongType(t *testing.T) {
	_, client := pair(t, handler{request: func(context.Context, string, json.RawMessage) (any, error) {
		return map[string]any{"sessionId": 5}, nil
	}}, nil)
	var res acp.NewSessionResponse
	err := client.Call(ctx(t), acp.MethodNewSession, acp.NewSessionRequest{Cwd: "/"}, &res)
	if want := "reading the answer to session/new: sessionId: expected a string, found a number"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Results and errors of handlers become what they should on the wire.
func TestHandlerResults(t *testing.T) {
	p := rawPeer(t, handler{request: func(_ context.Context, m string, _ json.RawMessage) (any, error) {
		switch m {
		case "nil":
			return nil, nil
		case "plain":
			return nil, errors.New("reading a file:\nno luck")
		case "wrapped":
			return nil, fmt.Errorf("outer: %w", acp.UnknownSession("s"))
		case "cancelled":
			return nil, context.Canceled
		case "bad":
			return func() {}, nil
		}
		return acp.Reply{Result: acp.PromptResponse{StopReason: acp.StopEndTurn}}, nil
	}}, acp.Options{})
	for m, want := range map[string]string{
		"nil":       `"result":{}`,
		"plain":     `"error":{"code":-32603,"message":"reading a file:","data":{"detail":"reading a file:\nno luck"}}`,
		"wrapped":   `"error":{"code":-32002,"message":"unknown session s","data":{"sessionId":"s"}}`,
		"cancelled": `"error":{"code":-32800,"message":"the request was cancelled"}`,
		"bad":       `"error":{"code":-32603,"message":"the answer to bad can't be encoded"}`,
		"reply":     `"result":{"stopReason":"end_turn"}`,
	} {
		p.send(`{"jsonrpc":"2.0","id":1,"method":"` + m + `"}`)
		p.want(`{"jsonrpc":"2.0","id":1,` + want + `}`)
	}
}

// bigLine makes a request of n bytes.
func bigLine(n int) string {
	head, tail := `{"jsonrpc":"2.0","id":8,"method":"size","params":"`, `"}`
	return head + strings.Repeat("x", n-len(head)-len(tail)) + tail
}

func TestLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("60 MB lines in -short")
	}
	h := handler{request: func(_ context.Context, _ string, p json.RawMessage) (any, error) { return len(p), nil }}
	p := rawPeer(t, h, acp.Options{})
	start := time.Now()
	send := func(line string) { go io.WriteString(p.in, line+"\n") }
	send(bigLine(60_000_000))
	p.want(`{"jsonrpc":"2.0","id":8,"result":59999950}`)
	send(bigLine(64 << 20))
	p.want(`{"jsonrpc":"2.0","id":8,"result":67108814}`)
	send(bigLine(64<<20 + 1))
	p.want(acptest.ErrorLine("8", -32600, "a message may have 67108864 bytes at most"))
	t.Logf("three lines of about 64 MB: %v", time.Since(start))

	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	go func() {
		io.WriteString(p.in, `{"jsonrpc":"2.0","method":"size","params":"`)
		part := strings.Repeat("y", 1<<20)
		for range 300 {
			io.WriteString(p.in, part)
		}
		io.WriteString(p.in, "\"}\n")
	}()
	p.want(acptest.ErrorLine("null", -32600, "a message may have 67108864 bytes at most"))
	runtime.ReadMemStats(&after)
	if grown := int64(after.Sys) - int64(before.Sys); grown > 200<<20 {
		t.Errorf("300 MB in one line took %d MB more memory", grown>>20)
	}
	p.send(`{"jsonrpc":"2.0","id":9,"method":"size","params":1}`)
	p.want(`{"jsonrpc":"2.0","id":9,"result":1}`)
}

// Lines that are too long, told by what can be seen of them.
func TestTooLong(t *testing.T) {
	fill := strings.Repeat("z", 5000)
	tooLong := "a message may have 4096 bytes at most"
	p := rawPeer(t, echo, acp.Options{MaxLine: 4096})
	for line, id := range map[string]string{
		`{"jsonrpc":"2.0","id":0,"method":"echo","params":"` + fill + `"}`:    "0",
		`{"method":"echo","id":"a\u0062","params":["` + fill + `"]}`:          `"a\u0062"`,
		`{"method":"echo","params":"` + fill + `","id":3}`:                    "null",
		`{"jsonrpc":"2.0","method":"session/cancel","params":"` + fill + `"}`: "null",
		`{"id":12,"params":"` + fill + `","method":"echo"}`:                   "12",
		fill: "null",
	} {
		p.send(line)
		p.want(acptest.ErrorLine(id, -32600, tooLong))
	}

	// An answer that is too long fails its call, and a child's request isn't left without answer.
	var noise atomic.Int32
	c := rawPeer(t, echo, acp.Options{Side: acp.Client, MaxLine: 4096, OnNoise: func(string) { noise.Add(1) }})
	go func() {
		line, _ := c.out.ReadString('\n')
		var req struct{ ID int }
		_ = json.Unmarshal([]byte(line), &req)
		io.WriteString(c.in, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"%s"}`+"\n", req.ID, fill))
	}()
	if err := c.conn.Call(ctx(t), "m", nil, nil); err == nil || !strings.HasSuffix(err.Error(), tooLong) {
		t.Errorf("a call with a long answer: %v", err)
	}
	c.send(fill, `{"jsonrpc":"2.0","id":5,"method":"echo","params":"`+fill+`"}`)
	c.want(acptest.ErrorLine("5", -32600, tooLong))
	if noise.Load() != 2 {
		t.Errorf("%d lines of noise", noise.Load())
	}
}

// The last line needs no newline; half a line at the end is no message.
func TestEndOfInput(t *testing.T) {
	for last, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":1}`: `{"jsonrpc":"2.0","id":1,"result":1}`,
		`{"jsonrpc":"2.0","id":1,"met`:                        acptest.ErrorLine("null", -32700, "this line is not JSON"),
	} {
		p := rawPeer(t, echo, acp.Options{})
		io.WriteString(p.in, last)
		p.in.Close()
		p.want(want)
		<-p.conn.Done()
		if err := p.conn.Err(); !errors.Is(err, io.EOF) {
			t.Errorf("ended by %v", err)
		}
	}
}

// What a client piped in before it closed its end is answered, a running turn is cancelled.
func TestAgentFinishesAtEOF(t *testing.T) {
	started := make(chan struct{})
	p := rawPeer(t, handler{request: func(ctx context.Context, m string, _ json.RawMessage) (any, error) {
		if m == acp.MethodPrompt {
			close(started)
			<-ctx.Done()
			return acp.PromptResponse{StopReason: acp.StopCancelled}, nil
		}
		return acp.InitializeResponse{ProtocolVersion: 1}, nil
	}}, acp.Options{})
	p.send(`{"jsonrpc":"2.0","id":2,"method":"session/prompt"}`)
	<-started
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize"}`)
	p.in.Close()
	got := map[string]bool{p.line(): true, p.line(): true}
	if !got[`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`] || !got[`{"jsonrpc":"2.0","id":2,"result":{"stopReason":"cancelled"}}`] {
		t.Errorf("answers: %v", got)
	}
	<-p.conn.Done()
	p.conn.Close()
	if line, err := p.out.ReadString('\n'); err != io.EOF {
		t.Errorf("after the end: %q, %v", line, err)
	}
}
