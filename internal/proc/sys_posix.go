//go:build linux || darwin

package proc

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// guards says that this system has guards.
const guards = true

// ownSession detaches the process from mm's terminal and gives it a process group.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// The signals that hold a process and let it go on.
const (
	stopSignal = syscall.SIGSTOP
	contSignal = syscall.SIGCONT
)

func sendSignal(pid int, s syscall.Signal) { _ = syscall.Kill(pid, s) }

// foldEnv returns the name under which a variable is told from others.
func foldEnv(name string) string { return name }

// onPath returns the first executable of the name in the folders of PATH. Relative folders are
// passed over, as os/exec does: the current folder may be anybody's.
func onPath(name, path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", exec.ErrNotFound
}
