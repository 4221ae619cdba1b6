//go:build unix

package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/mmtest"
)

// serverFiles are those of an agent on a server.
func serverFiles(server *llmtest.Server, more string) map[string]string {
	return map[string]string{"mm.yaml": "provider: test\nbaseURL: " + server.URL + "\nmodel: blind-model\n" + more}
}

func picture() acp.ContentBlock {
	return acp.ContentBlock{Type: acp.ContentImage, MimeType: "image/png", Data: onePixel}
}

// TestACPImages: an image reaches the model behind its text, and stays in the history.
func TestACPImages(t *testing.T) {
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) { a.Text("a dot") })
	for name, more := range map[string]string{"native tools": "", "tools as text": "toolCalls: text\n"} {
		t.Run(name, func(t *testing.T) {
			e, id := edit(t, folder(t, serverFiles(server, more)), acptest.Options{})
			for _, blocks := range [][]acp.ContentBlock{{acp.Text("what is it?"), picture()}, {acp.Text("and now?")}, {picture()}} {
				turn, err := e.PromptBlocks(t.Context(), id, blocks...)
				if err != nil || turn.Text != "a dot" {
					t.Fatalf("%q %v", turn.Text, err)
				}
			}
			var said []string
			for _, m := range server.Last().Messages {
				if m.Role == "user" {
					said = append(said, fmt.Sprintf("%s %d", m.Content, strings.Count(strings.Join(m.Images, " "), "data:image/png;base64,"+onePixel)))
				}
			}
			if diff := cmp.Diff([]string{"what is it? 1", "and now? 0", "(see the image) 1"}, said); diff != "" {
				t.Errorf("the model was sent (-want +got):\n%s", diff)
			}
		})
	}
	server.CheckPrefix(t)
}

