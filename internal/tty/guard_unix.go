//go:build linux || darwin

package tty

import (
	"bufio"
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
	crashes, crash, err := os.Pipe()
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
	// All is made ready before mm ends: the shell wakes up at the same time.
	in := bufio.NewReader(os.Stdin)
	text, _ := in.ReadBytes('\n')
	var o order
	if json.Unmarshal(text, &o) != nil {
		os.Exit(0)
	}
	crash := readCrash()
	state := byte(held)
	for {
		b, err := in.ReadByte()
		if err != nil {
			break // mm has ended
		}
		state = b
	}
	if state != free {
		putBack(os.Stdout, o, state == full)
		if text := crash(); state == full && text != "" {
			_, _ = io.WriteString(os.Stdout, text)
		}
	}
	os.Exit(0)
}

// maxCrash bounds what is kept of a crash's text, in bytes.
const maxCrash = 64 << 10

// readCrash begins to read what the runtime says when mm crashes, and returns what waits for it.
func readCrash() (text func() string) {
	f := os.NewFile(crashFD, "crash")
	done := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(io.LimitReader(f, maxCrash))
		done <- string(b)
		_, _ = io.Copy(io.Discard, f)
	}()
	return func() string { return <-done }
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
		_, _ = io.WriteString(tty, "\r\n")
		_ = unix.IoctlSetTermios(int(tty.Fd()), setSettings, &o.Before)
	}
	switch {
	case full:
		_, _ = io.WriteString(tty, leaveFull)
	case now == o.Raw:
		_, _ = io.WriteString(tty, leave)
	}
}
