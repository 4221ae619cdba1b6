package window

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/consent"
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

func TestHistoryIsSearched(t *testing.T) {
	p := sit(t, 60, 16, "", echo)
	for _, line := range []string{"first apple", "a pear", "second Apple"} {
		p.say(line)
		p.idle()
	}
	p.keys("ctrl+r")
	p.types("apple")
	p.shows("search: apple  →  second Apple")
	p.keys("ctrl+r")
	p.shows("search: apple  →  first apple")
	p.keys("enter")
	p.shows("> first apple")
	p.keys("ctrl+r")
	p.types("pear")
	p.keys("left")
	p.types("!")
	p.shows("> a pea!r")
	p.keys("ctrl+r", "esc")
	p.shows("> a pea!r")
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

// TestSeveralQuestions: they come one at a time, with how many wait; one answer for the session is for
// all under the same key.
func TestSeveralQuestions(t *testing.T) {
	p := sit(t, 80, 24, "yolo: false", echo)
	decided := make(chan consent.Decision, 3)
	for i := range 3 {
		r := consent.Request{Call: consent.Call{ID: fmt.Sprint(i), Agent: "jan", Tool: "bash", Title: fmt.Sprintf("make target%d", i)}, Asks: consent.UnlessYolo}
		if i == 1 {
			r.Tool = "edit_file"
		}
		go func() { decided <- p.m.session.Gate().Decide(p.m.run.ctx, r) }()
		for len(p.m.session.Gate().Open()) != i+1 {
			time.Sleep(time.Millisecond)
		}
	}
	p.until(`^🔐 jan · bash: make target0 +1 of 3$`)
	p.wait(time.Second)
	p.keys("s")
	if d := <-decided; !d.Allow || d.By != consent.ByUser {
		t.Errorf("%+v", d)
	}
	if d := <-decided; !d.Allow || d.By != consent.ByMemory {
		t.Errorf("%+v", d)
	}
	p.until(`^🔐 jan · edit_file: make target1$`)
	p.keys("a") // meant for the one before: it is no answer yet
	p.shows("🔐 jan · edit_file")
	p.keys("ctrl+c", "tab")
	p.wait(time.Second)
	p.keys("n")
	if d := <-decided; d.Allow {
		t.Errorf("%+v", d)
	}
}

// TestQuestionShowsAll: what will run in full, with the arguments that the title doesn't tell.
func TestQuestionShowsAll(t *testing.T) {
	p := sit(t, 40, 16, "yolo: false", echo)
	old := "one\n"
	for _, c := range []struct {
		call consent.Call
		want []string
	}{
		{consent.Call{Tool: "bash", Title: "echo first &&\necho second \x1b[8m", Input: []byte(`{"command":"echo first &&\necho second \u001b[8m"}`)},
			[]string{"🔐 bash: echo first && …", "  echo first &&\n  echo second ␛[8m"}},
		{consent.Call{Tool: "ask_agent", Title: "jan — do it", Input: []byte(`{"agent":"jan","prompt":"do it\nall of it","n":3}`)},
			[]string{"🔐 ask_agent: jan — do it\n  prompt: do it\n  all of it\n  n: 3"}},
		{consent.Call{Tool: "edit_file", Title: "a.txt", Diffs: []consent.Diff{{Path: p.m.session.Cwd() + "/a.txt", Old: &old, New: "two\n"}}, Input: []byte(`{"edits":[]}`)},
			[]string{"  --- a.txt\n  +++ a.txt\n  @@ -1 +1 @@\n  -one\n  +two"}},
		{consent.Call{Tool: "bash", Title: strings.Repeat("echo a long command; ", 40)}, []string{"↓ ", "more lines"}},
	} {
		ctx, cancel := context.WithCancel(p.m.run.ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.m.session.Gate().Decide(ctx, consent.Request{Call: c.call, Asks: consent.UnlessYolo})
		}()
		p.until(`^🔐`)
		p.shows(c.want...)
		for range 30 {
			p.keys("down")
		}
		p.hides("↓ ")
		cancel()
		<-done
		for p.m.zone != nil {
			<-p.q.wake
			p.send(p.q.take())
		}
	}
}

func TestResume(t *testing.T) {
	p := sit(t, 80, 24, "", echo)
	p.say("hello")
	p.until(`^You said hello\.$`)
	p.idle()
	p.say("/new")
	id := regexp.MustCompile(`is kept: /resume (\w+)`).FindStringSubmatch(p.until(`is kept: /resume \w+`))[1]
	p.idle()
	p.say("other")
	p.until(`^You said other\.$`)
	p.idle()
	p.say("/resume " + id)
	p.until(`goes on: hello`)
	p.idle()
	p.shows("┃ hello", "You said hello.")
	p.say("again")
	p.until(`^You said again\.$`)
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
