//go:build linux || darwin

package lsp_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/internal/proc"
)

// The test binary also plays the guard of the servers it runs, and one of the servers. After the
// tests it says which real servers there were.
func TestMain(m *testing.M) {
	proc.Main()
	if len(os.Args) == 3 && os.Args[1] == fakeArg {
		playFake(os.Args[2])
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		fmt.Println(summary())
		os.Exit(code)
	}))
}

// summary says in one line which servers were tested and which weren't.
func summary() string {
	var there, missing []string
	for _, r := range reals() {
		if _, err := exec.LookPath(r.command); err != nil {
			missing = append(missing, r.name+" ("+r.install+")")
			continue
		}
		there = append(there, r.name)
	}
	s := fmt.Sprintf("lsp servers: %d of %d tested: %s", len(there), len(reals()), strings.Join(there, ", "))
	if len(missing) > 0 {
		s += "; SKIPPED, not on the PATH: " + strings.Join(missing, "; ")
	}
	return s
}
