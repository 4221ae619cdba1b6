// Package tty puts a terminal into raw mode, so that single keys can be read, and sees to it that the
// terminal is as before after any end of mm: Close puts it back, and where Close never comes (a
// crash, os.Exit, kill -9) a guard does. The guard is this program started again, which only waits
// for its pipe to mm to close. Main must be called first thing in main.
package tty

import (
	"os"
	"sync"

	"golang.org/x/term"
)

// leave turns off what a front end may have turned on: bracketed paste, a hidden cursor, colours, and
// lines that don't wrap.
const leave = "\x1b[?2004l\x1b[?25h\x1b[?7h\x1b[m"

// leaveFull turns off what a front end that uses the whole screen may have turned on as well: keys that
// are told apart in more ways (each screen has its own), mouse, focus, wide characters counted in
// another way, the alternate screen.
const leaveFull = "\x1b[>4m\x1b[<u\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2027l\x1b[?1049l" + leave

// TTY is a terminal in raw mode.
type TTY struct {
	In, Out *os.File

	mu     sync.Mutex
	before *term.State // guarded by mu
	raw    bool        // guarded by mu
	full   bool        // guarded by mu: the front end uses the whole screen
	guard  *guard      // guarded by mu; nil where there is none
}

// Open puts the terminal of in into raw mode. executable is this program, for the guard; "" does
// without. The caller closes it.
func Open(in, out *os.File, executable string) (*TTY, error) {
	t := &TTY{In: in, Out: out}
	was, err := settings(in)
	if err != nil {
		return nil, err
	}
	if t.before, err = term.GetState(int(in.Fd())); err != nil {
		return nil, err
	}
	if err := t.Resume(); err != nil {
		return nil, err
	}
	if executable != "" {
		// Without a guard all works but the end by kill -9.
		t.guard, _ = startGuard(executable, in, was)
	}
	return t, nil
}

// Resume puts the terminal into raw mode again after Suspend.
func (t *TTY) Resume() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.raw {
		return nil
	}
	_, err := term.MakeRaw(int(t.In.Fd()))
	t.raw = err == nil
	t.tellLocked()
	return err
}

// FullScreen says that the front end is going to use the whole screen.
func (t *TTY) FullScreen() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.full = true
	t.tellLocked()
}

// tellLocked tells the guard what there is to put back.
func (t *TTY) tellLocked() {
	if t.guard != nil {
		t.guard.tell(t.raw, t.full)
	}
}

// Suspend puts the terminal back for as long as another program has it.
func (t *TTY) Suspend() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.raw {
		return nil
	}
	t.raw = false
	err := term.Restore(int(t.In.Fd()), t.before)
	t.tellLocked()
	return err
}

// Close puts the terminal back for good. It can be called several times.
func (t *TTY) Close() error {
	err := t.Suspend()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.guard != nil {
		t.guard.dismiss()
		t.guard = nil
	}
	return err
}

// Size is the terminal's size in cells; 80 by 24 where it doesn't say.
func (t *TTY) Size() (columns, rows int) {
	columns, rows, err := term.GetSize(int(t.Out.Fd()))
	if err != nil || columns <= 0 || rows <= 0 {
		return 80, 24
	}
	return columns, rows
}
