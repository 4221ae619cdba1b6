package line

import (
	"context"
	"io"
	"os"
	"time"

	"github.com/mini-me/mm/internal/front/line/prompt"
	"github.com/mini-me/mm/internal/tty"
)

// typing is the editor at a terminal in raw mode.
type typing struct {
	tty     *tty.TTY
	ed      *prompt.Editor
	keys    prompt.Keys
	read    <-chan []byte    // closed at the end
	resized <-chan os.Signal // an entry for each change of the size
	stop    func()
	tick    *time.Ticker // while a turn runs
	stash   string       // what was typed when a question came, for after it
}

// spinEvery is how often what turns is drawn anew.
const spinEvery = 120 * time.Millisecond

// newTyping begins to read keys.
func (f *front) newTyping() *typing {
	t := &typing{tty: f.o.TTY, read: readKeys(f.o.TTY.In), tick: time.NewTicker(spinEvery)}
	t.tick.Stop()
	t.ed = prompt.New(prompt.OpenHistory(f.o.History), f.complete)
	t.resized, t.stop = tty.Resized()
	_, _ = io.WriteString(t.tty.Out, "\x1b[?2004h") // tell pasted text from typed
	return t
}

// close ends the editor; the terminal is put back by who opened it.
func (t *typing) close() {
	t.stop()
	t.tick.Stop()
	_, _ = io.WriteString(t.tty.Out, "\x1b[?2004l")
}

// readKeys reads in a goroutine that ends with the input, or with the process.
func readKeys(r io.Reader) <-chan []byte {
	c := make(chan []byte)
	go func() {
		defer close(c)
		for {
			b := make([]byte, 32<<10)
			n, err := r.Read(b)
			if n > 0 {
				c <- b[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	return c
}

// The channels of the editor, nil where there is none.

func (f *front) typed() <-chan []byte {
	if f.typing == nil || f.quitting {
		return nil
	}
	return f.typing.read
}

func (f *front) resizes() <-chan os.Signal {
	if f.typing == nil {
		return nil
	}
	return f.typing.resized
}

func (f *front) ticks() <-chan time.Time {
	if f.typing == nil {
		return nil
	}
	return f.typing.tick.C
}

// take carries out the keys of some bytes.
func (f *front) take(ctx context.Context, b []byte, ok bool) {
	if !ok {
		f.line(ctx, "", false)
		return
	}
	f.redraw() // the size may have changed before the keys came
	for _, k := range f.typing.keys.Feed(b) {
		if f.quitting {
			return
		}
		f.key(ctx, k)
	}
}

func (f *front) key(ctx context.Context, k prompt.Key) {
	ed := f.typing.ed
	switch ed.Key(k) {
	case prompt.Submit:
		f.line(ctx, ed.Take(), true)
		f.redraw() // the next key may follow in the same read
	case prompt.End:
		f.line(ctx, "", false)
	case prompt.Interrupt:
		if !ed.Empty() && f.cancel == nil && f.waiting == nil {
			ed.Set("")
			f.lastStop = f.o.Now()
			return
		}
		f.interrupt()
	case prompt.Clear:
		f.out.clear()
	case prompt.Suspend:
		f.suspend()
	}
}

// suspend is Ctrl-Z: the shell gets the terminal until mm goes on.
func (f *front) suspend() {
	f.out.leave()
	_, _ = io.WriteString(f.typing.tty.Out, "\x1b[?2004l")
	if f.typing.tty.Suspend() == nil {
		_ = tty.Pause()
	}
	_ = f.typing.tty.Resume()
	_, _ = io.WriteString(f.typing.tty.Out, "\x1b[?2004h")
}

// asking clears the editor for an answer; what was being typed is for after it.
func (f *front) asking() {
	if f.typing != nil && f.typing.stash == "" {
		f.typing.stash = f.typing.ed.Text()
		f.typing.ed.Set("")
	}
}

// asked gives back what was being typed before a question.
func (f *front) asked() {
	if f.typing == nil {
		return
	}
	if f.typing.ed.Empty() {
		f.typing.ed.Set(f.typing.stash)
	}
	f.typing.stash = ""
}

// redraw shows the editor as it is now.
func (f *front) redraw() {
	if f.typing == nil {
		return
	}
	ask := "> "
	reminder, now := "", false
	if f.waiting != nil {
		ask = f.waiting.prompt()
		reminder, now = f.waiting.reminder()
	}
	f.out.remind(reminder, now)
	f.typing.ed.Answering(f.waiting != nil)
	columns, rows, m := f.out.size()
	f.out.show(ask, f.typing.ed.View(ask, columns, max(1, rows/2), m), f.waiting != nil)
}

// complete is what Tab offers.
func (f *front) complete(before string, first bool) ([]prompt.Candidate, int) {
	list, n := f.session.Complete(before, first)
	out := make([]prompt.Candidate, len(list))
	for i, c := range list {
		out[i] = prompt.Candidate{Text: c.Text, Help: c.Help, Open: c.Open}
	}
	return out, n
}
