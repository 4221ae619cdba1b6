package proc

import (
	"os"
	"syscall"
)

func self() (string, error) { return os.Executable() }

// dieWithParent has no counterpart here.
func dieWithParent(*syscall.SysProcAttr) {}
