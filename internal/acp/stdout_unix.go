//go:build unix

package acp

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// PrivateStdout moves the real standard output to a descriptor of its own, which children don't
// inherit, and lets descriptor 1 point at standard error, so that nothing that prints, in this
// process or below, gets between the frames. It returns the file to write frames to. It is for
// main, once, before anything starts.
func PrivateStdout() (*os.File, error) {
	fd, err := unix.FcntlInt(1, unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("keeping stdout for the protocol: %w", err)
	}
	if err := unix.Dup2(2, 1); err != nil {
		_ = unix.Close(fd)
		return nil, fmt.Errorf("pointing stdout at stderr: %w", err)
	}
	return os.NewFile(uintptr(fd), "stdout"), nil
}
