//go:build linux

package faults

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/mmtest"
)

// hang is a command that notes that it has begun, under a name, and then does what follows for
// longer than any test lasts.
func hang(name, then string) string {
	return fmt.Sprintf("echo $$ >$D/.%[1]s; mv $D/.%[1]s $D/%[1]s; %[2]s", name, then)
}

// background is a command that leaves a task behind on purpose, and ends.
func background(name string) string {
	return fmt.Sprintf("nohup sleep 300 >/dev/null 2>&1 & echo $! >$D/.%[1]s; mv $D/.%[1]s $D/%[1]s", name)
}

// The parts of a busy tree, by the name under which each notes that it runs.
const (
	leadTask    = "lead-task"         // a background task of the lead
	janTask     = "jan-task"          // one of jan's
	homerTask   = "homer-task"        // one of homer's, two levels down
	janSleeps   = "jan-sleeps"        // foreground commands: sleep 300
	homerShell  = "homer-shell"       // behind sh -c, behind sh -c
	leadDeaf    = "lead-ignores-term" // the lead's own, alone: "own command" to the lead
	homerSleeps = "homer-sleeps"
	homerDeaf   = "homer-ignores-term"
	leadHook    = "lead-hook"
	janHook     = "jan-hook"
	foreign     = "fork" // a process of the agent that isn't mm
	leadMCP     = "lead-mcp"
	leadLSP     = "lead-lsp"
	janMCP      = "jan-mcp"
	janLSP      = "jan-lsp"
)

// What is at work below the lead, and below jan alone (mm --ask jan); tasks are what stays.
var (
	leadsWork  = []string{janSleeps, homerShell, homerSleeps, homerDeaf, leadHook, janHook, foreign, leadMCP, leadLSP, janMCP, janLSP}
	leadsTasks = []string{leadTask, janTask, homerTask}
	jansWork   = []string{homerShell, homerSleeps, homerDeaf, janHook, foreign, janMCP, janLSP}
	jansTasks  = []string{janTask, homerTask}
)

// busy are agent files for a tree in which everything that can be left behind is at work at once:
// "go" to the lead starts it.
func busy(t testing.TB) map[string]string {
	fake := fmt.Sprintf("{command: sh, args: [-c, '\"%s\"; :'], env: {%s: 'stubborn,forking'}}", self(t), agentEnv)
	call := func(agent, prompt string) string {
		return fmt.Sprintf("    - call: {name: ask_agent, arguments: {agent: %s, prompt: %q}}\n", agent, prompt)
	}
	bash := func(when, command string) string {
		return fmt.Sprintf("- when: {%s}\n  reply:\n    - call: {name: bash, arguments: {command: %q}}\n", when, strings.ReplaceAll(command, "$", "$$"))
	}
	hook := func(name string) string {
		return fmt.Sprintf("hooks: {preAsk: [{match: held, command: %q, timeout: 5m}]}\n", "trap '' TERM; "+hang(name, "sleep 300; :"))
	}
	servers := func(who string) string {
		return fmt.Sprintf("mcpServers: {srv: {command: %[1]q, env: {%[2]s: 'mcp %[3]s-mcp'}}}\n"+
			"lsp: {servers: {odd: {command: %[1]q, extensions: [.odd], languageId: odd, env: {%[2]s: 'lsp %[3]s-lsp'}}}}\n", self(t), serverEnv, who)
	}
	// What uses both servers comes before what takes its time.
	const use = "    - call: {name: srv_quick, arguments: {}}\n    - call: {name: lsp, arguments: {action: symbols, path: a.odd}}\n"
	return map[string]string{
		"a.odd": "odd\n",
		"mm.yaml": "provider: scripted\nscript: lead.s.yaml\nyolo: true\n" + hook(leadHook) + servers("lead") +
			"mmConfigs:\n  jan: jan.yaml\n  held: homer.yaml\n  fake: " + fake + "\n",
		"jan.yaml": "provider: scripted\nscript: jan.s.yaml\n" + hook(janHook) + servers("jan") +
			"mmConfigs:\n  homer: homer.yaml\n  held: homer.yaml\n  fake: " + fake + "\n",
		"homer.yaml": "provider: scripted\nscript: homer.s.yaml\n",
		"lead.s.yaml": bash(`user: "^go$"`, background(leadTask)) +
			"- when: {question: \"^go$\", from: \"^bash$\"}\n  reply:\n" + use +
			"- when: {question: \"^go$\", from: \"^lsp$\"}\n  reply:\n" + call("jan", "sleep") + call("jan", "all") + call("held", "never") +
			bash(`user: "^own command$"`, "trap '' TERM; "+hang(leadDeaf, "sleep 300; sleep 300")) +
			"- when: {user: \"^own mcp$\"}\n  reply: [{call: {name: srv_hang, arguments: {}}}]\n" +
			"- when: {user: \"^own lsp$\"}\n  reply: [{call: {name: lsp, arguments: {action: hover, path: a.odd, symbol: odd}}}]\n" +
			"- when: {user: \"^idle$\"}\n  reply:\n" + call("fake", "say I am here") + call("jan", "idle") +
			"- reply: done\n",
		"jan.s.yaml": bash(`user: "^sleep$"`, hang(janSleeps, "exec sleep 300")) +
			bash(`user: "^all$"`, background(janTask)) +
			"- when: {question: \"^all$\", from: \"^bash$\"}\n  reply:\n" + use +
			"- when: {question: \"^all$\", from: \"^lsp$\"}\n  reply:\n" +
			call("homer", "sleep") + call("homer", "deaf") + call("homer", "shell") + call("fake", "silent") + call("held", "never") +
			"- when: {user: \"^idle$\"}\n  reply:\n" + call("homer", "idle") +
			"- reply: done\n",
		"homer.s.yaml": bash(`user: "^sleep$"`, background(homerTask)) +
			bash(`question: "^sleep$", from: "^bash$"`, hang(homerSleeps, "exec sleep 300")) +
			bash(`user: "^deaf$"`, "trap '' TERM; "+hang(homerDeaf, "sleep 300; sleep 300")) +
			bash(`user: "^shell$"`, "sh -c '"+hang(homerShell, "sh -c \"sleep 300; :\"; :")+"'; :") +
			"- reply: done\n",
	}
}

// now waits until all that is named runs. What is among tasks is returned: it is to stay.
func (h *house) now(names []string, tasks []string) (stay []int) {
	h.t.Helper()
	for _, name := range names {
		h.running(name)
	}
	for _, name := range tasks {
		stay = append(stay, h.running(name))
	}
	h.t.Cleanup(func() { kill(stay...) })
	return stay
}

// running waits until what has the name runs and returns its pid.
func (h *house) running(name string) int {
	h.t.Helper()
	pid := 0
	mmtest.Wait(h.t, name+" runs", func() bool {
		b, err := os.ReadFile(h.path(name))
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(strings.TrimSpace(string(b)))
		return err == nil
	})
	return pid
}
