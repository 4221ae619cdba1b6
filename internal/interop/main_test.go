//go:build linux

package interop

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/internal/mmtest"
)

// built belongs to the test process: a build serves all tests.
var built *mmtest.Builds

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	var err error
	if built, err = mmtest.NewBuilds(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer built.Remove()
	status := m.Run()
	if status == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	return status
}
