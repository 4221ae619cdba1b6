//go:build unix

package hooks_test

import (
	"fmt"
	"os/exec"
	"strings"
)

// pidGone returns an error if the process runs; a zombie that nobody has reaped doesn't.
func pidGone(pid string) error {
	out, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	if state := strings.TrimSpace(string(out)); err == nil && state != "" && state[0] != 'Z' {
		return fmt.Errorf("process %s lives in state %s", pid, state)
	}
	return nil
}
