package window

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/engine"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testEngine is an agent on a scripted model: agent is its file, script what the model does.
func testEngine(tb testing.TB, agent, script string) *engine.Engine {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range map[string]string{"mm.yaml": "provider: scripted\nscript: s.yaml\nmodel: script\nsessionsDir: sessions\n" + agent, "s.yaml": script} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	env := agents.Env{Lookup: func(string) (string, bool) { return "", false }, Home: dir, Dir: dir}
	f, err := agents.Load(filepath.Join(dir, "mm.yaml"), env)
	if err != nil {
		tb.Fatal(err)
	}
	e, err := engine.New(engine.Options{File: f, Version: "test", Env: os.Environ(), AgentEnv: env})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(e.Close)
	return e
}

// person is a window without a terminal: a test presses keys, and sees the screen.
type person struct {
	tb   testing.TB
	m    *model
	q    *queue
	now  time.Time
	quit bool
}

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

func sit(tb testing.TB, width, height int, agent, script string) *person {
	tb.Helper()
	p := &person{tb: tb, q: newQueue(), now: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)}
	e := testEngine(tb, agent, script)
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{Now: func() time.Time { return p.now }, Cwd: tb.TempDir()}
	s, err := e.NewSession(engine.SessionOptions{CanSwitch: true, Cwd: o.Cwd, Sink: p.q, Asker: p.q, Questioner: p.q, Commands: commands()})
	if err != nil {
		tb.Fatal(err)
	}
	r := &runner{ctx: ctx, queue: p.q}
	p.m = newModel(e, s, r, o)
	tb.Cleanup(func() {
		cancel()
		p.q.close()
		r.turns.Wait()
		p.m.session.Close()
	})
	p.send(tea.WindowSizeMsg{Width: width, Height: height})
	return p
}

func (p *person) send(msg tea.Msg) {
	if _, cmd := p.m.Update(msg); cmd != nil {
		switch cmd().(type) {
		case tea.QuitMsg:
			p.quit = true
		}
	}
}

// wait lets time pass and the screen be drawn.
func (p *person) wait(d time.Duration) {
	p.now = p.now.Add(d)
	p.send(tick{})
	p.screen()
}

// keys presses keys by their names: "a", "enter", "ctrl+c".
func (p *person) keys(names ...string) {
	for _, n := range names {
		p.send(tea.KeyPressMsg(keyOf(n)))
		p.screen()
	}
}

// types types a text, key by key.
func (p *person) types(text string) {
	for _, r := range text {
		p.send(tea.KeyPressMsg(tea.Key{Code: r, Text: string(r)}))
	}
	p.screen()
}

// say types a line and sends it.
func (p *person) say(line string) {
	p.types(line)
	p.keys("enter")
}

func keyOf(name string) tea.Key {
	k := tea.Key{}
	for {
		mod, rest, ok := strings.Cut(name, "+")
		if !ok || rest == "" {
			break
		}
		switch mod {
		case "ctrl":
			k.Mod |= tea.ModCtrl
		case "alt":
			k.Mod |= tea.ModAlt
		case "shift":
			k.Mod |= tea.ModShift
		}
		name = rest
	}
	codes := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
		"backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "space": tea.KeySpace, "f1": tea.KeyF1,
	}
	if c, ok := codes[name]; ok {
		k.Code = c
		if name == "space" {
			k.Text = " "
		}
		return k
	}
	k.Code = []rune(name)[0]
	if k.Mod&^tea.ModShift == 0 {
		k.Text = name
	}
	return k
}

// screen is what is shown, without styles.
func (p *person) screen() string {
	p.tb.Helper()
	lines := strings.Split(p.m.View().Content, "\n")
	if len(lines) != p.m.height && !p.m.over {
		p.tb.Fatalf("%d lines on a screen of %d:\n%s", len(lines), p.m.height, strings.Join(lines, "\n"))
	}
	for i, l := range lines {
		if w := ansi.StringWidthWc(l); w > p.m.width {
			p.tb.Errorf("line %d has %d cells of %d: %q", i, w, p.m.width, l)
		}
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n")
}

// until takes what the session tells until the screen shows the pattern.
func (p *person) until(pattern string) string {
	p.tb.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		if s := p.screen(); re.MatchString(s) {
			return s
		}
		select {
		case <-p.q.wake:
			p.send(p.q.take())
		case <-limit.C:
			p.tb.Fatalf("%q isn't shown:\n%s", pattern, p.screen())
		}
	}
}

// idle waits until no turn runs.
func (p *person) idle() {
	p.tb.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for p.m.turn.running() {
		select {
		case <-p.q.wake:
			p.send(p.q.take())
		case <-limit.C:
			p.tb.Fatalf("the turn doesn't end:\n%s", p.screen())
		}
	}
}

// shows fails unless the screen shows all the texts.
func (p *person) shows(texts ...string) {
	p.tb.Helper()
	s := p.screen()
	for _, t := range texts {
		if !strings.Contains(s, t) {
			p.tb.Errorf("%q isn't shown:\n%s", t, s)
		}
	}
}

// hides fails if the screen shows one of the texts.
func (p *person) hides(texts ...string) {
	p.tb.Helper()
	s := p.screen()
	for _, t := range texts {
		if strings.Contains(s, t) {
			p.tb.Errorf("%q is shown:\n%s", t, s)
		}
	}
}
