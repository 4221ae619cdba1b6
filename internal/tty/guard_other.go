//go:build !linux && !darwin

package tty

import "os"

// guard: there is none here.
type guard struct{}

func (*guard) dismiss() {}

func (*guard) tell(bool, bool) {}

type termios struct{}

func settings(*os.File) (termios, error) { return termios{}, nil }

func startGuard(string, *os.File, termios) (*guard, error) { return nil, nil }

// Main does nothing here.
func Main() {}
