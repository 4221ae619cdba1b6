//go:build linux || darwin

package tty

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// watcher is a guard at work.
type watcher struct {
	line  []byte // the order, as far as it has come
	order *order // nil until it has come
	state byte
	crash int  // how much of what the runtime says while mm crashes was shown, in bytes
	done  bool // the terminal was put back
}

// maxCrash bounds what is shown of a crash's text, in bytes.
const maxCrash = 64 << 10

// watch returns when mm has ended and its terminal is back. What mm has told counts before a crash that
// came after it.
func (w *watcher) watch() {
	fds := []unix.PollFd{{Fd: 0, Events: unix.POLLIN}, {Fd: crashFD, Events: unix.POLLIN}}
	buf := make([]byte, 4096)
	for fds[0].Fd >= 0 || fds[1].Fd >= 0 {
		if _, err := unix.Poll(fds, -1); err != nil && err != unix.EINTR {
			break
		}
		for i := range fds {
			if fds[i].Revents == 0 {
				continue
			}
			n, err := unix.Read(int(fds[i].Fd), buf)
			if n <= 0 && err != unix.EINTR && err != unix.EAGAIN {
				fds[i].Fd = -1 // poll skips it from now on
			}
			w.read(i, buf[:max(n, 0)])
			if i == 0 {
				break // look again before a crash is believed
			}
		}
		if fds[0].Fd < 0 {
			w.end() // mm has ended
		}
	}
}

// giveUpTime is how long a terminal may take what is written to it. One that is paused (Ctrl-S) takes
// nothing, and the guard isn't to outlive mm by more than the rest does.
const giveUpTime = 500 * time.Millisecond

func giveUp() *time.Timer { return time.AfterFunc(giveUpTime, func() { os.Exit(0) }) }

// read takes what came on one of the two.
func (w *watcher) read(from int, b []byte) {
	switch {
	case len(b) == 0:
	case from == 1:
		// The end already. The runtime has to wait until the rest is read, so that the terminal is back
		// before mm has ended: bash takes an exit with a status, as this one, for one that left the
		// settings as they should be.
		w.end()
		w.show(b)
	case w.order != nil:
		w.state = b[len(b)-1]
	default:
		w.line = append(w.line, b...)
		text, states, whole := bytes.Cut(w.line, []byte{'\n'})
		var o order
		if whole && json.Unmarshal(text, &o) == nil {
			w.order = &o
			if n := len(states); n > 0 {
				w.state = states[n-1]
			}
		}
	}
}

// end puts the terminal back, once, if mm hasn't.
func (w *watcher) end() {
	if w.order != nil && w.state != free && !w.done {
		w.done = true
		defer giveUp().Stop()
		putBack(os.Stdout, *w.order, w.state == full)
	}
}

// show shows what the runtime says of a crash, which was lost with the alternate screen: as it comes, so
// that little of it can follow the shell's next prompt.
func (w *watcher) show(crash []byte) {
	if w.state != full || !w.done {
		return
	}
	crash = crash[:min(len(crash), maxCrash-w.crash)]
	w.crash += len(crash)
	defer giveUp().Stop()
	_, _ = os.Stdout.Write(crash)
}

// putBack puts a terminal back, unless somebody else has changed it since: a shell may already read
// its next line. A shell puts the settings back, but doesn't leave the alternate screen or turn the
// mouse off: under bash, a killed window stayed in half of the cases until this was always done.
func putBack(tty *os.File, o order, full bool) {
	now, err := settings(tty)
	if err != nil {
		return
	}
	if now == o.Raw {
		// First, since a terminal that is paused takes settings, but no text.
		_ = unix.IoctlSetTermios(int(tty.Fd()), setSettings, &o.Before)
		_, _ = io.WriteString(tty, "\r\n")
	}
	switch {
	case full:
		_, _ = io.WriteString(tty, leaveFull)
	case now == o.Raw:
		_, _ = io.WriteString(tty, leave)
	}
}
