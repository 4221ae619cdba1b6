//go:build !unix

package tty

import (
	"errors"
	"os"
)

// Resized returns a channel that never has an entry: sizes are read when something is drawn.
func Resized() (c <-chan os.Signal, stop func()) { return nil, func() {} }

// Pause isn't possible here.
func Pause() error { return errors.ErrUnsupported }
