//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/llm/llmtest"
)

// TestAnyServer: a delegation on an OpenAI-compatible server on loopback, which refuses whatever a
// strict chat template would refuse. Each agent is told by its instructions.
func TestAnyServer(t *testing.T) {
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) {
		last := r.Last()
		switch who := r.System(); {
		case last.Role == "tool":
			a.Text(who + " read: " + last.Content)
		case who == "lead":
			a.Thought("jan can look")
			a.Call("ask_agent", `{"agent":"jan","prompt":"look","with_context":true}`)
		default:
			a.Call("bash", `{"command":"echo found"}`)
		}
		a.Usage(100, 10, 50)
	})
	agent := func(name, more string) string {
		return "provider: test\nbaseURL: " + server.URL + "\nmodel: test-model\ninstructions: " + name + "\n" + more
	}
	dir := folder(t, map[string]string{
		"mm.yaml":  agent("lead", "mmConfigs: {jan: jan.yaml}\n"),
		"jan.yaml": agent("jan", ""),
	})
	cmd := mm(t, dir, "-p", "first question", "--output", "json")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	var got struct {
		Answer     string `json:"answer"`
		StopReason string `json:"stop_reason"`
		ToolCalls  []struct {
			Agent, Tool, Title, Status string
			Exit                       *int `json:"exit_code"`
		} `json:"tool_calls"`
		Usage map[string]int `json:"usage"`
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got.Answer != "lead read: jan read: found\n" || got.StopReason != "end_turn" {
		t.Errorf("%s", out)
	}
	if len(got.ToolCalls) != 2 || got.ToolCalls[0].Tool != "ask_agent" || got.ToolCalls[1].Agent != "jan" || got.ToolCalls[1].Tool != "bash" ||
		got.ToolCalls[1].Status != "completed" || got.ToolCalls[1].Exit == nil || *got.ToolCalls[1].Exit != 0 {
		t.Errorf("tool calls: %s", out)
	}
	if got.Usage["input_tokens"] != 400 || got.Usage["output_tokens"] != 40 || got.Usage["cached_tokens"] != 200 {
		t.Errorf("usage of both agents: %v", got.Usage)
	}
	for _, r := range server.Requests() {
		if r.System() == "jan" && r.Last().Role == "user" && r.Last().Content != "look" {
			// with_context: nothing was said before this turn.
			if want := "[conversation so far]\n[end of the conversation]\n\nlook"; r.Last().Content != want {
				t.Errorf("jan was asked %q, want %q", r.Last().Content, want)
			}
		}
	}
	server.CheckPrefix(t)
}

// TestAskCallsNoModelOfTheAsker counts requests: mm --ask uses the asked agent's model alone, and an
// unknown name none.
func TestAskCallsNoModelOfTheAsker(t *testing.T) {
	asker := llmtest.New(t, func(a *llmtest.Answer, _ *llmtest.Request) { a.Text("never") })
	asked := llmtest.New(t, func(a *llmtest.Answer, _ *llmtest.Request) { a.Text("here I am") })
	dir := folder(t, map[string]string{
		"mm.yaml":  "provider: test\nbaseURL: " + asker.URL + "\nmmConfigs: {jan: jan.yaml}\n",
		"jan.yaml": "provider: test\nbaseURL: " + asked.URL + "\n",
	})
	out, err := mm(t, dir, "--ask", "jan", "hello").Output()
	if err != nil || string(out) != "here I am\n" {
		t.Errorf("%q %v", out, err)
	}
	cmd := mm(t, dir, "--ask", "bob", "hello")
	text, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(text), "agents: jan") {
		t.Errorf("%d %s", cmd.ProcessState.ExitCode(), text)
	}
	if n, m := len(asker.Requests()), len(asked.Requests()); n != 0 || m != 1 {
		t.Errorf("%d requests to the asker's model and %d to jan's, want 0 and 1", n, m)
	}
}

func TestCheckAsksTheServer(t *testing.T) {
	server := llmtest.New(t, func(a *llmtest.Answer, r *llmtest.Request) {
		if len(r.Tools) > 0 {
			a.Call("echo", `{"text":"ok"}`)
			return
		}
		for _, s := range []string{"1 ", "2 ", "3"} {
			a.Text(s)
		}
	})
	server.Context = 4096
	dir := folder(t, map[string]string{"mm.yaml": "provider: vllm\nbaseURL: " + server.URL + "\n"})
	out, err := mm(t, dir, "check").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "✓ model test-model @ vllm ("+server.URL+"): window 4096 tokens, streams, calls tools, first token after ") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestACPChoosesAmongTheServersModels: the models are offered once the server has told them, and the
// chosen one answers the next turn.
func TestACPChoosesAmongTheServersModels(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"object":"list","data":[{"id":"small","object":"model"},{"id":"large","object":"model"}]}`)
			return
		}
		var req struct{ Model string }
		if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I am %s\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", req.Model)
	}))
	t.Cleanup(server.Close)
	dir := folder(t, map[string]string{"mm.yaml": "provider: test\nmodel: small\nbaseURL: " + server.URL + "/v1\n"})
	e, id := edit(t, dir, acptest.Options{})
	e.WaitUpdate(t.Context(), func(u acp.SessionUpdate) bool {
		return u.Kind == acp.UpdateConfigOption && strings.Contains(string(u.Raw), `"large"`)
	})
	for _, name := range []string{"large", "small"} {
		var resp acp.SetConfigOptionResponse
		if err := e.Conn.Call(t.Context(), acp.MethodSetConfigOption, acp.SetConfigOptionRequest{SessionID: id, ConfigID: "model", Value: name}, &resp); err != nil {
			t.Fatal(err)
		}
		if len(resp.ConfigOptions) != 2 || resp.ConfigOptions[1].Value != name {
			t.Errorf("%+v", resp)
		}
		if turn, err := e.Prompt(t.Context(), id, "who?"); err != nil || turn.Text != "I am "+name {
			t.Errorf("%q %v", turn.Text, err)
		}
	}
}

// TestFetchContent: a page is read without asking, saved only when allowed.
func TestFetchContent(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<nav>menu</nav><h1>Title</h1><p>Some <b>text</b>.</p>`)
	}))
	t.Cleanup(site.Close)
	dir := folder(t, map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\nyolo: false\nfetchContentTool: true\n",
		"s.yaml": `
- when: {user: "^read (\\S+)"}
  reply: [{call: {name: fetch_content, arguments: {url: "$1"}}}]
- when: {user: "^save (\\S+)"}
  reply: [{call: {name: fetch_content, arguments: {url: "$1", output: page.md}}}]
- when: {tool: "(?s)(.*)"}
  reply: "$1"
`})
	out, err := mm(t, dir, "-p", "read "+site.URL+"/page").CombinedOutput()
	if err != nil || string(out) != "# Title\n\nSome **text**.\n" {
		t.Errorf("%v: %s", err, out)
	}
	out, _ = mm(t, dir, "-p", "save "+site.URL+"/page").CombinedOutput()
	if !strings.Contains(string(out), "[fetch_content rejected by the user]") {
		t.Errorf("%s", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "page.md")); err == nil {
		t.Error("a refused page was saved")
	}
	cmd := mm(t, dir, "-p", "save "+site.URL+"/page")
	cmd.Env = append(cmd.Env, "AGENT_YOLO=true")
	out, err = cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "[fetch_content: saved 3 lines of Markdown (") {
		t.Errorf("%v: %s", err, out)
	}
}
