//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// pane is a terminal in tmux, with a person at the keys.
type pane struct {
	t      *testing.T
	socket string
	width  int
	height int
}

// openPane runs a command in tmux. Without tmux the test is skipped.
func openPane(t *testing.T, width, height int, command string) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux isn't installed: the window's journeys are played in it (apt install tmux)")
	}
	p := &pane{t: t, socket: filepath.Join(t.TempDir(), "s"), width: width, height: height}
	p.tmux("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "("+command+"); echo mm has ended; sleep 300")
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the screen:\n%s", p.screen())
		}
		_ = exec.Command("tmux", "-S", p.socket, "kill-server").Run()
	})
	return p
}

func (p *pane) tmux(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

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

func (p *pane) keys(names ...string) {
	p.t.Helper()
	p.tmux(append([]string{"send-keys"}, names...)...)
}

func (p *pane) types(text string) {
	p.t.Helper()
	p.tmux("send-keys", "-l", text)
}

func (p *pane) screen() string { return p.tmux("capture-pane", "-p") }

func (p *pane) resize(width, height int) {
	p.t.Helper()
	p.tmux("resize-window", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height))
}

// eventually looks until ok, and returns what it saw last.
func (p *pane) eventually(look func() string, ok func(string) bool) (seen string, good bool) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); ; <-tick.C {
		seen = look()
		if ok(seen) {
			return seen, true
		}
		if time.Now().After(end) {
			return seen, false
		}
	}
}

// until waits until the screen shows the pattern.
func (p *pane) until(pattern string) {
	p.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	if _, ok := p.eventually(p.screen, re.MatchString); !ok {
		p.t.Fatalf("%q isn't shown", pattern)
	}
}

var (
	clocks  = regexp.MustCompile(`\d+(\.\d)? s\b`)
	spinner = regexp.MustCompile(`[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]`)
	blanks  = regexp.MustCompile(`  +`)
	release = regexp.MustCompile(`^mm \d\S*`)
)

// still is the screen without what changes with time alone.
func (p *pane) still() string {
	lines := strings.Split(p.screen(), "\n")
	for i, l := range lines {
		if n := spinner.ReplaceAllString(clocks.ReplaceAllString(l, "# s"), "*"); n != l {
			l = blanks.ReplaceAllString(n, "  ")
		}
		lines[i] = release.ReplaceAllString(strings.TrimRight(l, " "), "mm #")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// golden compares the screen with testdata/window; MM_UPDATE=1 writes it.
func (p *pane) golden(name string) {
	p.t.Helper()
	file := filepath.Join("testdata", "window", fmt.Sprintf("%s.%dx%d.txt", name, p.width, p.height))
	if os.Getenv("MM_UPDATE") != "" {
		time.Sleep(time.Second) // for a person who looks at what comes out
		if err := os.WriteFile(file, []byte(p.still()), 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	got, ok := p.eventually(p.still, func(s string) bool { return s == string(want) })
	if !ok {
		p.t.Errorf("%s (-want +got):\n%s", file, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")))
	}
}

// flags are what the terminal is set to: alternate screen, mouse, cursor.
func (p *pane) flags() string {
	return p.tmux("display", "-p", "alternate #{alternate_on} mouse #{mouse_any_flag} cursor #{cursor_flag}")
}

// asBefore fails unless the terminal is as it was.
func (p *pane) asBefore() {
	p.t.Helper()
	if got, ok := p.eventually(p.flags, func(s string) bool { return s == "alternate 0 mouse 0 cursor 1" }); !ok {
		p.t.Errorf("the terminal is left with %s", got)
	}
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
			p := openPane(t, size[0], size[1], tui(t, folder(t, windowTeam())))
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
			p := openPane(t, size[0], size[1], tui(t, dir))
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

// untilAnswered presses a key once the question that is shown takes keys, and waits for the pattern.
func (p *pane) untilAnswered(key, pattern string) {
	p.t.Helper()
	time.Sleep(time.Second) // as long as a person takes to read; before that no key counts
	p.keys(key)
	p.until(pattern)
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
			p := openPane(t, size[0], size[1], tui(t, dir))
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
	p := openPane(t, 20, 6, tui(t, folder(t, windowTeam()), "NO_COLOR=1"))
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
	p = openPane(t, 80, 24, fmt.Sprintf("cd '%s' && env 'PS1=$ ' bash --norc --noprofile -i", dir))
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
