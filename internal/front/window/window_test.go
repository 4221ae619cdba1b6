package window

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

const echo = `
- when: {user: "^run (.*)"}
  reply: [{call: {name: bash, arguments: {command: $1}}}]
- when: {user: "^ask (.*)"}
  reply:
    - call:
        name: ask_user
        arguments:
          questions:
            - {question: "Which colour?", type: choice, options: [red, green, blue], default: green}
            - {question: "Which toys?", type: multi, options: [car, doll]}
            - {question: "Sure?", type: confirm}
            - {question: "Your name?", type: text, default: bob}
- when: {user: "(?s)(.*)"}
  reply: "You said **$1**."
- when: {tool: "(?s)(.*)"}
  reply: "It said: $1"
`

func TestAnswer(t *testing.T) {
	p := sit(t, 80, 24, "", echo)
	p.shows("mm · script @ scripted", "yolo: on", "F1 keys")
	p.say("hello")
	p.until(`^You said hello\.$`)
	p.shows("┃ hello")
	p.until(`^0\.\d s · `)
	p.until(`context \d+/8,192`)
}

func TestPermission(t *testing.T) {
	p := sit(t, 80, 24, "yolo: false", echo)
	p.say("run echo hi")
	p.until(`^🔐 bash: echo hi$`)
	p.shows("[a] allow once  [s] allow for the session  [r] reject  [n] never in this session", "‣ bash echo hi  … waiting for your answer")
	p.wait(time.Second)
	p.keys("x") // no answer
	p.shows("a s r n answer", "🔐 bash: echo hi")
	p.keys("a")
	p.hides("🔐")
	p.until(`^It said: hi$`)
	p.shows("‣ bash echo hi  ✓")
	for key, want := range map[string]string{"r": `^It said: \[command rejected by the user\]$`, "n": `^It said: \[command rejected by the user\]$`} {
		p := sit(t, 80, 24, "yolo: false", echo)
		p.say("run echo hi")
		p.until(`^🔐 bash: echo hi$`)
		p.wait(time.Second)
		p.keys(key)
		p.until(want)
		p.shows("✗ rejected by the user")
	}
}

// TestTypingIsNoAnswer: what is typed when a question appears goes on into the input.
func TestTypingIsNoAnswer(t *testing.T) {
	p := sit(t, 80, 24, "yolo: false", echo)
	p.say("run echo hi")
	p.until(`^🔐 bash: echo hi$`)
	p.wait(200 * time.Millisecond)
	p.types("a")
	p.shows("🔐 bash: echo hi", "> a", "Tab answers the question")
	p.wait(5 * time.Second)
	p.types("sr") // a text is begun: letters belong to it
	p.shows("🔐 bash: echo hi", "> asr")
	p.keys("tab", "s") // but not at once
	p.shows("🔐 bash: echo hi", "> asrs")
	p.keys("tab")
	p.wait(time.Second)
	p.keys("r")
	p.until(`rejected by the user`)
	p.shows("> asrs")
}

func TestADraftKeepsTheFocus(t *testing.T) {
	p := sit(t, 80, 24, "yolo: false", echo)
	p.types("run echo hi")
	p.keys("enter")
	p.types("and the")
	p.until(`^🔐 bash: echo hi$`)
	p.wait(5 * time.Second)
	p.types("n answer")
	p.shows("🔐 bash: echo hi", "> and then answer")
	p.keys("enter") // a new question cancels the turn, and with it the permission
	p.until(`^\[cancelled\]$`)
	p.until(`^You said and then answer\.$`)
	p.hides("🔐")
}

func TestEscAndAbortCancel(t *testing.T) {
	for _, cancel := range []func(*person){
		func(p *person) { p.keys("esc") },
		func(p *person) { p.keys("ctrl+c") },
		func(p *person) { p.keys("tab"); p.say("/abort") },
	} {
		p := sit(t, 80, 24, "yolo: false", echo)
		p.say("run echo hi")
		p.until(`^🔐 bash: echo hi$`)
		p.wait(time.Second)
		cancel(p)
		p.until(`^\[cancelled\]$`)
		p.hides("🔐")
		p.say("and now?")
		p.until(`^You said and now\?\.$`)
	}
}

