//go:build linux

package interop

import (
	"os"
	"testing"

	"github.com/mini-me/mm/internal/mmtest"
)

// built belongs to the test process: a build serves all tests.
var built *mmtest.Builds

func TestMain(m *testing.M) { os.Exit(mmtest.Run(m, &built)) }
