package mmtest

import (
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"
)

// Run makes a package's builds, runs its tests, and looks for goroutines that they left. It returns the
// exit status for TestMain.
func Run(m *testing.M, builds **Builds) int {
	b, err := NewBuilds()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer b.Remove()
	*builds = b
	status := m.Run()
	if status == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	return status
}
