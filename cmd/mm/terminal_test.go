//go:build unix

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// terminal is mm in a pseudo-terminal, with a person at the keys.
type terminal struct {
	t   *testing.T
	cmd *exec.Cmd
	pty *os.File

	mu      sync.Mutex
	raw     []byte        // guarded by mu: what was shown and isn't in seen yet
	seen    []byte        // guarded by mu: what was shown, see plain
	from    int           // guarded by mu: how much of it was expected already
	changed chan struct{} // closed and replaced when seen grows or ends
	ended   bool          // guarded by mu
}

// patience is how long a test waits for what must come.
const patience = 30 * time.Second

// open starts mm in a terminal.
func open(t *testing.T, dir string, args ...string) *terminal {
	t.Helper()
	x := &terminal{t: t, cmd: mm(t, dir, args...), changed: make(chan struct{})}
	x.cmd.Env = append(x.cmd.Env, "TERM=xterm", "NO_COLOR=1")
	var err error
	if x.pty, err = pty.StartWithSize(x.cmd, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	go x.read()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		_ = x.pty.Close()
		if t.Failed() {
			t.Logf("the terminal showed:\n%s", x.screen())
		}
	})
	return x
}

func (x *terminal) read() {
	buf := make([]byte, 4096)
	for {
		n, err := x.pty.Read(buf)
		x.mu.Lock()
		x.raw = append(x.raw, buf[:n]...)
		var text []byte
		text, x.raw = plain(x.raw)
		x.seen = append(x.seen, text...)
		x.ended = err != nil
		close(x.changed)
		x.changed = make(chan struct{})
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// plain is what was shown without escape sequences; a jump to the beginning of a line begins another
// one. rest is what may go on.
func plain(b []byte) (text, rest []byte) {
	if i := bytes.LastIndexAny(b, "\x1b\r"); i >= 0 && (b[i] == '\r' && i == len(b)-1 || b[i] == 0x1b && !sequence.Match(b[i:])) {
		b, rest = b[:i], append([]byte(nil), b[i:]...)
	}
	b = sequence.ReplaceAll(b, nil)
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(b, []byte("\r"), []byte("\n")), rest
}

var sequence = regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]`)

func (x *terminal) screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.seen)
}

// expect waits until the pattern is shown, after what was expected before.
func (x *terminal) expect(pattern string) string {
	x.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		x.mu.Lock()
		at := re.FindIndex(x.seen[x.from:])
		changed, ended := x.changed, x.ended
		if at != nil {
			found := string(x.seen[x.from+at[0] : x.from+at[1]])
			x.from += at[1]
			x.mu.Unlock()
			return found
		}
		x.mu.Unlock()
		if ended {
			x.t.Fatalf("mm ended without showing %q", pattern)
		}
		select {
		case <-changed:
		case <-limit.C:
			x.t.Fatalf("%q isn't shown", pattern)
		}
	}
}

func (x *terminal) keys(format string, args ...any) {
	x.t.Helper()
	if _, err := fmt.Fprintf(x.pty, format, args...); err != nil {
		x.t.Fatal(err)
	}
}

// exit waits for the end and checks the exit status.
func (x *terminal) exit(status int) {
	x.t.Helper()
	done := make(chan struct{})
	go func() {
		_ = x.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(patience):
		x.t.Fatal("mm doesn't end")
	}
	if got := x.cmd.ProcessState.ExitCode(); got != status {
		x.t.Errorf("exit status %d, want %d", got, status)
	}
}

const question = `\? $`

func TestTerminalDelegation(t *testing.T) {
	x := open(t, folder(t, teamFiles("false")))
	x.expect(`^agents: jan`)
	x.expect(`^> `)
	x.keys("let jan echo hello\n")
	x.expect(`^🗣 ask_agent: jan \(scripted\) — echo hello$`)
	x.expect(`^🔐 ask_agent: jan — echo hello$`)
	x.expect(question)
	x.keys("a\n")
	x.expect(`^🔐 jan · bash: echo hello$`)
	x.expect(question)
	x.keys("what?\n") // no answer: asked again
	x.expect(`^🔐 jan · bash: echo hello$`)
	x.expect(question)
	x.keys("s\n")
	x.expect(`^lead: jan: hello$`)
	x.expect(`^> `)
	x.keys("/ask-jan echo again\n")
	x.expect(`^jan: again$`)
	x.keys("run echo mine\n")
	x.expect(`^🔐 bash: echo mine$`)
	x.expect(question)
	x.keys("n\n")
	x.expect(`^lead: \[command rejected by the user\]$`)
	x.keys("/permissions\n")
	x.expect(`^never in this session: bash$`)
	x.expect(`^allowed in this session: jan/bash$`)
	x.keys("\x04")
	x.exit(0)
	// One question for jan's two commands: the second was answered from memory.
	if n := bytes.Count([]byte(x.screen()), []byte("🔐 jan · bash: echo again")); n != 0 {
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
	x.expect(`^> `)
	x.keys("let jan echo $$ >fifo; exec sleep 300\n")
	pid := readPid(t, fifo)
	x.keys("/agents\n") // doesn't disturb the turn
	x.expect(`^jan \(scripted\) — `)
	if !alive(pid) {
		t.Error("/agents ended the turn")
	}
	x.keys("run echo second\n") // a new question cancels it
	x.expect(`^\[cancelled\]$`)
	waitGone(t, pid)
	x.expect(`^lead: second$`)
	x.keys("hang\n")
	x.expect(`^🛠️ bash: echo begun`)
	x.keys("/abort\n")
	x.expect(`^\[cancelled\]$`)
	x.expect(`^> `)
	x.keys("/abort\n")
	x.expect(`^nothing runs$`)
	x.keys("hang\n")
	x.expect(`^🛠️ bash: echo begun`)
	x.keys("\x03") // Ctrl-C cancels
	x.expect(`^\[cancelled\]$`)
	x.expect(`^> `)
	x.keys("hang\n")
	x.expect(`^🛠️ bash: echo begun`)
	x.keys("/quit\n") // acts at once
	x.exit(0)
}

func TestTerminalInterruptTwiceQuits(t *testing.T) {
	x := open(t, slow(t))
	x.expect(`^> `)
	x.keys("\x03")
	x.expect(`Ctrl-C again, Ctrl-D or /quit ends mm`)
	x.keys("\x03")
	x.exit(0)
}

func TestTerminalAbortWithdrawsTheQuestion(t *testing.T) {
	x := open(t, folder(t, teamFiles("false")))
	x.expect(`^> `)
	x.keys("/ask-jan homer echo hi\n")
	x.expect(`^🔐 jan · ask_agent: homer — echo hi$`)
	x.expect(question)
	x.keys("a\n")
	x.expect(`^🔐 jan · homer · bash: echo hi$`)
	x.expect(question)
	x.keys("/abort\n")
	x.expect(`\(withdrawn\)`)
	x.expect(`^\[cancelled\]$`)
	x.keys("/permissions\n")
	x.expect(`^nothing is remembered and nothing waits$`)
	x.keys("/quit\n")
	x.exit(0)
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
