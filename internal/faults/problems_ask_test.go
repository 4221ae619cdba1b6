//go:build linux

package faults

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// grandchildAsAgent: a command two levels down is asked about on a session that the editor knows,
// with and without sub-agent sessions; refused, it doesn't run and the turn ends.
func (p *solved) grandchildAsAgent() {
	for _, sub := range []*acp.Capability{nil, {}} {
		kind := acp.AllowOnce
		e, id := p.agent(acptest.Options{Capabilities: acp.ClientCapabilities{Subagents: sub},
			Permission: func(_ context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
				if r.ToolCall.Name == "bash" {
					return acptest.Choose(r, kind)
				}
				return acptest.Choose(r, acp.AllowOnce)
			}})
		p.says(e, id, "let jan let homer run echo hi", "read: read: read: hi\n")
		kind = acp.RejectOnce
		p.says(e, id, "let jan let homer run touch ran", "read: read: read: [command rejected by the user]")
		if _, err := os.Stat(p.h.path("ran")); err == nil {
			p.Error("a refused command ran")
		}
		asked := e.Asked()
		if last := asked[len(asked)-1]; (last.SessionID == id) != (sub == nil) {
			p.Errorf("asked on session %s, the editor's is %s", last.SessionID, id)
		}
	}
}

// pendingAsAgent looks at all that is said of a call from its announcement to the answer.
func (p *solved) pendingAsAgent() {
	open := make(chan struct{})
	e, id := p.agent(acptest.Options{Permission: until(open, acp.AllowOnce)})
	done := p.start(e, id, "run echo hi")
	call := e.WaitAsked(p.ctx, 1).ToolCall.ToolCallID
	p.says(e, e.NewSession(p.ctx, p.h.dir).SessionID, "say meanwhile", "meanwhile")
	if n := lines(e, call, acp.UpdateToolCallUpdate); len(n) > 0 {
		p.Errorf("said of the call that waits: %s", e.Checker.Frames()[n[0]])
	}
	close(open)
	if o := <-done; o.turn.Text != "running. read: hi\n" {
		p.Errorf("%q %v", o.turn.Text, o.err)
	}
}

func (p *solved) pendingAsClient() {
	open := make(chan struct{})
	e, id := p.client("", acptest.Options{Permission: until(open, acp.RejectOnce)})
	done := p.start(e, id, "/ask-fake hurry")
	e.WaitAsked(p.ctx, 1)
	p.turn(e, e.NewSession(p.ctx, p.h.dir).SessionID, "/ask-fake say meanwhile")
	close(open)
	if o := <-done; o.err != nil || !strings.HasSuffix(o.turn.Text, "\n3") { // behind a warning; 3 is what reject_once is called there
		p.Errorf("%q %v", o.turn.Text, o.err)
	}
}

// before fails the test unless each question's call was announced before it.
func (p *solved) before(e *acptest.Editor) {
	p.Helper()
	for _, r := range e.Asked() {
		id := `"toolCallId":"` + r.ToolCall.ToolCallID + `"`
		call, request := lines(e, `"tool_call"`, id), lines(e, acp.MethodRequestPermission, id)
		if len(call) != 1 || len(request) != 1 || call[0] > request[0] {
			p.Errorf("%s is announced in lines %v and asked about in %v", r.ToolCall.Title, call, request)
		}
	}
}

func (p *solved) unannouncedAsAgent() {
	e, id := p.agent(acptest.Options{})
	p.turn(e, id, "let jan run echo hi")
	p.turn(e, id, "change")
	if p.before(e); len(e.Asked()) != 3 {
		p.Errorf("asked %d times, want 3", len(e.Asked()))
	}
}

func (p *solved) unannouncedAsClient() {
	e, id := p.client("", acptest.Options{})
	p.says(e, id, "/ask-fake permission; orphan", "1")
	p.says(e, id, "/ask-fake form Which?", "accept")
	p.says(e, id, "/ask-fake form Which now?", "accept")
	p.before(e)
	if n := len(e.Asked()); n != 3 {
		p.Fatalf("asked %d times, want 3", n)
	}
	for _, r := range e.Asked()[1:] {
		if n := lines(e, acp.UpdateToolCallUpdate, r.ToolCall.ToolCallID, `"status":"completed"`); len(n) != 1 {
			p.Errorf("the call of %q was completed in lines %v", r.ToolCall.Title, n)
		}
	}
}

func (p *solved) payloadAsAgent() {
	e, id := p.agent(acptest.Options{})
	p.turn(e, id, "run echo hi")
	p.turn(e, id, "change")
	p.turn(e, id, "make")
	for i, want := range [][]string{
		{`"kind":"execute"`, `"text":"$ echo hi"`, `"command":"echo hi"`},
		{`"kind":"edit"`, `"oldText":"before\n"`, `"newText":"after\n"`, `old.txt`, `"locations"`},
		{`"kind":"edit"`, `"newText":"one\n"`, `made.txt`},
	} {
		b, err := json.Marshal(e.Asked()[i].ToolCall)
		if err != nil {
			p.Fatal(err)
		}
		for _, word := range want {
			if !strings.Contains(string(b), word) {
				p.Errorf("%s isn't in %s", word, b)
			}
		}
	}
}

