//go:build linux || darwin

package tty

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// guardName is how a guard is told from an mm.
const guardName = "mm-tty-guard"

// order is what mm tells its guard at the start: the settings before, and those that it made.
type order struct{ Before, Raw unix.Termios }

// free is what mm tells its guard at the end: the terminal was put back.
const free = 'f'

// guard is the process that puts the terminal back when mm can't.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

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
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &guard{cmd, pipe}
	if _, err := pipe.Write(append(text, '\n')); err != nil {
		g.dismiss()
		return nil, err
	}
	return g, nil
}

// dismiss ends the guard and waits for it.
func (g *guard) dismiss() {
	_, _ = g.pipe.Write([]byte{free})
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
	said, _ := io.ReadAll(io.LimitReader(os.Stdin, 64<<10)) // until mm ends
	var o order
	if n := len(said); n > 0 && said[n-1] != free && json.Unmarshal(said, &o) == nil {
		putBack(os.Stdout, o)
	}
	os.Exit(0)
}

// putBack puts a terminal back, unless somebody else has changed it since: a shell may already read
// its next line.
func putBack(tty *os.File, o order) {
	if now, err := settings(tty); err != nil || now != o.Raw {
		return
	}
	_, _ = io.WriteString(tty, "\r\n"+leave)
	_ = unix.IoctlSetTermios(int(tty.Fd()), setSettings, &o.Before)
}
