package proc

import "syscall"

// self is the running program even if its file was replaced meanwhile: a guard must be of the
// same version as its mm.
func self() (string, error) { return "/proc/self/exe", nil }

// dieWithParent has the kernel kill the process when the thread that started it ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
