//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// tui is the command line of mm -tui in a folder.
func tui(t *testing.T, dir string, env ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env = append(env, "HOME="+dir, "MM_TEST_MAIN=1", "GORACE=atexit_sleep_ms=0", "XDG_STATE_HOME="+dir)
	return fmt.Sprintf("cd '%s' && exec env '%s' '%s' -tui", dir, strings.Join(env, "' '"), self)
}

// windowTeam is a lead and jan with figures that don't change from run to run.
func windowTeam() map[string]string {
	files := teamFiles("false")
	files["mm.yaml"] += "model: big\nacp: {title: lead}\n"
	files["jan.yaml"] += "model: small\nacp: {title: reviewer}\n"
	for _, f := range []string{"lead.yaml", "jan.s.yaml"} {
		files[f] = regexp.MustCompile(`(?m)^  reply: (".*")$`).ReplaceAllString(files[f], "  reply: [{text: $1}, {usage: {input: 1200, output: 34}}]")
		files[f] = regexp.MustCompile(`(?m)^(    - call: .*)$`).ReplaceAllString(files[f], "$1\n    - usage: {input: 1000, output: 10}")
	}
	return files
}

var sizes = [][2]int{{80, 24}, {120, 40}}

// TestWindowDelegation: a question, the permission for the ask, resized, then jan's own, and the answer.
func TestWindowDelegation(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := openPane(t, "window", size[0], size[1], tui(t, folder(t, windowTeam())))
			p.until(`^> *$`)
			p.golden("start")
			p.types("let jan echo hello; seq 3")
			p.keys("Enter")
			p.until(`^🔐 ask_agent: jan — echo hello`)
			p.golden("permission")
			p.resize(50, 14)
			p.until(`^\[a\] once`)
			p.resize(size[0], size[1])
			p.golden("permission")
			p.untilAnswered("a", `^🔐 jan · bash: echo hello`)
			p.golden("relayed")
			p.untilAnswered("s", `^lead: jan: hello`)
			p.golden("answered")
			p.keys("C-o", "g", "/")
			p.types("HELLO")
			p.keys("Enter")
			p.until(`not found: HELLO`)
			p.keys("/")
			p.types("hello")
			p.keys("Enter")
			p.until(`\d found`)
			p.keys("q")
			p.types("/quit")
			p.keys("Enter")
			p.asBefore()
			p.until(`^mm has ended`)
		})
	}
}

const formScript = `
- when: {user: "."}
  reply:
    - call:
        name: ask_user
        arguments:
          questions:
            - {question: "Which colour do you like?", type: choice, options: [red, green, "日本の青"], default: green}
            - {question: "Which toys?", type: multi, options: [car, doll]}
            - {question: "Your name?", type: text, default: bob}
    - usage: {input: 1000, output: 10}
- when: {tool: "(?s)(.*)"}
  reply: [{text: "$1"}, {usage: {input: 1200, output: 34}}]
`

// TestWindowForm: questions of three types, resized in the middle.
func TestWindowForm(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			dir := folder(t, map[string]string{"mm.yaml": "provider: scripted\nscript: s.yaml\nmodel: big\n", "s.yaml": formScript})
			p := openPane(t, "window", size[0], size[1], tui(t, dir))
			p.until(`^> *$`)
			p.types("ask me")
			p.keys("Enter")
			p.until(`^❓ Which colour do you like\? \(1/3\)`)
			p.golden("choice")
			p.resize(20, 6)
			p.until(`❯ 2\. green`)
			p.resize(size[0], size[1])
			p.golden("choice")
			p.untilAnswered("1", `^❓ Which toys\? \(2/3\)`)
			p.keys("Down", "Space")
			p.golden("multi")
			p.keys("Enter")
			p.until(`^❓ Your name\? \(3/3\)`)
			p.keys("BSpace")
			p.types("bie")
			p.golden("text")
			p.keys("Enter")
			p.until(`^• Your name\? → bobie`)
			p.golden("replied")
			p.keys("C-d")
			p.asBefore()
			p.until(`^mm has ended`)
		})
	}
}

