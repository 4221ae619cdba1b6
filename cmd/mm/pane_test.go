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
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/mmtest"
)

// pane is a terminal in tmux, with a person at the keys.
type pane struct {
	t      *testing.T
	socket string
	width  int
	height int
	kept   string // the folder in testdata with its screens
}

// openPane runs a command in tmux. Without tmux the test is skipped.
func openPane(t *testing.T, kept string, width, height int, command string) *pane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux isn't installed: journeys in a terminal are played in it (apt install tmux)")
	}
	p := &pane{t: t, socket: filepath.Join(t.TempDir(), "s"), width: width, height: height, kept: kept}
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

func (p *pane) keys(names ...string) {
	p.t.Helper()
	p.tmux(append([]string{"send-keys"}, names...)...)
}

func (p *pane) types(text string) {
	p.t.Helper()
	p.tmux("send-keys", "-l", text)
}

// pastes pastes a text as a terminal does, with the marks of a bracketed paste.
func (p *pane) pastes(text string) {
	p.t.Helper()
	p.tmux("set-buffer", text)
	p.tmux("paste-buffer", "-p", "-r")
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
	for end := time.Now().Add(mmtest.Patience); ; <-tick.C {
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
	lasting = regexp.MustCompile(`^([⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] [^·]+?) · \d+ s$`) // which is shown after a while
	blanks  = regexp.MustCompile(`  +`)
	release = regexp.MustCompile(`^mm \d\S*`)
)

// still is the screen without what changes with time alone.
func (p *pane) still() string {
	lines := strings.Split(p.screen(), "\n")
	for i, l := range lines {
		l = lasting.ReplaceAllString(l, "$1")
		if n := spinner.ReplaceAllString(clocks.ReplaceAllString(l, "# s"), "*"); n != l {
			l = blanks.ReplaceAllString(n, "  ")
		}
		lines[i] = release.ReplaceAllString(strings.TrimRight(l, " "), "mm #")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

// golden compares the screen with what is kept in testdata; MM_UPDATE=1 writes it.
func (p *pane) golden(name string) {
	p.t.Helper()
	file := filepath.Join("testdata", p.kept, fmt.Sprintf("%s.%dx%d.txt", name, p.width, p.height))
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
	got, ok := p.eventually(p.still, func(s string) bool { return s == string(want) || p.movedUp(s, string(want)) })
	if !ok {
		p.t.Errorf("%s (-want +got):\n%s", file, cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")))
	}
}

// movedUp reports whether a screen is the kept one but for a line or two that have gone at its top: a spinner
// that was there for a moment, below, needed their room.
func (p *pane) movedUp(got, want string) bool {
	gone, ok := strings.CutSuffix(want, "\n"+got)
	return ok && p.kept == "line" && strings.Count(gone, "\n") < 2
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

// untilAnswered presses a key once the question that is shown takes keys, and waits for the pattern.
func (p *pane) untilAnswered(key, pattern string) {
	p.t.Helper()
	time.Sleep(time.Second) // as long as a person takes to read; before that no key counts
	p.keys(key)
	p.until(pattern)
}
