package proc

import (
	"os"
	"syscall"
)

func self() (string, error) { return os.Executable() }

// dieWithParent has no counterpart here.
func dieWithParent(*syscall.SysProcAttr) {}

// adopt has no counterpart here: a daemon that has lost its parent isn't found.
func adopt() {}

// variable isn't needed here, since nothing is adopted.
func variable(int, string) string { return "" }
