//go:build unix

package mmtest

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
)

// Terminal is a command in a pseudo-terminal of 24 lines with 100 columns, with a person at the keys.
type Terminal struct {
	// Cmd is the command that runs.
	Cmd *exec.Cmd
	// Done is closed when it has ended.
	Done chan struct{}

	t       testing.TB
	pty     *os.File      // the person's end
	reading chan struct{} // closed when nothing more is read

	mu      sync.Mutex
	paused  chan struct{} // guarded by mu: nothing is read until it is closed
	raw     []byte        // guarded by mu: what was shown and isn't in seen yet
	seen    []byte        // guarded by mu: what was shown, see plain
	from    int           // guarded by mu: how much of it was expected already
	changed chan struct{} // closed and replaced when seen grows or ends
	ended   bool          // guarded by mu
}

// Open makes a terminal. before, if given, is called with the person's end before the command starts.
func Open(t testing.TB, cmd *exec.Cmd, before ...func(*os.File)) *Terminal {
	t.Helper()
	x := &Terminal{Cmd: cmd, Done: make(chan struct{}), t: t, reading: make(chan struct{}), changed: make(chan struct{})}
	person, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tty.Close() }()
	if err := pty.Setsize(person, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	x.pty = pollable(t, person)
	for _, f := range before {
		f(x.pty)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		_ = x.pty.Close()
		t.Fatal(err)
	}
	go x.read()
	go func() {
		_ = cmd.Wait()
		close(x.Done)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-x.Done
		x.Resume()
		_ = x.pty.Close()
		<-x.reading
		if t.Failed() {
			t.Logf("the terminal showed:\n%s", Clip(x.Screen()))
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

func (x *Terminal) read() {
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

// Pause lets the terminal show nothing more, so that the command's writes block.
func (x *Terminal) Pause() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.paused == nil {
		x.paused = make(chan struct{})
	}
}

// Resume lets it go on.
func (x *Terminal) Resume() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.paused != nil {
		close(x.paused)
		x.paused = nil
	}
}

// HangUp closes the terminal, as the window of a terminal emulator does.
func (x *Terminal) HangUp() {
	x.t.Helper()
	if err := x.pty.Close(); err != nil {
		x.t.Fatal(err)
	}
}

// Screen is all that was shown, without escape sequences.
func (x *Terminal) Screen() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(x.seen)
}

// Expect waits until the pattern (in which ^ and $ are a line's ends) is shown after what was expected
// before, and returns what it matches.
func (x *Terminal) Expect(pattern string) string {
	x.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	limit := time.NewTimer(Patience)
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
			_ = x.Cmd.Process.Signal(syscall.SIGQUIT) // where it hangs
			<-x.Done
			x.t.Fatalf("%q isn't shown", pattern)
		}
	}
}

// Keys types.
func (x *Terminal) Keys(format string, args ...any) {
	x.t.Helper()
	if _, err := fmt.Fprintf(x.pty, format, args...); err != nil {
		x.t.Fatal(err)
	}
}

// Exits waits for the end and checks the exit status; -1 means by a signal.
func (x *Terminal) Exits(status int) {
	x.t.Helper()
	select {
	case <-x.Done:
	case <-time.After(Patience):
		x.t.Fatal("mm doesn't end")
	}
	if got := x.Cmd.ProcessState.ExitCode(); got != status {
		x.t.Errorf("exit status %d, want %d", got, status)
	}
}
