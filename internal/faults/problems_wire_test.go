//go:build linux

package faults

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/mmtest"
)

// noiseAsAgent writes into mm's descriptor 1 from outside, as a library that prints would from
// inside: the editor, which takes nothing but messages, doesn't see it; stderr does.
func (p *solved) noiseAsAgent() {
	p.h = newHouse(p, racedMM(p), map[string]string{"mm.yaml": "provider: scripted\nscript: s.yaml\n", "s.yaml": problemScript})
	cmd := p.h.command("-acp")
	var stderr mmtest.Buffer
	cmd.Stderr = &stderr
	e := acptest.Start(p, cmd, acptest.Options{})
	e.Initialize(p.ctx)
	id := e.NewSession(p.ctx, p.h.dir).SessionID
	one, err := os.OpenFile(fmt.Sprintf("/proc/%d/fd/1", cmd.Process.Pid), os.O_WRONLY, 0)
	if err != nil {
		p.Fatal(err)
	}
	for i := range 10 {
		fmt.Fprintf(one, "[log] line %d\n", i)
		p.says(e, id, fmt.Sprintf("say %d", i), fmt.Sprint(i))
	}
	_ = one.Close()
	p.says(e, id, "run echo out; echo err >&2", "running. read: out\nerr\n")
	mmtest.Wait(p, "the noise is on stderr", func() bool { return strings.Contains(stderr.String(), "[log] line 9") })
}

func (p *solved) noiseAsClient() {
	e, id := p.client(banners, acptest.Options{})
	p.says(e, id, "/ask-fake say hello", "hello")
	if log := p.h.file("log"); !strings.Contains(log, "Welcome to") {
		p.Errorf("the noise isn't in the log: %s", mmtest.Clip(log))
	}
}

// words is a text of n words, which the model says one by one.
func words(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d ", i)
	}
	return strings.TrimSpace(b.String())
}

func (p *solved) orderAsAgent() {
	e, id := p.agent(acptest.Options{})
	for range 5 {
		text := words(500)
		p.says(e, id, "say "+text, text) // Turn has what came before the response, nothing else
	}
}

func (p *solved) orderAsClient() {
	e, id := p.client("", acptest.Options{})
	text := p.turn(e, id, "/ask-fake flood 2000").Text
	if n := strings.Count(text, "\n"); n != 2000 || !strings.HasSuffix(text, "update 1999 of a child that has much to say\n") {
		p.Errorf("%d lines: %s", n, mmtest.Clip(text))
	}
}

// lateAsAgent has an agent below and a command: the Checker complains about what comes outside of a
// turn.
func (p *solved) lateAsAgent() {
	e, id := p.agent(acptest.Options{Capabilities: acp.ClientCapabilities{Subagents: &acp.Capability{}}})
	done := p.start(e, id, "let jan run exec sleep 300")
	e.WaitUpdate(p.ctx, func(u acp.SessionUpdate) bool {
		return u.Kind == acp.UpdateToolCallUpdate && u.SessionID != id && strings.Contains(string(u.Raw), `"in_progress"`)
	})
	e.Cancel(p.ctx, id)
	p.cancelled(done)
	last := len(e.Checker.Frames())
	p.says(e, id, "/help nothing", p.turn(e, id, "/help nothing").Text)
	for _, f := range e.Checker.Frames()[last:] {
		if f.FromAgent && strings.Contains(f.Data, "jan") && strings.Contains(f.Data, acp.UpdateToolCallUpdate) {
			p.Errorf("after the turn: %s", f)
		}
	}
}

func (p *solved) lateAsClient() {
	e, id := p.client("", acptest.Options{})
	for range 3 {
		// What comes behind the response may still be heard, or not: it does no harm.
		if got := p.turn(e, id, "/ask-fake say done; late").Text; got != "done" && got != "doneone more thing" {
			p.Errorf("%q", got)
		}
	}
}

func (p *solved) earlyAsAgent() {
	e, _ := p.agent(acptest.Options{})
	for range 5 {
		id := e.NewSession(p.ctx, p.h.dir).SessionID
		e.WaitUpdate(p.ctx, func(u acp.SessionUpdate) bool {
			return u.SessionID == id && u.Kind == acp.UpdateAvailableCommands
		})
		if first := lines(e, id); !strings.Contains(e.Checker.Frames()[first[0]].Data, `"result":{"sessionId":"`+id) {
			p.Errorf("the first line with the session's id: %s", e.Checker.Frames()[first[0]])
		}
	}
}

func (p *solved) earlyAsClient() {
	e, id := p.client(early, acptest.Options{})
	p.says(e, id, "/ask-fake say hello", "early. hello")
}

