//go:build unix

package tty

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Resized returns a channel that has an entry after the terminal's size has changed, until stop is
// called.
func Resized() (c <-chan os.Signal, stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGWINCH)
	return ch, func() { signal.Stop(ch) }
}

// pauseWait is how long a stop may take to come. Where nobody could let the process go on, the system
// doesn't stop it.
const pauseWait = 200 * time.Millisecond

// Pause stops this process as Ctrl-Z does, and returns when it goes on.
func Pause() error {
	on := make(chan os.Signal, 1)
	signal.Notify(on, syscall.SIGCONT)
	defer signal.Stop(on)
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTSTP); err != nil {
		return err
	}
	select {
	case <-on:
	case <-time.After(pauseWait):
	}
	return nil
}
