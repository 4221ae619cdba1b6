package window

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"

	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/ui"
)

// terminal is a terminal in memory that the whole program runs in.
type terminal struct {
	t      *testing.T
	keys   *io.PipeWriter
	cancel context.CancelFunc
	ended  chan error

	mu      sync.Mutex
	screen  *vt.Emulator // guarded by mu
	raw     bytes.Buffer // guarded by mu
	changed chan struct{}
}

func (x *terminal) Write(b []byte) (int, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.raw.Write(b)
	_, _ = x.screen.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))) // as a terminal's settings do
	select {
	case x.changed <- struct{}{}:
	default:
	}
	return len(b), nil
}

// run runs the window as mm does.
func run(t *testing.T, e *engine.Engine, width, height int, before func(*model)) *terminal {
	t.Helper()
	x := &terminal{t: t, screen: vt.NewEmulator(width, height), changed: make(chan struct{}, 1), ended: make(chan error, 1)}
	go func() { _, _ = io.Copy(io.Discard, x.screen) }() // what the terminal answers
	in, keys := io.Pipe()
	x.keys = keys
	ctx, cancel := context.WithCancel(context.Background())
	x.cancel = cancel
	o := Options{In: in, Out: x, Env: []string{"TERM=xterm-256color"}, Colour: true, Cwd: t.TempDir(), Width: width, Height: height, testOnlyBefore: before}
	go func() { x.ended <- Run(ctx, e, o) }()
	t.Cleanup(func() {
		cancel()
		_ = keys.Close()
		_ = x.screen.InputPipe().(io.Closer).Close()
	})
	return x
}

func (x *terminal) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.String()
}

func (x *terminal) until(text string) {
	x.t.Helper()
	limit := time.After(patience)
	for !strings.Contains(x.text(), text) {
		select {
		case <-x.changed:
		case <-limit:
			x.t.Fatalf("%q isn't shown:\n%s", text, x.text())
		}
	}
}

func (x *terminal) types(text string) {
	x.t.Helper()
	if _, err := io.WriteString(x.keys, text); err != nil {
		x.t.Fatal(err)
	}
}

// end waits for the end, and checks that the terminal is put back.
func (x *terminal) end() error {
	x.t.Helper()
	var err error
	select {
	case err = <-x.ended:
	case <-time.After(patience):
		x.t.Fatal("the window doesn't end")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.screen.IsAltScreen() || x.screen.CursorHidden() {
		x.t.Error("the terminal isn't put back")
	}
	for _, off := range []string{"\x1b[?2004l", "\x1b[?1002l", "\x1b[?1006l", "\x1b[?1049l"} {
		if !bytes.Contains(x.raw.Bytes(), []byte(off)) {
			x.t.Errorf("%q was never written", off)
		}
	}
	return err
}

func TestProgram(t *testing.T) {
	x := run(t, testEngine(t, "", echo), 80, 24, nil)
	x.until("F1 keys")
	x.types("hello\r")
	x.until("You said hello.")
	x.types("\x1b[200~" + strings.Repeat("pasted text\n", 1<<20/12) + "\x1b[201~")
	x.until("> pasted text\n  pasted text")
	x.types("!\r")
	x.until("┃ ▸ 8738")
	x.types("/quit\r")
	if err := x.end(); err != nil {
		t.Error(err)
	}
}

// TestEndOfContext is a signal: the window ends in order, with no error of its own.
func TestEndOfContext(t *testing.T) {
	x := run(t, testEngine(t, "", "- when: {user: .}\n  reply: [{text: begun}, {delay: 60s}]\n"), 80, 24, nil)
	x.until("F1 keys")
	x.types("go\r")
	x.until("begun")
	x.cancel()
	if err := x.end(); err != nil {
		t.Error(err)
	}
}

// TestPanicOfTheWindow: the terminal is put back, and mm ends with an error.
func TestPanicOfTheWindow(t *testing.T) {
	stderr := os.Stderr
	os.Stderr, _ = os.Open(os.DevNull) // bubbletea tells the panic there
	defer func() { os.Stderr = stderr }()
	var q *queue
	x := run(t, testEngine(t, "", echo), 80, 24, func(m *model) { q = m.run.queue })
	x.until("F1 keys")
	q.put((*asking)(nil)) // nothing that the window could show
	if err := x.end(); err == nil || !strings.Contains(err.Error(), "panic") {
		t.Errorf("%v", err)
	}
}

// TestPanicOfATurn comes out of Run once the terminal is put back.
func TestPanicOfATurn(t *testing.T) {
	e := testEngine(t, "", echo)
	in, keys := io.Pipe()
	defer func() { _ = keys.Close() }()
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "nil pointer") {
			t.Errorf("recovered %v", r)
		}
	}()
	_ = Run(t.Context(), e, Options{In: in, Out: io.Discard, Cwd: t.TempDir(), Width: 80, Height: 24,
		testOnlyBefore: func(m *model) { m.run.do(m.run.ctx, nil, "x", true) }})
}

func TestQueueHoldsUpAFloodAndLetsGoAtTheEnd(t *testing.T) {
	q := newQueue()
	sent := make(chan int, 1)
	go func() {
		for i := range 3 * full {
			q.Emit(ui.Notice{Text: fmt.Sprint(i)})
		}
		sent <- 3 * full
	}()
	got := 0
	for got < full {
		<-q.wake
		got += len(q.take())
	}
	select {
	case <-sent:
		t.Error("nothing was held up")
	default:
	}
	q.close()
	<-sent
	if q.put(tick{}) {
		t.Error("the queue takes items after its end")
	}
	if r := q.AskUser(t.Context(), ui.Form{}); r.State != ui.Withdrawn {
		t.Errorf("%+v", r)
	}
}

func TestTextsAreJoined(t *testing.T) {
	q := newQueue()
	for range 1000 {
		q.Emit(ui.Text{Message: "1", Text: "a"})
	}
	q.Emit(ui.Text{Message: "2", Text: "b"})
	q.Emit(ui.Thought{Message: "2", Text: "c"})
	q.Emit(ui.Thought{Message: "2", Text: "d"})
	items := q.take()
	if len(items) != 3 || len(items[0].(ui.Text).Text) != 1000 || items[2].(ui.Thought).Text != "cd" {
		t.Errorf("%d items", len(items))
	}
}