// TestACPImagesForABlindModel: a server that refuses images gets them once; the answer says so, and
// the conversation goes on without them. The model is never asked to make a picture up.
func TestACPImagesForABlindModel(t *testing.T) {
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) {
		if strings.Contains(string(r.Body), "image_url") {
			a.Refuse(500, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`)
			return
		}
		a.Text("no pictures here")
	})
	dir := folder(t, serverFiles(server, ""))
	e, id := edit(t, dir, acptest.Options{})
	turn, err := e.PromptBlocks(t.Context(), id, acp.Text("what is it?"), picture())
	want := "[error: test: blind-model takes no images — choose a model that does, or say in words what they show]"
	if err != nil || turn.StopReason != acp.StopEndTurn || turn.Text != want {
		t.Errorf("%s: %q %v", turn.StopReason, turn.Text, err)
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
	turn, err = e.Prompt(t.Context(), id, "then without")
	if err != nil || turn.Text != "no pictures here" {
		t.Errorf("%q %v", turn.Text, err)
	}
	if got := server.Last().Messages[1].Content; got != "what is it?\n[image: image/png, 72 bytes]" {
		t.Errorf("in the image's place stands %q", got)
	}
	// A slash command has no use for images, and says so.
	if turn, err = e.PromptBlocks(t.Context(), id, acp.Text("/help"), picture()); err != nil || turn.Text != "commands take no images: send the images with a question" {
		t.Errorf("%q %v", turn.Text, err)
	}
}

// TestACPOldImagesAndABlindModel: images that stand in the history from before, when another model
// answered, don't fail a question without one.
func TestACPOldImagesAndABlindModel(t *testing.T) {
	var mu sync.Mutex
	blind := false
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) {
		mu.Lock()
		defer mu.Unlock()
		if blind && strings.Contains(string(r.Body), "image_url") {
			a.Refuse(400, `{"error":{"message":"blind-model is not a multimodal model","type":"BadRequestError","code":400}}`)
			return
		}
		a.Text(fmt.Sprint(len(r.Messages)))
	})
	e, id := edit(t, folder(t, serverFiles(server, "")), acptest.Options{})
	if turn, err := e.PromptBlocks(t.Context(), id, acp.Text("what is it?"), picture()); err != nil || turn.Text != "2" {
		t.Errorf("%q %v", turn.Text, err)
	}
	mu.Lock()
	blind = true
	mu.Unlock()
	if turn, err := e.Prompt(t.Context(), id, "and now?"); err != nil || turn.Text != "4" {
		t.Errorf("%q %v", turn.Text, err)
	}
}

// TestACPCompaction: a client that announced it sees each compaction; a client of notices reads the
// line; others see neither.
func TestACPCompaction(t *testing.T) {
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) {
		if strings.HasPrefix(r.System(), "You summarise") {
			a.Text("they talked")
			return
		}
		a.Text("yes " + strings.Repeat("word ", 200))
	})
	yes := &acp.Capability{}
	for name, c := range map[string]struct {
		session *acp.ClientSessionCapabilities
		want    string
	}{
		"compaction": {&acp.ClientSessionCapabilities{Compaction: yes, Notices: yes}, "compaction-1 in_progress; compaction-1 completed they talked"},
		"notices":    {&acp.ClientSessionCapabilities{Notices: yes}, "info [compacted: 2 messages → summary]"},
		"neither":    {nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e, id := edit(t, folder(t, serverFiles(server, "contextWindow: 2000\n")), acptest.Options{Capabilities: acp.ClientCapabilities{Session: c.session}})
			for _, text := range []string{"one", "two", "three", "four", "/compact"} {
				if _, err := e.Prompt(t.Context(), id, text); err != nil {
					t.Fatal(err)
				}
			}
			var told []string
			for _, u := range e.Updates(id) {
				var comp acp.Compaction
				var notice acp.Notice
				switch {
				case u.Kind == acp.UpdateCompaction && u.Decode(&comp) == nil:
					line := comp.CompactionID + " " + comp.Status
					for _, b := range comp.Summary {
						line += " " + b.Text
					}
					told = append(told, line)
				case u.Kind == acp.UpdateNotice && u.Decode(&notice) == nil:
					told = append(told, notice.Severity+" "+notice.Title)
				}
			}
			if got := strings.Join(told, "; "); got != c.want {
				t.Errorf("told %q, want %q", got, c.want)
			}
		})
	}
}

// TestACPMalformed: 1,000 lines that are no messages, or have params that don't fit, get 1,000 right
// errors, and mm serves the next request.
func TestACPMalformed(t *testing.T) {
	dir := folder(t, requiredFiles())
	ctx, cancel := context.WithTimeout(t.Context(), mmtest.Patience)
	defer cancel()
	w := acptest.StartWire(t, mm(t, dir, "-acp"))
	if a := w.Call(ctx, acp.MethodInitialize, `{"protocolVersion":1}`); a.Error != nil {
		t.Fatal(a.Error)
	}
	refused := append(acptest.Malformed(), badParams()...)
	silent := acptest.Silent()
	const lines = 1000
	want, start := map[string]int{}, time.Now()
	for i := range lines {
		line := withID(refused[i%len(refused)], i)
		w.Write(silent[i%len(silent)] + "\n" + line.Line + "\r\n")
		want[line.Want]++
	}
	answers := 0
	w.Checker.Wait(ctx, func(f acptest.Frame) bool {
		if f.FromAgent {
			answers++
		}
		return answers == lines+1
	})
	took := time.Since(start)
	got := map[string]int{}
	for _, line := range w.Sent()[1:] {
		got[line]++
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	if a := w.Call(ctx, acp.MethodListSessions, `{}`); a.Error != nil {
		t.Errorf("afterwards: %+v", a.Error)
	}
	t.Logf("%d malformed lines of %d kinds: %d right errors in %v", lines, len(refused), answers-1, took)
}

// withID is a line with an id of its own, where it has one: answers may come in another order.
func withID(r acptest.Refused, i int) acptest.Refused {
	id := regexp.MustCompile(`"id":("x"|"bad-\d+"|\d+)`).FindString(r.Want)
	if id == "" {
		return r
	}
	own := fmt.Sprintf(`"id":"%d"`, i)
	return acptest.Refused{Line: strings.Replace(r.Line, id, own, 1), Want: strings.Replace(r.Want, id, own, 1)}
}

// badParams are requests of mm's methods with params that don't fit.
func badParams() (list []acptest.Refused) {
	for i, c := range []struct {
		method, params, message string
		code                    int
		data                    string
	}{
		{method: "initialize", params: `{}`, message: "protocolVersion: is missing"},
		{method: "initialize", params: `{"protocolVersion":"2024-11-05"}`, message: "protocolVersion: expected a whole number, found a string"},
		{method: "initialize", params: `{"protocolVersion":1.5}`, message: "protocolVersion: expected a whole number, found a number"},
		{method: "session/new", params: `{}`, message: "cwd: is missing"},
		{method: "session/new", params: `{"cwd":["/"],"mcpServers":[]}`, message: "cwd: expected a string, found a list"},
		{method: "session/new", params: `{"cwd":"here","mcpServers":[]}`, message: "cwd must be an absolute path"},
		{method: "session/new", params: `{"cwd":"/","mcpServers":{}}`, message: "mcpServers: expected a list, found an object"},
		{method: "session/new", params: `{"cwd":"/","mcpServers":[{"name":"a","command":"/a","args":[1],"env":[]}]}`, message: "mcpServers[0].args[0]: expected a string, found a number"},
		{method: "session/new", params: `{"cwd":"/","mcpServers":[{"type":"smoke","name":"a"}]}`, message: "mcpServers[0].type: unknown server type smoke"},
		{method: "session/prompt", params: `{"prompt":[]}`, message: "sessionId: is missing"},
		{method: "session/prompt", params: `{"sessionId":"s","prompt":"hi"}`, message: "prompt: expected a list, found a string"},
		{method: "session/prompt", params: `{"sessionId":"s","prompt":[{"type":"text","text":"hi"}]}`, message: "unknown session s", code: acp.CodeNotFound, data: `{"sessionId":"s"}`},
		{method: "session/load", params: `{"sessionId":7,"cwd":"/"}`, message: "sessionId: expected a string, found a number"},
		{method: "session/set_mode", params: `[]`, message: "expected an object, found a list"},
		{method: "session/close", params: `{"sessionId":"s"}`, message: "unknown session s", code: acp.CodeNotFound, data: `{"sessionId":"s"}`},
		{method: "authenticate", params: `{"methodId":null}`, message: "methodId: is missing"},
	} {
		id := fmt.Sprintf(`"bad-%d"`, i)
		if c.code == 0 {
			c.code = acp.CodeInvalidParams
		}
		want := acptest.ErrorLine(id, c.code, c.message)
		if c.data != "" {
			want = strings.TrimSuffix(want, "}}") + `,"data":` + c.data + "}}"
		}
		list = append(list, acptest.Refused{Line: `{"jsonrpc":"2.0","id":` + id + `,"method":"` + c.method + `","params":` + c.params + `}`, Want: want})
	}
	return list
}
