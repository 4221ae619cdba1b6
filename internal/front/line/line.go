// Package line is line mode: a banner, a prompt, answers as they come, questions answered by
// typing. It only draws and reads; what a line means is decided by engine.Session.
//
// One goroutine, Run's, owns the state: which turn runs, which question waits. Events are printed
// by the turn's goroutines through one printer.
package line

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/tty"
	"github.com/mini-me/mm/internal/ui"
)

// Options are the streams of line mode.
type Options struct {
	In  io.Reader
	Out io.Writer
	// Terminal says that a person types at In: input is read while a turn runs. Otherwise lines
	// are taken one at a time, each after the turn before has ended, and shown as they are taken.
	Terminal bool
	// Colour allows escape sequences for dimmed and coloured text.
	Colour bool
	// Interrupts has an entry for each Ctrl-C.
	Interrupts <-chan struct{}
	// Ending is called when the end begins, before the running turn has ended; may be nil.
	Ending func()
	// Resume is the saved session to go on with, "" for a new one; then Cwd may be "".
	Resume  string
	Cwd     string
	Preview int // lines of a tool result that are shown
	// TTY is the terminal in raw mode, for the editor: keys come from it, and what is shown goes to
	// it. Where it is nil, lines are read from In and written to Out as they are.
	TTY *tty.TTY
	// History is the file of what was typed, "" for none. Only for the editor.
	History string
	Now     func() time.Time
}

// front is line mode at work.
type front struct {
	o       Options
	out     *printer
	session *engine.Session
	input   *input
	typing  *typing      // nil without the editor
	asks    chan *waiter // questions come
	gone    chan *waiter // and are withdrawn

	// Run's own:
	waiting  *waiter
	cancel   context.CancelFunc // of the running turn, nil when idle
	stopped  bool               // it was cancelled
	done     chan engine.Done   // its end
	next     []string           // lines that wait for the turn to end
	side     chan engine.Done   // the end of commands beside a turn
	aside    int                // how many of them are at work
	endAside context.CancelFunc // ends them
	lastStop time.Time
	quitting bool
}

// Run is line mode until the input ends, /quit, a second Ctrl-C, or the end of ctx.
func Run(ctx context.Context, e *engine.Engine, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	f := &front{o: o, out: newPrinter(o), asks: make(chan *waiter), gone: make(chan *waiter), done: make(chan engine.Done, 1), side: make(chan engine.Done), endAside: func() {}}
	var err error
	f.session, err = e.StartSession(o.Resume, engine.SessionOptions{CanSwitch: true, Cwd: o.Cwd, Sink: f.out, Asker: f, Questioner: f, Commands: []engine.Command{
		{Name: "abort", Help: "stop the running turn"},
		{Name: "skip", Help: "decline to answer a question"},
		{Name: "quit", Help: "end mm"},
	}})
	if err != nil {
		return err
	}
	defer func() { f.session.Close() }()
	f.out.banner(e)
	if o.Resume != "" {
		f.out.resumed(f.session)
	}
	if o.TTY != nil {
		f.input, f.typing = &input{}, f.newTyping()
		defer f.typing.close()
		defer f.out.leave()
	} else {
		f.input = readLines(o.In)
	}
	return f.loop(ctx)
}

func (f *front) loop(ctx context.Context) error {
	f.out.prompt()
	for !f.quitting || f.cancel != nil || f.aside > 0 {
		f.redraw()
		select {
		case b, ok := <-f.typed():
			f.take(ctx, b, ok)
		case <-f.resizes(): // drawn anew above
		case <-f.ticks():
			f.out.spin()
		case d := <-f.side:
			f.aside--
			f.besides(d)
		case line, ok := <-f.lines():
			f.line(ctx, line, ok)
		case q := <-f.asks:
			f.typedBefore(ctx)
			f.waiting = q
			f.asking()
			q.show(f.out)
			if f.input.ended {
				f.answer("") // end of input rejects
			}
		case q := <-f.gone:
			if f.waiting == q {
				f.waiting = nil
				f.out.withdrawn()
				f.asked()
			}
		case d := <-f.done:
			f.ended(ctx, d)
		case <-f.o.Interrupts:
			f.interrupt()
		case <-ctx.Done():
			f.quit()
			ctx = context.WithoutCancel(ctx) // the turn is ending; wait for it
		}
	}
	return nil
}

// lines is where the next line comes from; nil while none may be taken.
func (f *front) lines() <-chan string {
	if f.input.ended || f.quitting {
		return nil
	}
	if f.o.Terminal || f.waiting != nil || f.cancel == nil {
		return f.input.lines
	}
	return nil
}

// typedBefore takes what a person had typed before a question is shown: it isn't meant for it, and may be
// the answer to one that was withdrawn. Piped input is written ahead on purpose.
func (f *front) typedBefore(ctx context.Context) {
	if !f.o.Terminal || f.quitting {
		return
	}
	select {
	case b, ok := <-f.typed():
		f.take(ctx, b, ok)
	case line, ok := <-f.lines():
		f.line(ctx, line, ok)
	default:
	}
}

