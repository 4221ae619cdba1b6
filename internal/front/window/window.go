// Package window is mm on the whole screen: the conversation, the team at work, permission questions
// and forms, and the line that is typed. It only draws and reads; what a line means and what may run
// is decided by engine.Session.
//
// One goroutine, bubbletea's, owns the window: it takes keys and batches of events, and draws. A
// session's goroutines reach it through a queue only (Emit, AskPermission, AskUser). Each part of the
// screen has its own file and plain methods; model routes to them and puts their lines together.
//
// Nothing here runs at the start of mm: the libraries' packages take 0.2 ms in their init, which is
// why neither glamour nor bubbles' textarea is among them (see internal/ui/markdown and edit).
package window

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/tty"
)

// Options are what the window runs in.
type Options struct {
	In  io.Reader // the terminal
	Out io.Writer
	// TTY is the same terminal, in raw mode, with a guard that puts it back after a crash. Nil where
	// there is none: then Ctrl-Z does nothing.
	TTY *tty.TTY
	// History is the file of what was typed, "" for none.
	History string
	Env     []string // of the terminal, as os.Environ has it
	// Colour allows colours.
	Colour bool
	// Resume is the saved session to go on with, "" for a new one; then Cwd may be "".
	Resume string
	Cwd    string
	// Ending is called when the end begins, before the running turn has ended; may be nil.
	Ending func()
	Now    func() time.Time // time.Now when nil
	// Width and Height are the terminal's size where Out can't be asked.
	Width, Height int

	testOnlyBefore func(*model)
}

// Run shows the window until /quit, Ctrl-D, Ctrl-C twice, or the end of ctx. The terminal is as
// before when it returns.
func Run(ctx context.Context, e *engine.Engine, o Options) error {
	if o.Now == nil {
		o.Now = time.Now
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	q := newQueue()
	s, err := e.StartSession(o.Resume, engine.SessionOptions{CanSwitch: true, Cwd: o.Cwd, Sink: q, Asker: q, Questioner: q, Commands: commands(), Changed: func() { q.put(tick{}) }})
	if err != nil {
		return err
	}
	w := &runner{ctx: ctx, queue: q}
	m := newModel(e, s, w, o)
	defer func() { m.session.Close() }()
	if o.Resume != "" {
		m.resumed()
	}
	if o.testOnlyBefore != nil {
		o.testOnlyBefore(m)
	}
	err = w.show(m, o)
	if o.Ending != nil {
		o.Ending()
	}
	cancel()
	q.close()
	w.turns.Wait()
	w.rethrow()
	return err
}

func commands() []engine.Command {
	return []engine.Command{
		{Name: "abort", Help: "stop the running turn"},
		{Name: "skip", Help: "decline to answer a question"},
		{Name: "quit", Help: "end mm"},
	}
}

// runner runs what the window starts.
type runner struct {
	ctx   context.Context
	queue *queue
	turns sync.WaitGroup
	busy  atomic.Bool // something is shown that changes with time

	mu    sync.Mutex
	panic any // guarded by mu: of a turn, thrown again once the terminal is as before
}

// show runs bubbletea's loop and the pump beside it.
func (w *runner) show(m *model, o Options) error {
	opts := []tea.ProgramOption{
		tea.WithContext(w.ctx), tea.WithInput(o.In), tea.WithOutput(o.Out), tea.WithEnvironment(o.Env),
		tea.WithoutSignalHandler(), // cmd/mm watches the signals and ends ctx
	}
	if !o.Colour {
		opts = append(opts, tea.WithColorProfile(colorprofile.Ascii))
	}
	if o.Width > 0 {
		opts = append(opts, tea.WithWindowSize(o.Width, o.Height))
	}
	p := tea.NewProgram(m, opts...)
	pumping, stop := context.WithCancel(w.ctx)
	var pump sync.WaitGroup
	pump.Go(func() { w.queue.pump(pumping, w.busy.Load, func(msg any) { p.Send(msg) }) })
	_, err := p.Run()
	stop()
	pump.Wait()
	if w.ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrProgramPanic) {
		return nil // a signal: cmd/mm knows which
	}
	if err != nil {
		return fmt.Errorf("showing the window: %w", err)
	}
	return nil
}

// lineDone is the end of a line that was carried out.
type lineDone struct {
	done engine.Done
	turn bool
}

// do carries out a line in a goroutine of its own; lineDone tells its end.
func (w *runner) do(ctx context.Context, s *engine.Session, line string, turn bool) {
	w.turns.Go(func() {
		defer w.caught()
		w.queue.put(lineDone{s.Do(ctx, line), turn})
	})
}

// caught keeps a panic of a turn until the terminal is as before, and ends the window.
func (w *runner) caught() {
	r := recover()
	if r == nil {
		return
	}
	w.mu.Lock()
	w.panic = fmt.Sprintf("%v\n\n%s", r, debug.Stack())
	w.mu.Unlock()
	w.queue.put(quit{})
}

func (w *runner) rethrow() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.panic != nil {
		panic(w.panic)
	}
}

// quit asks the window to end.
type quit struct{}