func TestQuit(t *testing.T) {
	for name, end := range map[string]func(*person){
		"ctrl+d":       func(p *person) { p.keys("ctrl+d") },
		"/quit":        func(p *person) { p.say("/quit") },
		"ctrl+c twice": func(p *person) { p.keys("ctrl+c"); p.shows("Ctrl-C again"); p.keys("ctrl+c") },
	} {
		p := sit(t, 80, 24, "", echo)
		if end(p); !p.quit {
			t.Errorf("%s doesn't end mm", name)
		}
	}
	p := sit(t, 80, 24, "", echo)
	p.keys("ctrl+c")
	p.wait(2 * time.Second)
	p.keys("ctrl+c")
	p.types("text")
	p.keys("home", "ctrl+d")
	if p.quit {
		t.Error("ended too early")
	}
	p.shows("> ext")
}

func TestForm(t *testing.T) {
	p := sit(t, 80, 24, "", echo)
	p.say("ask me")
	p.until(`^❓ Which colour\? \(1/4\)$`)
	p.shows("  1. red\n❯ 2. green\n  3. blue", "… waiting for your answer")
	p.keys("3") // not yet
	p.shows("Which colour?")
	p.wait(time.Second)
	p.keys("down", "enter")
	p.shows("❓ Which toys? (2/4)", "❯ [ ] car\n  [ ] doll")
	p.keys("enter", "down", "space")
	p.shows("  [ ] car\n❯ [x] doll")
	p.keys("enter")
	p.shows("❓ Sure? (3/4)", "❯ Yes\n  No")
	p.keys("n")
	p.shows("❓ Your name? (4/4)\n> bob")
	p.keys("backspace", "backspace", "backspace")
	p.types("ann")
	p.keys("enter")
	p.until(`^• Your name\? → ann$`)
	p.shows("• Which colour? → blue", "• Which toys? → doll", "• Sure? → no", "> 3") // the early key went to the input
}

func TestFormDeclined(t *testing.T) {
	p := sit(t, 80, 24, "", echo)
	p.say("ask me")
	p.until(`^❓ Which colour\?`)
	p.wait(time.Second)
	p.keys("esc")
	p.until(`It said: \[the user declined to answer`)
}

func TestFormWithdrawn(t *testing.T) {
	p := sit(t, 80, 24, "", echo)
	p.say("ask me")
	p.until(`^❓ Which colour\?`)
	p.keys("ctrl+c")
	p.until(`^\[cancelled\]$`)
	p.hides("❓ Which")
}