// longAsAgent sends 20 MB in a line, which is read; more than 64 MiB, which is refused; and makes a
// tool say more than anybody reads, of which the lines of mm's own are spared.
func (p *solved) longAsAgent() {
	p.h = newHouse(p, mm(p), map[string]string{"mm.yaml": "provider: scripted\nscript: s.yaml\n", "s.yaml": problemScript})
	w := acptest.StartWire(p, p.h.command("-acp"))
	w.Call(p.ctx, acp.MethodInitialize, `{"protocolVersion":1}`)
	var s acp.NewSessionResponse
	p.result(w.Call(p.ctx, acp.MethodNewSession, fmt.Sprintf(`{"cwd":%q,"mcpServers":[]}`, p.h.dir)), &s)
	prompt := func(text string) string {
		return fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":%q}]}`, s.SessionID, text)
	}
	var ended acp.PromptResponse
	p.result(w.Call(p.ctx, acp.MethodPrompt, prompt("run head -c 3000000 /dev/zero | tr '\\0' x")), &ended)
	for _, line := range w.Sent() {
		if len(line) > 100<<10 {
			p.Errorf("a line of %d bytes: %s", len(line), line[:200])
		}
	}
	list := fmt.Sprintf(`{"cwd":%q}`, p.h.dir)
	var found acp.ListSessionsResponse
	if p.result(w.Answer(p.ctx, w.Pour(acp.MethodListSessions, list, 20<<20)), &found); len(found.Sessions) != 1 {
		p.Errorf("%+v", found)
	}
	if a := w.Answer(p.ctx, w.Pour(acp.MethodListSessions, list, acp.MaxLine)); a.Code() != acp.CodeInvalidRequest {
		p.Errorf("%+v", a)
	}
	p.result(w.Call(p.ctx, acp.MethodListSessions, list), &found)
}

func (p *solved) longAsClient() {
	e, id := p.client("", acptest.Options{})
	text := p.turn(e, id, "/ask-fake long 5000000; say .").Text
	if len(text) != 5000001 {
		p.Errorf("%d bytes arrived", len(text))
	}
	for _, f := range e.Checker.Frames() {
		if f.FromAgent && len(f.Data) > 2<<20 {
			p.Errorf("a line of %d bytes", len(f.Data))
		}
	}
}

// fullAsAgent is an editor that stops reading until mm can't write any more; meanwhile it cancels
// another session's turn. All that was said arrives once it reads.
func (p *solved) fullAsAgent() {
	stuck, read := make(chan struct{}), make(chan struct{})
	first := true
	e, id := p.agent(acptest.Options{OnUpdate: func(u acp.SessionUpdate) {
		if first && u.Kind == acp.UpdateAgentMessage {
			first = false
			close(stuck)
			<-read
		}
	}})
	text := words(20000)
	done := p.start(e, id, "say "+text)
	<-stuck
	for range 100 { // notifications and requests keep being read while nothing can be written
		if err := e.Conn.Notify(p.ctx, acp.MethodCancel, acp.SessionRequest{SessionID: "nobody's"}); err != nil {
			p.Fatal(err)
		}
	}
	close(read)
	if o := <-done; o.err != nil || o.turn.Text != text {
		p.Errorf("%d of %d bytes arrived, %v", len(o.turn.Text), len(text), o.err)
	}
}

func (p *solved) fullAsClient() {
	e, id := p.client("", acptest.Options{})
	p.says(e, id, "/ask-fake stderr 8388608; say fine", "fine")
}

// outlivedAsAgent ends the editor in the midst of work, and a session before: nothing is left.
func (p *solved) outlivedAsAgent() {
	e, id := p.agent(acptest.Options{})
	server := acp.MCPServer{Name: "srv", Command: self(p), Args: []string{}, Env: []acp.NameValue{{Name: serverEnv, Value: "mcp session-mcp"}}}
	var s acp.NewSessionResponse
	if err := e.Conn.Call(p.ctx, acp.MethodNewSession, acp.NewSessionRequest{Cwd: p.h.dir, MCPServers: acp.MCPServers{server}}, &s); err != nil {
		p.Fatal(err)
	}
	pid := p.h.running("session-mcp")
	e.CloseSession(p.ctx, s.SessionID)
	mmtest.Wait(p, "the session's server is gone", func() bool { return !mmtest.Alive(pid) })
	done := p.start(e, id, "let jan let homer run "+hang("homer-sleeps", "exec sleep 300"))
	p.h.running("homer-sleeps")
	start := time.Now()
	if err := e.Conn.Close(); err != nil {
		p.Error(err)
	}
	<-done
	p.h.Gone(start)
}

func (p *solved) outlivedAsClient() {
	e, id := p.client(stubborn+","+forking, acptest.Options{})
	done := p.start(e, id, "/ask-fake silent")
	p.h.running("silent")
	p.h.running("fork")
	start := time.Now()
	if err := e.Conn.Close(); err != nil {
		p.Error(err)
	}
	<-done
	p.h.Gone(start)
}

func (p *solved) result(a acptest.Response, v any) {
	p.Helper()
	if a.Error != nil {
		p.Fatalf("error %d: %s", a.Error.Code, a.Error.Message)
	}
	if err := json.Unmarshal(a.Result, v); err != nil {
		p.Fatal(err)
	}
}

// made is the file that "make" makes.
func (p *solved) made() string { return filepath.Join(p.h.dir, "made.txt") }
