//go:build linux

package interop

import (
	"fmt"
	"strings"
	"testing"
)

// qwenModel is Qwen Code's model. What it is asked stands at the end of a text of Qwen Code's own.
const qwenModel = `
- when: {user: "(?:^|[>\\n])write (/[^\\n]*)$"}
  reply: [{text: "writing. "}, {call: {name: write_file, arguments: {file_path: "$1", content: "made\n"}}}]
- when: {user: "(?:^|[>\\n])run ([^\\n]*)$"}
  reply: [{call: {name: run_shell_command, arguments: {command: "$1", description: as asked, is_background: false}}}]
- when: {user: "(?:^|[>\\n])fail$"}
  reply: [{error: {status: 400, message: the model doesn't want to}}]
- when: {user: "(?:^|[>\\n])what is new[?]$"}
  reply: "not much"
- when: {tool: "(?s)(.*)"}
  reply: "the tool said: $1"
- reply: "nothing"
`

// newQwen is the stage with Qwen Code, which comes of Gemini CLI and starts in a mode in which a model
// decides what is asked. It has no mind for NO_PROXY.
func newQwen(t *testing.T, key string) *foreign {
	t.Helper()
	path := program(t, "qwen", qwenPackage)
	node := node(t, 22, 0)
	f := newForeign(t, "qwen", false, qwenModel, func(url string) string {
		return fmt.Sprintf("{command: %q, args: [%q, --acp], env: {%s, OPENAI_BASE_URL: %q, OPENAI_MODEL: test-model, "+
			"HTTP_PROXY: \"\", HTTPS_PROXY: \"\", http_proxy: \"\", https_proxy: \"\"}}", node, path, key, url)
	})
	f.write("home/.qwen/settings.json", `{"privacy": {"usageStatisticsEnabled": false}, "telemetry": {"enabled": false}, "general": {"enableAutoUpdate": false}}`)
	return f
}

const qwenKey = "OPENAI_API_KEY: none"

// TestQwenAnswers: an ask of Qwen Code, from the command line.
func TestQwenAnswers(t *testing.T) {
	t.Parallel()
	f := newQwen(t, qwenKey)
	r := f.run("--ask", "qwen", "what is new?")
	if r.status != 0 || r.stdout != "not much\n" {
		t.Errorf("exit %d: %q", r.status, r.stdout)
	}
	f.empty()
}

// TestQwenAsksThroughMMsGate: mm has put it into the mode in which it asks.
func TestQwenAsksThroughMMsGate(t *testing.T) {
	t.Parallel()
	throughTheGate(t, newQwen(t, qwenKey), []request{
		{"write", "write $D/made.txt", "qwen/edit", "made.txt", "made\n"},
		{"bash", "run echo again >made.txt", "qwen/execute", "made.txt", "again\n"},
	})
}

// TestQwenNeedsALogin: without a key the ask says how to log in.
func TestQwenNeedsALogin(t *testing.T) {
	t.Parallel()
	f := newQwen(t, "OPENAI_API_KEY: \"\"")
	r := f.run("--ask", "qwen", "hello")
	if r.status != 1 || !strings.Contains(r.stderr, "[ask_agent: qwen failed: needs a login: run ") || !strings.Contains(r.stderr, "OPENAI_API_KEY") {
		t.Errorf("exit %d: %s", r.status, r.stderr)
	}
	f.empty()
}

// TestQwensModelFails: the failure of another agent's model is told as such.
func TestQwensModelFails(t *testing.T) {
	t.Parallel()
	f := newQwen(t, qwenKey)
	r := f.run("--ask", "qwen", "fail")
	if r.status != 1 || !strings.Contains(r.stderr, "[ask_agent: qwen failed: ") || !strings.Contains(r.stderr, "the model doesn't want to") {
		t.Errorf("exit %d: %s%s", r.status, r.stdout, r.stderr)
	}
	f.empty()
}
