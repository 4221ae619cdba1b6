package acp

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// PrivateStdout moves the real standard output to a handle of its own, which children don't
// inherit, and makes standard error this process's standard output, so that nothing that prints
// gets between the frames. It returns the file to write frames to. It is for main, once, before
// anything starts.
func PrivateStdout() (*os.File, error) {
	self := windows.CurrentProcess()
	var own windows.Handle
	err := windows.DuplicateHandle(self, windows.Handle(os.Stdout.Fd()), self, &own, 0, false, windows.DUPLICATE_SAME_ACCESS)
	if err != nil {
		return nil, fmt.Errorf("keeping stdout for the protocol: %w", err)
	}
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		_ = windows.CloseHandle(own)
		return nil, fmt.Errorf("pointing stdout at stderr: %w", err)
	}
	os.Stdout = os.Stderr
	return os.NewFile(uintptr(own), "stdout"), nil
}
