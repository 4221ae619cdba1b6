//go:build unix

package main

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
)

// turnRequirements are about prompts, their content and their end.
func turnRequirements() []requirement {
	return []requirement{
		{"PROMPT-001", mandatory, "a prompt of text ends with one of the protocol's stop reasons", (*required).prompts},
		{"PROMPT-002", mandatory, "every update of a turn is of the prompted session, and comes before the response", (*required).updates},
		{"PROMPT-003", advisory, "a prompt with a `resource_link` is taken", (*required).link},
		{"PROMPTCAP-001", capability, "an `image` beside text is taken; a model that takes none says so in the answer", (*required).image},
		{"PROMPTCAP-002", capability, "`audio` isn't announced, and refused with -32602", (*required).audio},
		{"PROMPTCAP-003", capability, "an embedded `resource` is taken: text, a blob that is text, an image, and one that is neither", (*required).resource},
		{"CANCEL-001", mandatory, "`session/cancel` ends the turn with `cancelled`, not with an error; without a turn it does nothing", (*required).cancels},
		{"CANCEL-002", mandatory, "after a cancelled turn's response nothing more comes for it", (*required).cancelledIsQuiet},
		{"CLIENTCAP-001", mandatory, "`fs/*` isn't called where the client didn't announce `fs`, also when a tool reads a file", func(r *required) { r.uncalled("fs/") }},
		{"CLIENTCAP-002", mandatory, "`terminal/*` isn't called, also when a tool runs a command", func(r *required) { r.uncalled("terminal/") }},
		{"CLIENTCAP-003", mandatory, "`elicitation/create` isn't called where the client didn't announce it, also when a question is asked", func(r *required) { r.uncalled("elicitation/") }},
		{"META-001", advisory, "a prompt with `_meta` is taken", (*required).meta},
	}
}

func (r *required) prompts() {
	w, session := r.open()
	for _, text := range []string{"say hi", "run echo hi", "/help", " ok "} {
		reason := r.ends(w, r.prompt(session, text))
		if !slices.Contains([]acp.StopReason{acp.StopEndTurn, acp.StopMaxTokens, acp.StopMaxTurnRequests, acp.StopRefusal, acp.StopCancelled}, reason) {
			r.Errorf("%q ends with %q", text, reason)
		}
	}
	for _, params := range []string{`{}`, r.prompt(session), r.prompt(session, ""), r.prompt(session, map[string]any{"type": "smell"})} {
		r.code(w.Call(r.Context(), acp.MethodPrompt, params), acp.CodeInvalidParams)
	}
}

func (r *required) updates() {
	w, session := r.open()
	other := r.begin(w)
	id := w.Begin(acp.MethodPrompt, r.prompt(session, "run echo hi"))
	r.good(w.Answer(r.Context(), id))
	for _, line := range r.after(w, id) {
		r.Errorf("after the response: %s", line)
	}
	kinds := map[string]bool{}
	for _, line := range w.Sent() {
		var n struct {
			Method string
			Params json.RawMessage
		}
		if json.Unmarshal([]byte(line), &n) != nil || n.Method != acp.MethodUpdate {
			continue
		}
		u, err := acp.ParseUpdate(n.Params)
		if err != nil {
			r.Fatal(err)
		}
		if kinds[u.Kind] = true; u.SessionID == other && u.Kind != acp.UpdateAvailableCommands {
			r.Errorf("of the other session: %s", line)
		}
	}
	for _, kind := range []string{acp.UpdateAgentMessage, acp.UpdateToolCall, acp.UpdateToolCallUpdate, acp.UpdateUsage, acp.UpdateSessionInfo} {
		if !kinds[kind] {
			r.Errorf("no %s", kind)
		}
	}
}

func (r *required) link() {
	w, session := r.open()
	link := map[string]any{"type": "resource_link", "uri": "file:///tmp/a%20b.go#L3", "name": "a b.go", "mimeType": "text/x-go", "size": 7}
	if got := r.ends(w, r.prompt(session, "say what is in", link)); got != acp.StopEndTurn {
		r.Errorf("stop reason %q", got)
	}
}

// onePixel is a PNG.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func (r *required) image() {
	e := acptest.Start(r.T, mm(r.T, r.dir, "-acp"), acptest.Options{})
	if !e.Initialize(r.Context()).AgentCapabilities.PromptCapabilities.Image {
		r.Error("images aren't announced")
	}
	id := e.NewSession(r.Context(), r.dir).SessionID
	image := acp.ContentBlock{Type: acp.ContentImage, MimeType: "image/png", Data: onePixel}
	turn := r.stopped(e.PromptBlocks(r.Context(), id, acp.Text("say what it is"), image))
	if turn.Text != "what it is" {
		r.Errorf("answered %q", turn.Text)
	}
	r.stopped(e.PromptBlocks(r.Context(), id, image))
	for _, bad := range []acp.ContentBlock{
		{Type: acp.ContentImage, MimeType: "image/png", Data: "no base64!"},
		{Type: acp.ContentImage, MimeType: "image/png", Data: ""},
		{Type: acp.ContentImage, MimeType: "text/plain", Data: onePixel},
	} {
		if _, err := e.PromptBlocks(r.Context(), id, acp.Text("say it"), bad); acp.ErrorCode(err) != acp.CodeInvalidParams {
			r.Errorf("%+v: %v", bad, err)
		}
	}
	e.CloseSession(r.Context(), id)
	e.LoadSession(r.Context(), id, r.dir, true)
	images := 0
	for _, u := range e.Updates(id) {
		if c, err := u.Chunk(); u.Kind == acp.UpdateUserMessage && err == nil && c.Content.Type == acp.ContentImage && c.Content.Data == onePixel {
			images++
		}
	}
	if images != 2 {
		r.Errorf("%d images were replayed, want 2", images)
	}
}

