package proc

import (
	"bytes"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// self is the running program even if its file was replaced meanwhile: a guard must be of the
// same version as its mm.
func self() (string, error) { return "/proc/self/exe", nil }

// dieWithParent has the kernel kill the process when the thread that started it ends.
func dieWithParent(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }

// adopt makes this process the parent of all orphans below it (PR_SET_CHILD_SUBREAPER), so that also
// what has made itself a daemon is found.
func adopt() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// variable is the value of a variable in the environment that a process was started with, "" when
// there is none or it isn't shown.
func variable(pid int, name string) string {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if value, ok := bytes.CutPrefix(kv, []byte(name+"=")); ok {
			return string(value)
		}
	}
	return ""
}
