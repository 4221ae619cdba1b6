//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// tmux is mm in a real terminal emulator.
type tmux struct {
	t      *testing.T
	socket string
	golden string // folder of the screens
}

// openTmux starts mm in a tmux of its own.
func openTmux(t *testing.T, dir, golden string, columns, rows int) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux isn't installed: the screens can't be looked at")
	}
	x := &tmux{t: t, socket: filepath.Join(t.TempDir(), "s"), golden: golden}
	self, err := os.Executable() // /proc/self/exe would be the shell here
	if err != nil {
		t.Fatal(err)
	}
	// The terminal stays open after mm, to see what it leaves.
	script := filepath.Join(dir, "start.sh")
	text := fmt.Sprintf("#!/bin/sh\ncd '%[1]s'\nHOME='%[1]s' MM_TEST_MAIN=1 '%[2]s'\necho ended $?\nstty -a | grep -o -e ' icanon' -e ' -icanon'\nexec sleep 300\n", dir, self)
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	x.run("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(columns), "-y", fmt.Sprint(rows), script)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", x.socket, "kill-server").Run() })
	return x
}

func (x *tmux) run(args ...string) string {
	x.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %v: %v: %s", args, err, out)
	}
	return string(out)
}

// keys presses keys, as tmux names them; text is typed as it is.
func (x *tmux) keys(keys ...string) { x.run(append([]string{"send-keys"}, keys...)...) }

func (x *tmux) text(s string) { x.run("send-keys", "-l", s) }

func (x *tmux) paste(s string) {
	x.run("set-buffer", s)
	x.run("paste-buffer", "-p", "-r")
}

// shown is the screen without what differs from run to run.
func (x *tmux) shown() string {
	s := x.run("capture-pane", "-p")
	s = regexp.MustCompile(`\d+\.\d s`).ReplaceAllString(s, "T s")
	s = regexp.MustCompile(` · \d+ s\b`).ReplaceAllString(s, "")
	s = regexp.MustCompile("["+spinnerFrames+"]").ReplaceAllString(s, "*")
	var lines []string
	for l := range strings.Lines(s) {
		lines = append(lines, strings.TrimRight(l, " \n"))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
}

const spinnerFrames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

// wait waits until the screen matches a pattern.
func (x *tmux) wait(pattern string) {
	x.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	limit := time.Now().Add(patience)
	for !re.MatchString(x.shown()) {
		if time.Now().After(limit) {
			x.t.Fatalf("%q isn't shown:\n%s", pattern, x.shown())
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// screen compares the screen with what was kept, once it matches the pattern. MM_UPDATE keeps it.
func (x *tmux) screen(name, pattern string) {
	x.t.Helper()
	x.wait(pattern)
	path := filepath.Join("testdata", "screen", x.golden, name+".txt")
	if os.Getenv("MM_UPDATE") != "" {
		time.Sleep(time.Second) // until nothing moves any more
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			x.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(x.shown()), 0o644); err != nil {
			x.t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		x.t.Fatal(err)
	}
	// What came last may still be being drawn.
	limit := time.Now().Add(patience)
	for x.shown() != string(want) {
		if time.Now().After(limit) {
			x.t.Fatalf("%s: the screen is\n%s\nwant\n%s", name, x.shown(), want)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// screenFiles is an agent that writes Markdown, takes its time, and runs a command.
func screenFiles() map[string]string {
	return map[string]string{
		"mm.yaml":  "provider: scripted\nscript: s.yaml\nyolo: false\ninstructions: You are a test.\nmmConfigs: {jan: {path: jan.yaml, description: reviews code}}\n",
		"jan.yaml": "provider: scripted\nscript: s.yaml\n",
		"s.yaml": `
- when: {user: "^show"}
  reply:
    - text: "# A heading\n\nText with **bold**, ` + "`code`" + ` and 日本語, 👍 and שלום in a paragraph that wraps.\n\n- one\n- two\n\n` + "```go\\nfunc main() {\\n\\tprintln(\\\"hi\\\") // say\\n}\\n```" + `\n\n| a | b |\n|---|---|\n| 1 | 日本 |\n\nEnd.\n"
- when: {user: "^slow"}
  reply: [{text: "The first "}, {text: "words of an "}, {delay: 300s}, {text: "answer"}]
- when: {user: "^think"}
  reply: [{delay: 300s}]
- when: {user: "^run (.*)"}
  reply: [{call: {name: bash, arguments: {command: "$1"}}}]
- when: {tool: "(?s)(.*)"}
  reply: "It printed: $1"
- reply: "You said it."
`,
	}
}

// TestScreens is a person at a terminal: types, completes, pastes, cancels, answers a permission,
// resizes, quits. The screens are in testdata/screen.
func TestScreens(t *testing.T) {
	for _, columns := range []int{80, 40, 20} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			x := openTmux(t, folder(t, screenFiles()), fmt.Sprint(columns), columns, 30)
			x.screen("start", `^>$`)
			x.text("/ag")
			x.keys("Tab")
			x.screen("complete", `^> /agents$`)
			x.keys("C-u")
			x.text("/ask")
			x.keys("Tab", "Tab", "Tab")
			x.screen("menu", `^❯ /ask-jan`)
			x.keys("C-u")
			x.text("show me")
			x.keys("Enter")
			x.screen("markdown", `End\.\n(.*\n)+>$`)
			x.paste("first line\nsecond 日本語 line\n\tthird")
			x.screen("paste", `third$`)
			x.keys("Enter")
			x.screen("pasted", `You said it\.\n(.*\n)+>$`)
			x.text("slow")
			x.keys("Enter")
			x.wait(`^The first words of`)
			x.text("typed meanwhile")
			x.screen("meanwhile", `meanwhile$`)
			x.keys("C-c")
			x.screen("cancelled", `^\[cancelled\]\n(.*\n)+> typed`)
			x.keys("C-u")
			x.text("think")
			x.keys("Enter")
			x.screen("thinking", `^\* Thinking$`)
			x.text("/abort")
			x.keys("Enter")
			x.wait(`\[cancelled\]\n.*\n>$`)
			x.text("run echo hi")
			x.keys("Enter")
			x.screen("question", `^🔐 bash: echo hi`)
			x.run("resize-window", "-x", fmt.Sprint(columns+13))
			x.screen("wider", `^🔐 bash: echo hi`)
			x.run("resize-window", "-x", fmt.Sprint(columns))
			x.screen("narrower", `^🔐 bash: echo hi`)
			x.text("s")
			x.keys("Enter")
			x.screen("answered", `^It printed: hi\n(.*\n)+>$`)
			x.keys("C-r")
			x.text("sl")
			x.screen("search", `^search: sl`)
			x.keys("Escape")
			x.wait(`^>$`)
			x.keys("C-d")
			x.screen("quit", `icanon`)
		})
	}
}