func TestInput(t *testing.T) {
	p := sit(t, 40, 12, "", echo)
	p.say("first")
	p.until(`^You said first\.`)
	p.say("second")
	p.until(`^You said second\.`)
	p.types("draft")
	p.keys("up")
	p.shows("> second")
	p.keys("up", "up")
	p.shows("> first")
	p.keys("down", "down")
	p.shows("> draft")
	p.types(` \`)
	p.keys("enter")
	p.types("line two")
	p.keys("alt+enter")
	p.types("line three")
	p.shows("> draft\n  line two\n  line three")
	p.keys("ctrl+u", "backspace", "ctrl+w")
	p.shows("> draft\n  line")
	p.keys("ctrl+u", "backspace", "ctrl+u")
	p.keys("ctrl+y")
	p.shows("> draft")
}

func TestCompletion(t *testing.T) {
	p := sit(t, 60, 16, "", echo)
	p.types("/perm")
	p.keys("tab")
	p.shows("> /permissions")
	p.types("f")
	p.keys("tab")
	p.shows("> /permissions forget all")
	p.keys("ctrl+c")
	p.hides("> /perm")
	p.types("/s")
	p.keys("tab")
	p.shows("/sessions", "/skills", "/skip", "list the conv", "> /s\n")
	p.keys("tab", "tab", "up")
	p.shows("> /sk")
	p.keys("esc")
	p.hides("/sessions")
	p.keys("ctrl+c")
	if err := os.Mkdir(filepath.Join(p.m.o.Cwd, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.types("look into fo")
	p.keys("tab")
	p.shows("> look into folder/")
	p.keys("tab")
	p.shows("nothing to complete")
}

func TestHistoryIsKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history")
	for range 2 {
		i := newInput(file)
		i.key(tea.KeyPressMsg(keyOf("up")))
		i.buf.Insert("once more")
		if _, ok := i.enter(); !ok {
			t.Fatal("nothing was entered")
		}
	}
	i := newInput(file)
	i.recall(1)
	if got := i.buf.Text(); got != "once moreonce more" {
		t.Errorf("%q", got)
	}
}

func TestPasteOfAMegabyte(t *testing.T) {
	for name, text := range map[string]string{
		"lines": strings.Repeat("a line of text \x1b[31m\n", 100_000),
		"line":  strings.Repeat("0123456789abcdef", 1<<20/16),
	} {
		p := sit(t, 80, 24, "", "- reply: \"thanks\"")
		begun := time.Now()
		p.send(tea.PasteMsg{Content: text})
		p.screen()
		p.types("x")
		t.Logf("%s: %v", name, time.Since(begun))
		p.keys("home")
		p.screen()
		p.keys("enter")
		p.until(`^thanks$`)
		p.shows("┃ ▸ 1")
		p.hides("\x1b[31m")
	}
}

func TestCommands(t *testing.T) {
	p := sit(t, 80, 30, "yolo: false", echo)
	p.say("/help")
	p.until(`^/abort`)
	p.say("/permisions")
	p.until(`unknown command /permisions — did you mean /permissions\?`)
	p.say("/abort")
	p.shows("nothing runs")
	p.say("/new")
	p.until(`^new conversation`)
}

func TestQuestionBesideATurn(t *testing.T) {
	p := sit(t, 80, 24, "yolo: false", echo)
	p.say("run echo hi")
	p.until(`^🔐 bash: echo hi$`)
	p.keys("tab")
	p.say("/permissions") // doesn't disturb the turn
	p.until(`^waits since`)
	p.shows("🔐 bash: echo hi")
}

func TestHelpAndTalk(t *testing.T) {
	p := sit(t, 80, 24, "", echo)
	p.keys("f1")
	p.shows("Everywhere", "Ctrl-J")
	p.keys("pgdown", "pgdown")
	p.hides("Ctrl-J")
	p.keys("esc")
	p.hides("Everywhere")
	p.say(strings.Repeat("long ", 200))
	p.idle()
	p.keys("ctrl+o")
	p.shows("in the conversation", "? keys")
	p.keys("g")
	p.shows("mm test · script")
	p.keys("/")
	p.types("you said")
	p.shows("/you said")
	p.keys("enter")
	p.shows("1 found")
	p.keys("esc", "esc")
	p.hides("in the conversation")
	p.keys("ctrl+o", "y")
	p.shows("copied")
}

func TestMouse(t *testing.T) {
	p := sit(t, 80, 24, "yolo: false", "- when: {user: .}\n  reply: [{call: {name: bash, arguments: {command: seq 30}}}]\n- reply: counted\n")
	p.say("go")
	p.until(`^🔐`)
	p.wait(time.Second)
	row := func(text string) int {
		for i, l := range strings.Split(p.screen(), "\n") {
			if strings.Contains(l, text) {
				return i
			}
		}
		t.Fatalf("%q isn't shown:\n%s", text, p.screen())
		return 0
	}
	p.send(tea.MouseClickMsg{X: 20, Y: row("[a] allow once"), Button: tea.MouseLeft}) // [s]
	p.until(`▸ 30 lines`)
	at := row("▸ 30 lines")
	p.send(tea.MouseClickMsg{X: 3, Y: at, Button: tea.MouseLeft})
	p.send(tea.MouseReleaseMsg{X: 3, Y: at})
	p.shows("▾ 30 lines")
	p.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	p.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	p.say("/permissions")
	p.until(`allowed in this session: bash`)
}

// TestSizes: nothing breaks at any size, with a question, a form, a list of keys.
func TestSizes(t *testing.T) {
	p := sit(t, 80, 24, "yolo: false", echo)
	p.say("run echo one && echo two && echo three && echo four")
	p.until(`^🔐`)
	p.wait(time.Second)
	sizes := func() {
		for _, w := range []int{16, 20, 40, 80, 99, 100, 200} {
			for _, h := range []int{4, 5, 6, 8, 9, 10, 24, 60} {
				p.send(tea.WindowSizeMsg{Width: w, Height: h})
				p.screen()
			}
		}
		for _, s := range [][2]int{{1, 1}, {15, 3}, {200, 2}} {
			p.send(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
			p.m.View()
		}
		p.send(tea.WindowSizeMsg{Width: 20, Height: 6})
	}
	sizes()
	p.shows("[a]once [s]ession\n[r]eject [n]ever", "🔐 bash: echo one")
	p.keys("f1")
	sizes()
	p.keys("esc", "a")
	p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	p.until(`^It said`)
	p.say("ask me")
	p.until(`^❓`)
	sizes()
	p.shows("❯")
}