// line takes one line of input, or its end.
func (f *front) line(ctx context.Context, line string, ok bool) {
	if !ok {
		f.input.ended = true
		if f.waiting != nil {
			f.answer("")
		}
		if f.o.Terminal {
			f.quit()
		}
		f.quitting = true // piped input ends after its last turn
		return
	}
	f.out.typed(line, f.waiting != nil)
	name, _, command := engine.Parse(line)
	switch {
	case command && name == "quit":
		f.quit()
	case command && name == "abort":
		if f.cancel == nil || f.stopped {
			f.out.say("nothing runs")
			f.out.prompt()
		}
		f.stop()
	case command && name == "skip":
		f.skip()
	case f.waiting != nil && !command:
		f.answer(line)
	case strings.TrimSpace(line) == "":
		if f.cancel == nil {
			f.out.prompt()
		}
	case f.cancel == nil:
		f.start(ctx, line)
	case lateAnswer(line):
		f.out.say(fmt.Sprintf("%q answers nothing: no question waits", strings.TrimSpace(line)))
	case f.session.StartsTurn(line):
		f.next = []string{line} // a new question cancels the running turn
		f.stop()
	default:
		f.beside(ctx, line)
	}
}

// lateAnswer reports whether a line is the letter of an answer to a permission question. While a turn runs
// it was meant for one that is gone, or hasn't come: as a new question it would cancel the turn.
func lateAnswer(line string) bool {
	_, known := consent.ParseAnswer(line)
	return known && utf8.RuneCountInString(strings.TrimSpace(line)) == 1
}

// beside carries out a command while a turn runs; its end arrives at f.side.
func (f *front) beside(ctx context.Context, line string) {
	s := f.session
	f.aside++
	ctx, cancel := context.WithCancel(ctx)
	before := f.endAside
	f.endAside = func() { before(); cancel() }
	go func() {
		defer cancel()
		f.side <- s.Do(ctx, line)
	}()
}

// besides shows what a command had to say that was carried out while a turn runs.
func (f *front) besides(d engine.Done) {
	f.out.done(d)
	if f.waiting != nil {
		f.waiting.show(f.out)
	}
	if f.cancel == nil {
		f.out.prompt()
	}
}

// skip is /skip: it declines the question that waits.
func (f *front) skip() {
	switch {
	case f.waiting == nil:
		f.out.say("nothing to skip")
		if f.cancel == nil {
			f.out.prompt()
		}
	case f.waiting.skip():
		f.settle()
	default:
		f.waiting.show(f.out)
	}
}

// start carries out a line in a goroutine of its own; its end arrives at f.done.
func (f *front) start(ctx context.Context, line string) {
	turn, cancel := context.WithCancel(ctx)
	f.cancel, f.stopped = cancel, false
	if f.typing != nil {
		f.typing.tick.Reset(spinEvery)
	}
	s := f.session
	go func() { f.done <- s.Do(turn, line) }()
}

func (f *front) ended(ctx context.Context, d engine.Done) {
	f.cancel()
	f.cancel = nil
	if f.typing != nil {
		f.typing.tick.Stop()
	}
	f.out.done(d)
	if d.Session != nil {
		f.session.Close()
		f.session = d.Session
		f.out.resumed(f.session)
	}
	if len(f.next) > 0 && !f.quitting {
		line := f.next[0]
		f.next = nil
		f.start(ctx, line)
		return
	}
	if !f.quitting {
		f.out.prompt()
	}
}

// stop cancels the running turn, if there is one.
func (f *front) stop() {
	if f.cancel != nil {
		f.cancel()
		f.stopped = true
	}
}

// quit ends line mode once the running turn, which is cancelled, has ended.
func (f *front) quit() {
	f.stop()
	f.endAside()
	f.quitting = true
	if f.o.Ending != nil {
		f.o.Ending()
	}
}

// interrupt is Ctrl-C: it cancels the turn; twice within a second it quits.
func (f *front) interrupt() {
	now := f.o.Now()
	if !f.lastStop.IsZero() && now.Sub(f.lastStop) < time.Second {
		f.quit()
		return
	}
	f.lastStop = now
	if f.cancel == nil {
		f.out.hint("(Ctrl-C again, Ctrl-D or /quit ends mm)")
		f.out.prompt()
		return
	}
	f.next = nil
	f.stop()
}

// answer takes a line for what waits; where it doesn't settle it, it is shown again.
func (f *front) answer(line string) {
	if f.waiting.take(line, f.input.ended) {
		f.settle()
		return
	}
	f.waiting.show(f.out)
}

// settle lets the one who waits go on.
func (f *front) settle() {
	close(f.waiting.settled)
	f.waiting = nil
	f.out.answered()
	f.asked()
}

// title is what a question is about: "jan · bash: make test".
func title(q *consent.Question) string {
	parts := append(q.Path(), q.Tool)
	text := ui.CleanLine(strings.Join(parts, " · ")) + ": " + ui.CleanTitle(q.Title)
	if n, of := q.Place(); of > 1 {
		text += fmt.Sprintf("  (%d of %d)", n, of)
	}
	return text
}