// TestWindowCancel: Esc ends a command with all it started; a new question does as well.
func TestWindowCancel(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			files := windowTeam()
			files["mm.yaml"] = strings.Replace(files["mm.yaml"], "yolo: false", "yolo: true", 1)
			dir := folder(t, files)
			fifo := dir + "/fifo"
			mkfifo(t, fifo)
			p := openPane(t, "window", size[0], size[1], tui(t, dir))
			p.until(`^> *$`)
			p.types("let jan echo $$ >fifo; exec sleep 300")
			p.keys("Enter")
			pid := readPid(t, fifo)
			p.until(`‣ bash jan · echo`)
			p.golden("working")
			p.resize(40, 10)
			p.until(`^▸ jan: bash`)
			p.resize(size[0], size[1])
			p.golden("working")
			p.keys("Escape")
			p.until(`^\[cancelled\]`)
			waitGone(t, pid)
			p.golden("cancelled")
			p.types("run echo $$ >fifo; exec sleep 300")
			p.keys("Enter")
			pid = readPid(t, fifo)
			p.types("run echo second")
			p.keys("Enter")
			p.until(`^lead: second`)
			waitGone(t, pid)
			p.keys("C-c", "C-c")
			p.asBefore()
			p.until(`^mm has ended`)
		})
	}
}

// TestWindowSmall is the window at 20×6, without colours.
func TestWindowSmall(t *testing.T) {
	p := openPane(t, "window", 20, 6, tui(t, folder(t, windowTeam()), "NO_COLOR=1"))
	p.until(`^>`)
	p.golden("start")
	p.types("run echo hi")
	p.keys("Enter")
	p.until(`^\[r\]eject \[n\]ever`)
	p.golden("permission")
	if s := p.tmux("capture-pane", "-p", "-e"); regexp.MustCompile(`\x1b\[[\d;]*3[1-7]m`).MatchString(s) {
		t.Errorf("there are colours: %q", s)
	}
	p.until(`\[r\]`)
	p.untilAnswered("a", `44 tokens`)
	p.golden("answered")
	p.keys("C-d")
	p.until(`^mm has ended`)
}

// TestWindowEnds: whatever ends mm, the shell gets its terminal back as it was.
func TestWindowEnds(t *testing.T) {
	for name, end := range map[string]func(*pane, int){
		"quit":    func(p *pane, _ int) { p.types("/quit"); p.keys("Enter") },
		"ctrl-d":  func(p *pane, _ int) { p.keys("C-d") },
		"SIGTERM": func(_ *pane, pid int) { _ = syscall.Kill(pid, syscall.SIGTERM) },
		"SIGHUP":  func(_ *pane, pid int) { _ = syscall.Kill(pid, syscall.SIGHUP) },
		"SIGKILL": func(_ *pane, pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) },
		"SIGABRT": func(_ *pane, pid int) { _ = syscall.Kill(pid, syscall.SIGABRT) }, // as a crash does
	} {
		t.Run(name, func(t *testing.T) {
			p, pid := inShell(t)
			end(p, pid)
			p.asBefore()
			// The shell's prompt may have gone with the screen, or be above the end of a crash's text.
			prompt := regexp.MustCompile(`(?m)^\$ *\z`)
			if screen, ok := p.eventually(func() string { p.keys("Enter"); return p.screen() }, prompt.MatchString); !ok {
				t.Fatalf("there is no prompt:\n%s", screen)
			}
			p.types("stty -a >after; cmp before after && echo same settings")
			p.keys("Enter")
			p.until(`^same settings`)
		})
	}
}

// inShell starts the window from a shell, with a process of its own.
func inShell(t *testing.T) (p *pane, pid int) {
	t.Helper()
	dir := folder(t, windowTeam())
	p = openPane(t, "window", 80, 24, fmt.Sprintf("cd '%s' && env 'PS1=$ ' bash --norc --noprofile -i", dir))
	p.until(`^\$ *$`)
	p.types("stty -a >before; (echo $BASHPID >pid; " + tui(t, dir) + ")")
	p.keys("Enter")
	p.until(`^> *$`)
	text, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return p, pid
}

// TestWindowSuspend: Ctrl-Z gives the shell its terminal; fg goes on where mm was.
func TestWindowSuspend(t *testing.T) {
	p, _ := inShell(t)
	p.types("a draft")
	p.until(`^> a draft`)
	p.keys("C-z")
	p.until(`Stopped`)
	p.asBefore()
	p.types("stty -a >after; cmp before after && echo same settings")
	p.keys("Enter")
	p.until(`^same settings`)
	p.types("fg")
	p.keys("Enter")
	p.until(`^> a draft`)
	p.types(" goes on")
	p.until(`^> a draft goes on`)
	p.keys("C-c", "C-d")
	p.asBefore()
}
