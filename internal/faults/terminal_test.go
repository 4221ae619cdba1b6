//go:build linux

package faults

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/mini-me/mm/internal/mmtest"
)

// terminal is mm in a pseudo-terminal, with a person at the keys.
type terminal struct {
	t       testing.TB
	cmd     *exec.Cmd
	pty     *os.File // the person's end
	tty     *os.File // mm's end, kept open to look at its settings
	before  unix.Termios
	hungUp  bool
	done    chan struct{} // mm has ended
	reading chan struct{} // closed when nothing more is read

	mu      sync.Mutex
	paused  chan struct{} // guarded by mu: nothing is read until it is closed
	raw     []byte        // guarded by mu: what was shown and isn't in seen yet
	seen    []byte        // guarded by mu: what was shown, without escape sequences
	from    int           // guarded by mu: how much of it was expected already
	changed chan struct{} // closed and replaced when seen grows or ends
	ended   bool          // guarded by mu
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
	t := h.t
	t.Helper()
	x := &terminal{t: t, cmd: h.command(args...), changed: make(chan struct{}), done: make(chan struct{}), reading: make(chan struct{})}
	var err error
	if x.pty, x.tty, err = pty.Open(); err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(x.pty, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	x.pty = pollable(t, x.pty)
	x.before = x.settings()
	x.cmd.Env = append(x.cmd.Env, "TERM="+term)
	x.cmd.Stdin, x.cmd.Stdout, x.cmd.Stderr = x.tty, x.tty, x.tty
	x.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := x.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go x.read()
	go func() {
		_ = x.cmd.Wait()
		close(x.done)
	}()
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		<-x.done
		x.resume()
		_ = x.tty.Close()
		_ = x.pty.Close()
		<-x.reading
		if t.Failed() {
			t.Logf("the terminal showed:\n%s", clip(x.screen()))
		}
	})
	return x
}

// pollable gives a file of which Close ends a Read that blocks: Fd, which pty calls, made the other
// one block for good.
func pollable(t testing.TB, f *os.File) *os.File {
	t.Helper()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "pty")
}

// settings are those of the terminal now.
func (x *terminal) settings() unix.Termios {
	x.t.Helper()
	s, err := unix.IoctlGetTermios(int(x.tty.Fd()), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
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
	if err := x.pty.Close(); err != nil {
		x.t.Fatal(err)
	}
}

func (x *terminal) read() {
	defer close(x.reading)
	buf := make([]byte, 32<<10)
	for {
		x.mu.Lock()
		paused := x.paused
		x.mu.Unlock()
		if paused != nil {
			<-paused
		}
		n, err := x.pty.Read(buf)
		x.mu.Lock()
		x.raw = append(x.raw, buf[:n]...)
		var text []byte
		text, x.raw = plain(x.raw)
		x.seen = append(x.seen, text...)
		x.ended = err != nil
		close(x.changed)
		x.changed = make(chan struct{})
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// plain is what was shown without escape sequences; a jump to the beginning of a line begins another
// one. rest is what may go on.
func plain(b []byte) (text, rest []byte) {
	if i := bytes.LastIndexAny(b, "\x1b\r"); i >= 0 && (b[i] == '\r' && i == len(b)-1 || b[i] == 0x1b && !sequence.Match(b[i:])) {
		b, rest = b[:i], append([]byte(nil), b[i:]...)
	}
	b = sequence.ReplaceAll(b, nil)
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(b, []byte("\r"), []byte("\n")), rest
}

var sequence = regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]`)

// pause lets the terminal show nothing more, so that mm's writes block.
func (x *terminal) pause() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.paused == nil {
		x.paused = make(chan struct{})
	}
}

// resume lets it go on.
func (x *terminal) resume() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.paused != nil {
		close(x.paused)
		x.paused = nil
	}
}

func (x *terminal) screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.seen)
}

// expect waits until the pattern is shown, after what was expected before.
func (x *terminal) expect(pattern string) string {
	x.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	limit := time.NewTimer(mmtest.Patience)
	defer limit.Stop()
	for begin := -1; ; {
		x.mu.Lock()
		begin = max(begin, x.from)
		at := re.FindIndex(x.seen[begin:])
		changed, ended := x.changed, x.ended
		if at != nil {
			found := string(x.seen[begin+at[0] : begin+at[1]])
			x.from = begin + at[1]
			x.mu.Unlock()
			return found
		}
		// What was looked at needn't be again, but for a line that goes on.
		begin = max(begin, bytes.LastIndexByte(x.seen[:max(0, len(x.seen)-4096)], '\n')+1)
		x.mu.Unlock()
		if ended {
			x.t.Fatalf("mm ended without showing %q", pattern)
		}
		select {
		case <-changed:
		case <-limit.C:
			_ = x.cmd.Process.Signal(syscall.SIGQUIT) // where it hangs
			<-x.done
			x.t.Fatalf("%q isn't shown", pattern)
		}
	}
}

func (x *terminal) keys(format string, args ...any) {
	x.t.Helper()
	if _, err := fmt.Fprintf(x.pty, format, args...); err != nil {
		x.t.Fatal(err)
	}
}

// exits waits for the end and checks the exit status; -1 means by a signal.
func (x *terminal) exits(status int) {
	x.t.Helper()
	select {
	case <-x.done:
	case <-time.After(mmtest.Patience):
		x.t.Fatal("mm doesn't end")
	}
	if got := x.cmd.ProcessState.ExitCode(); got != status {
		x.t.Errorf("exit status %d, want %d", got, status)
	}
}
