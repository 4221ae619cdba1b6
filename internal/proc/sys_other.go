//go:build !linux && !darwin

package proc

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// guards says that this system has none: processes end with End and Kill only.
const guards = false

// Main does nothing here.
func Main() {}

func self() (string, error) { return os.Executable() }

func ownSession() *syscall.SysProcAttr { return nil }

// There are no signals that hold a process here.
const (
	stopSignal = syscall.SIGTERM
	contSignal = syscall.SIGTERM
)

// sendSignal isn't called here, since no family has members; End kills the process itself.
func sendSignal(int, syscall.Signal) {}

// foldEnv returns the name under which a variable is told from others: Windows ignores case.
func foldEnv(name string) string { return strings.ToUpper(name) }

func onPath(name, _ string) (string, error) {
	path, err := exec.LookPath(name)
	if errors.Is(err, exec.ErrDot) {
		return "", exec.ErrNotFound
	}
	return path, err
}

// link to a guard: there are none here.
type link struct{}

func (*link) hold()                      {}
func (*link) close()                     {}
func (*link) status() (Exit, bool, bool) { return Exit{}, false, false }

func (s *starter) launchGuarded(*Process, string, []string, *os.ProcAttr) error {
	return errors.ErrUnsupported
}

// variable isn't called here.
func variable(int, string) string { return "" }
