//go:build linux || darwin

package tty

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"syscall"

	"golang.org/x/sys/unix"
)

// guardName is how a guard is told from an mm.
const guardName = "mm-tty-guard"

// order is what mm tells its guard at the start: the settings before, and those that it made.
type order struct{ Before, Raw unix.Termios }

// What mm tells its guard after that, a byte each time.
const (
	free = 'f' // the terminal was put back: by Suspend, or for good
	held = 'h' // it is in raw mode again
	full = 'w' // so it is, and all of its screen is used
)

// guard is the process that puts the terminal back when mm can't.
type guard struct {
	cmd   *exec.Cmd
	pipe  io.WriteCloser
	crash *os.File // what the runtime says when mm crashes
}

// crashFD is where the guard reads that.
const crashFD = 3

// settings reads those of a terminal.
func settings(f *os.File) (unix.Termios, error) {
	s, err := unix.IoctlGetTermios(int(f.Fd()), getSettings)
	if err != nil {
		return unix.Termios{}, err
	}
	return *s, nil
}

// startGuard starts a guard of a terminal that is in raw mode now.
func startGuard(executable string, in *os.File, before unix.Termios) (*guard, error) {
	raw, err := settings(in)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(order{before, raw})
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(executable)
	cmd.Args[0] = guardName
	cmd.Stdout = in // the terminal
	// A group of its own: what ends mm's group doesn't end the guard.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	crashes, crash, err := narrowPipe()
	if err != nil {
		return nil, err
	}
	defer func() { _ = crashes.Close() }()
	cmd.ExtraFiles = []*os.File{crashes}
	if err := cmd.Start(); err != nil {
		_ = crash.Close()
		return nil, err
	}
	g := &guard{cmd, pipe, crash}
	if _, err := pipe.Write(append(text, '\n')); err != nil {
		g.dismiss()
		return nil, err
	}
	return g, nil
}

// narrowPipe returns two ends of a pipe that takes no more than a few small writes before somebody
// reads: a crash that is told there can't end before the guard has put the terminal back.
func narrowPipe() (r, w *os.File, err error) {
	syscall.ForkLock.RLock() // until both are closed on exec
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		unix.CloseOnExec(fds[0])
		unix.CloseOnExec(fds[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, nil, err
	}
	_ = unix.SetsockoptInt(fds[1], unix.SOL_SOCKET, unix.SO_SNDBUF, 1) // the least there is
	return os.NewFile(uintptr(fds[0]), "crashes"), os.NewFile(uintptr(fds[1]), "crash"), nil
}

// tell tells the guard in which state the terminal is.
func (g *guard) tell(raw, fullScreen bool) {
	state := byte(free)
	switch {
	case raw && fullScreen:
		state = full
		// On the whole screen nobody would see it: it is gone with the screen.
		_ = debug.SetCrashOutput(g.crash, debug.CrashOptions{})
	case raw:
		state = held
	}
	_, _ = g.pipe.Write([]byte{state})
}

// dismiss ends the guard and waits for it.
func (g *guard) dismiss() {
	g.tell(false, false)
	_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	_ = g.crash.Close()
	_ = g.pipe.Close()
	_ = g.cmd.Wait()
}

// Main is the guard's work, in a process that was started as one; in others it does nothing.
func Main() {
	if len(os.Args) == 0 || os.Args[0] != guardName {
		return
	}
	// SIGTTOU would stop whoever changes a terminal from behind.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGTSTP, syscall.SIGTTOU)
	(&watcher{state: held}).watch()
	os.Exit(0)
}