func (p *solved) payloadAsClient() {
	e, id := p.client("", acptest.Options{})
	p.says(e, id, "/ask-fake bare", "1")
	if c := e.Asked()[0].ToolCall; c.Title != "fake · make mischief" || c.Kind != acp.ToolExecute || c.Name != "sh" || !strings.Contains(string(c.RawInput), "rm") {
		p.Errorf("%+v", c)
	}
}

func (p *solved) reasonsAsAgent() {
	e, id := p.agent(acptest.Options{})
	for range 3 {
		p.says(e, id, "say hi", "hi") // end_turn
		for _, text := range []string{"wait", "run exec sleep 300"} {
			done := p.begin(e, id, text)
			e.Cancel(p.ctx, id)
			p.cancelled(done)
		}
	}
}

// reasonsAsClient: a child that calls a cancel an end, and one that calls an end a cancel.
func (p *solved) reasonsAsClient() {
	e, id := p.client("", acptest.Options{})
	done := p.start(e, id, "/ask-fake pretend")
	p.h.running("pretend")
	e.Cancel(p.ctx, id)
	p.cancelled(done)
	p.says(e, id, "/ask-fake say half; stop cancelled", "half[ask_agent: fake stopped before finishing: cancelled]")
}

func (p *solved) waitingAsAgent() {
	e, id := p.agent(acptest.Options{Permission: until(nil, acp.AllowOnce)})
	done := p.start(e, id, "run echo hi")
	e.WaitAsked(p.ctx, 1)
	other := e.NewSession(p.ctx, p.h.dir).SessionID
	p.says(e, other, "say hi", "hi")
	var list acp.ListSessionsResponse
	if err := e.Conn.Call(p.ctx, acp.MethodListSessions, acp.ListSessionsRequest{}, &list); err != nil || len(list.Sessions) != 2 {
		p.Errorf("%+v %v", list, err)
	}
	e.Cancel(p.ctx, id)
	p.cancelled(done)
	p.says(e, id, "say again", "again")
}

func (p *solved) waitingAsClient() {
	e, id := p.client("", acptest.Options{Permission: until(nil, acp.AllowOnce)})
	done := p.start(e, id, "/ask-fake permission")
	e.WaitAsked(p.ctx, 1)
	p.says(e, e.NewSession(p.ctx, p.h.dir).SessionID, "/ask-fake say hi", "hi") // the same child
	e.Cancel(p.ctx, id)
	p.cancelled(done)
	p.says(e, id, "/ask-fake say again", "again")
}

func (p *solved) secondAsAgent() {
	e, id := p.agent(acptest.Options{})
	first := p.begin(e, id, "wait")
	second := p.start(e, id, "wait")
	p.cancelled(first)
	e.Cancel(p.ctx, id) // empties the queue
	p.cancelled(second)
	p.says(e, id, "say third", "third")
}

// missingAsAgent is an editor whose file system is asked: its code says that there is no file, so one
// is made; its other error says that the file can't be had, whatever its words are.
func (p *solved) missingAsAgent() {
	missing, wrote := true, ""
	e, id := p.agent(acptest.Options{
		Capabilities: acp.ClientCapabilities{FS: acp.FSCapabilities{ReadTextFile: true, WriteTextFile: true}},
		Serve: func(_ context.Context, method string, params json.RawMessage) (any, error) {
			var f acp.WriteTextFileRequest
			if err := acp.DecodeParams(params, &f); method == acp.MethodWriteTextFile {
				wrote += f.Content
				return acp.Empty{}, err
			}
			switch {
			case wrote != "":
				return acp.ReadTextFileResponse{Content: wrote}, nil
			case missing:
				return nil, acp.NewError(acp.CodeNotFound, "as you like it", nil)
			}
			return nil, acp.Internal("ENOENT: no such file or directory")
		},
	})
	if got := p.turn(e, id, "make").Text; wrote != "one\n" || !strings.Contains(got, "made.txt") {
		p.Errorf("wrote %q: %s", wrote, got)
	}
	if _, err := os.Stat(p.made()); err == nil {
		p.Error("the file was made on disk, behind the editor's back")
	}
	missing, wrote = false, ""
	if got := p.turn(e, id, "change").Text; wrote != "after\n" && !strings.Contains(got, "old.txt") {
		p.Errorf("wrote %q: %s", wrote, got)
	}
}

func (p *solved) missingAsClient() {
	e, id := p.client("", acptest.Options{})
	p.says(e, id, "/ask-fake fs /nowhere", "-32601") // it was never offered
}