func (r *required) audio() {
	e, id := r.edit(acptest.Options{})
	_, err := e.PromptBlocks(r.Context(), id, acp.Text("say hi"), acp.ContentBlock{Type: acp.ContentAudio, MimeType: "audio/wav", Data: "UklGRg=="})
	if acp.ErrorCode(err) != acp.CodeInvalidParams || !strings.Contains(err.Error(), "prompt[1]: this agent takes no audio") {
		r.Error(err)
	}
}

func (r *required) resource() {
	e := acptest.Start(r.T, mm(r.T, r.dir, "-acp"), acptest.Options{})
	if !e.Initialize(r.Context()).AgentCapabilities.PromptCapabilities.EmbeddedContext {
		r.Error("embedded resources aren't announced")
	}
	id := e.NewSession(r.Context(), r.dir).SessionID
	embed := func(mime string, text, blob *string) acp.ContentBlock {
		return acp.ContentBlock{Type: acp.ContentResource, Resource: &acp.ResourceContents{URI: "file:///a%20b", MimeType: mime, Text: text, Blob: blob}}
	}
	text, blob, pixel, nul := "package a", "cGFja2FnZSBi", onePixel, "AAAA"
	r.stopped(e.PromptBlocks(r.Context(), id, acp.Text("what is in"), embed("text/x-go", &text, nil), embed("", nil, &blob), embed("image/png", nil, &pixel), embed("application/pdf", nil, &nul)))
	e.CloseSession(r.Context(), id)
	e.LoadSession(r.Context(), id, r.dir, true)
	var said strings.Builder
	for _, u := range e.Updates(id) {
		if c, err := u.Chunk(); u.Kind == acp.UpdateUserMessage && err == nil {
			said.WriteString(c.Content.Text + "|")
		}
	}
	want := "what is in\n<file path=\"/a b\">\npackage a\n</file>\n<file path=\"/a b\">\npackage b\n</file>\n[image: /a b]\n[file: /a b, application/pdf, 3 bytes: not text]||"
	if said.String() != want {
		r.Errorf("the model was told %q, want %q", said.String(), want)
	}
}

func (r *required) cancels() {
	w, session := r.open()
	cancel := r.params(map[string]any{"jsonrpc": "2.0", "method": acp.MethodCancel, "params": map[string]any{"sessionId": session}})
	w.Send(cancel)
	for _, text := range []string{"wait", "run echo started; exec sleep 300"} {
		id := w.Begin(acp.MethodPrompt, r.prompt(session, text))
		begun(r.Context(), w, session)
		w.Send(cancel)
		var p acp.PromptResponse
		if r.decode(w.Answer(r.Context(), id), &p); p.StopReason != acp.StopCancelled {
			r.Errorf("%s: stop reason %q", text, p.StopReason)
		}
	}
	if got := r.ends(w, r.prompt(session, "say hi")); got != acp.StopEndTurn {
		r.Errorf("the next turn ends with %q", got)
	}
}

func (r *required) cancelledIsQuiet() {
	w, session := r.open()
	id := w.Begin(acp.MethodPrompt, r.prompt(session, "wait"))
	begun(r.Context(), w, session)
	w.Send(r.params(map[string]any{"jsonrpc": "2.0", "method": acp.MethodCancel, "params": map[string]any{"sessionId": session}}))
	w.Answer(r.Context(), id)
	for _, line := range r.after(w, id) {
		r.Errorf("after the response: %s", line)
	}
}

// uncalled runs a turn that reads a file, runs a command and asks a question, with a client that
// announces nothing.
func (r *required) uncalled(prefix string) {
	called := false
	e, id := r.edit(acptest.Options{Serve: func(_ context.Context, method string, _ json.RawMessage) (any, error) {
		called = called || strings.HasPrefix(method, prefix)
		return nil, acp.MethodNotFound(method)
	}})
	turn := r.stopped(e.Prompt(r.Context(), id, "read"))
	calls := 0
	for _, u := range turn.Updates {
		if u.Kind == acp.UpdateToolCall {
			calls++
		}
	}
	if calls != 3 {
		r.Errorf("%d calls, want 3", calls)
	}
	for _, f := range e.Checker.Frames() {
		called = called || f.FromAgent && strings.Contains(f.Data, `"method":"`+prefix)
	}
	if called {
		r.Errorf("%s was called", prefix)
	}
}

func (r *required) meta() {
	w, session := r.open()
	params := map[string]any{"sessionId": session, "prompt": []any{map[string]any{"type": "text", "text": "say hi", "_meta": map[string]any{"a": 1}}},
		"_meta": map[string]any{"traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "x": []int{1}}}
	if got := r.ends(w, r.params(params)); got != acp.StopEndTurn {
		r.Errorf("stop reason %q", got)
	}
}
