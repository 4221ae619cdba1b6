package lsp_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/internal/proc"
)

// The test binary also plays the guard of the servers it runs.
func TestMain(m *testing.M) {
	proc.Main()
	goleak.VerifyTestMain(m)
}
