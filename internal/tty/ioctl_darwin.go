package tty

import "golang.org/x/sys/unix"

const (
	getSettings = unix.TIOCGETA
	setSettings = unix.TIOCSETA
)
