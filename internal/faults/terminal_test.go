//go:build linux

package faults

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mini-me/mm/internal/mmtest"
)

// terminal is mm in a pseudo-terminal, of which the settings are looked at.
type terminal struct {
	*mmtest.Terminal
	t      testing.TB
	person *os.File // the person's end
	before unix.Termios
	hungUp bool
}

// terminal starts mm in a terminal that only shows what is printed, a line after the other: what
// is said can be read from it as it comes.
func (h *house) terminal(args ...string) *terminal {
	h.t.Helper()
	return h.open("dumb", args...)
}

// screen starts mm in a terminal with all a terminal can do, which mm uses.
func (h *house) screen(args ...string) *terminal {
	h.t.Helper()
	return h.open("xterm-256color", args...)
}

func (h *house) open(term string, args ...string) *terminal {
	h.t.Helper()
	x := &terminal{t: h.t}
	cmd := h.command(args...)
	cmd.Env = append(cmd.Env, "TERM="+term)
	x.Terminal = mmtest.Open(h.t, cmd, func(person *os.File) {
		x.person = person
		x.before = x.settings()
	})
	return x
}

// settings are those of the terminal now; the person's end has them, too (ioctl_tty(2)).
func (x *terminal) settings() unix.Termios {
	x.t.Helper()
	raw, err := x.person.SyscallConn()
	if err != nil {
		x.t.Fatal(err)
	}
	var s *unix.Termios
	if control := raw.Control(func(fd uintptr) { s, err = unix.IoctlGetTermios(int(fd), unix.TCGETS) }); control != nil || err != nil {
		x.t.Fatal(control, err)
	}
	return *s
}

// asBefore checks that the terminal is as it was before mm was started, as soon as nothing of mm may
// be left.
func (x *terminal) asBefore() {
	x.t.Helper()
	if x.hungUp {
		return // there is no terminal any more
	}
	for limit := time.Now().Add(mmtest.Promised); x.settings() != x.before; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(limit) {
			x.t.Errorf("the terminal's settings were %+v and are %+v", x.before, x.settings())
			return
		}
	}
}

// hangUp closes the terminal, as the window of a terminal emulator does.
func (x *terminal) hangUp() {
	x.t.Helper()
	x.hungUp = true
	x.HangUp()
}
