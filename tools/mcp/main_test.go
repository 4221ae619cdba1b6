package mcp_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/internal/proc"
)

// The test binary also plays the guard of the servers it runs, and those servers.
func TestMain(m *testing.M) {
	proc.Main()
	if mode := os.Getenv("MCP_FAKE"); mode != "" {
		playServer(mode)
		return
	}
	goleak.VerifyTestMain(m)
}
