//go:build unix

package main

import (
	"bytes"
	"testing"

	"github.com/mini-me/mm/internal/mmtest"
)

// open starts mm in a terminal, with a person at the keys.
func open(t *testing.T, dir string, args ...string) *mmtest.Terminal {
	t.Helper()
	cmd := mm(t, dir, args...)
	cmd.Env = append(cmd.Env, "TERM=xterm", "NO_COLOR=1")
	return mmtest.Open(t, cmd)
}

const question = `\? $`

func TestTerminalDelegation(t *testing.T) {
	x := open(t, folder(t, teamFiles("false")))
	x.Expect(`^agents: jan`)
	x.Expect(`^> `)
	x.Keys("let jan echo hello\n")
	x.Expect(`^🗣 ask_agent: jan \(scripted\) — echo hello$`)
	x.Expect(`^🔐 ask_agent: jan — echo hello$`)
	x.Expect(question)
	x.Keys("a\n")
	x.Expect(`^🔐 jan · bash: echo hello$`)
	x.Expect(question)
	x.Keys("what?\n") // no answer: asked again
	x.Expect(`^🔐 jan · bash: echo hello$`)
	x.Expect(question)
	x.Keys("s\n")
	x.Expect(`^lead: jan: hello$`)
	x.Expect(`^> `)
	x.Keys("/ask-jan echo again\n")
	x.Expect(`^jan: again$`)
	x.Keys("run echo mine\n")
	x.Expect(`^🔐 bash: echo mine$`)
	x.Expect(question)
	x.Keys("n\n")
	x.Expect(`^lead: \[command rejected by the user\]$`)
	x.Keys("/permissions\n")
	x.Expect(`^never in this session: bash$`)
	x.Expect(`^allowed in this session: jan/bash$`)
	x.Keys("\x04")
	x.Exits(0)
	// One question for jan's two commands: the second was answered from memory.
	if n := bytes.Count([]byte(x.Screen()), []byte("🔐 jan · bash: echo again")); n != 0 {
		t.Error("jan's second command was asked about")
	}
}

// slow is an agent whose command runs for ever, and an asked one with the same.
func slow(t *testing.T) string {
	files := teamFiles("true")
	files["lead.yaml"] = "- when: {user: hang}\n  reply: [{call: {name: bash, arguments: {command: 'echo begun; exec sleep 300'}}}]\n" + files["lead.yaml"]
	return folder(t, files)
}

func TestTerminalInputWhileATurnRuns(t *testing.T) {
	dir := slow(t)
	fifo := dir + "/fifo"
	mkfifo(t, fifo)
	x := open(t, dir)
	x.Expect(`^> `)
	x.Keys("let jan echo $$ >fifo; exec sleep 300\n")
	pid := readPid(t, fifo)
	x.Keys("/agents\n") // doesn't disturb the turn
	x.Expect(`^jan \(scripted\) — `)
	if !mmtest.Alive(pid) {
		t.Error("/agents ended the turn")
	}
	x.Keys("run echo second\n") // a new question cancels it
	x.Expect(`^\[cancelled\]$`)
	waitGone(t, pid)
	x.Expect(`^lead: second$`)
	x.Keys("hang\n")
	x.Expect(`^🛠️ bash: echo begun`)
	x.Keys("/abort\n")
	x.Expect(`^\[cancelled\]$`)
	x.Expect(`^> `)
	x.Keys("/abort\n")
	x.Expect(`^nothing runs$`)
	x.Keys("hang\n")
	x.Expect(`^🛠️ bash: echo begun`)
	x.Keys("\x03") // Ctrl-C cancels
	x.Expect(`^\[cancelled\]$`)
	x.Expect(`^> `)
	x.Keys("hang\n")
	x.Expect(`^🛠️ bash: echo begun`)
	x.Keys("/quit\n") // acts at once
	x.Exits(0)
}

func TestTerminalInterruptTwiceQuits(t *testing.T) {
	x := open(t, slow(t))
	x.Expect(`^> `)
	x.Keys("\x03")
	x.Expect(`Ctrl-C again, Ctrl-D or /quit ends mm`)
	x.Keys("\x03")
	x.Exits(0)
}

func TestTerminalAbortWithdrawsTheQuestion(t *testing.T) {
	x := open(t, folder(t, teamFiles("false")))
	x.Expect(`^> `)
	x.Keys("/ask-jan homer echo hi\n")
	x.Expect(`^🔐 jan · ask_agent: homer — echo hi$`)
	x.Expect(question)
	x.Keys("a\n")
	x.Expect(`^🔐 jan · homer · bash: echo hi$`)
	x.Expect(question)
	x.Keys("/abort\n")
	x.Expect(`\(withdrawn\)`)
	x.Expect(`^\[cancelled\]$`)
	x.Keys("/permissions\n")
	x.Expect(`^nothing is remembered and nothing waits$`)
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestAsksRunSideBySide: each agent's command waits for the other's, so they can only end if both
// run at the same time; the results come back in the order of the calls.
func TestAsksRunSideBySide(t *testing.T) {
	files := teamFiles("true")
	files["mm.yaml"] = "provider: scripted\nscript: lead.yaml\nmmConfigs: {jan: jan.yaml, homer: homer.yaml}\n"
	files["lead.yaml"] = `
- when: {user: "(jan|homer) and (jan|homer)"}
  reply:
    - call: {name: ask_agent, arguments: {agent: $1, prompt: "echo one >a; cat b; echo first"}}
    - call: {name: ask_agent, arguments: {agent: $2, prompt: "cat a; echo two >b; echo second"}}
- when: {tool: "(?s)(.*)"}
  reply: "last: $1"
`
	for _, pair := range []string{"jan and homer", "jan and jan"} {
		t.Run(pair, func(t *testing.T) {
			dir := folder(t, files)
			mkfifo(t, dir+"/a")
			mkfifo(t, dir+"/b")
			cmd := mm(t, dir, "-p", pair, "--output", "json")
			out, err := cmd.CombinedOutput()
			if err != nil || !bytes.Contains(out, []byte(`one\nsecond`)) || !bytes.Contains(out, []byte(`"tool":"bash","title":"echo one \u003ea; cat b; echo first","status":"completed","exit_code":0`)) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
