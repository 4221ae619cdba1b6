//go:build linux

package faults

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"

	"github.com/mini-me/mm/internal/mmtest"
	"github.com/mini-me/mm/internal/proc"
)

// TestMain lets the test binary be a guard and the misbehaving agent, too.
func TestMain(m *testing.M) {
	proc.Main()
	if behaviour, ok := os.LookupEnv(agentEnv); ok {
		os.Exit(playAgent(behaviour))
	}
	if what, ok := os.LookupEnv(serverEnv); ok {
		os.Exit(playServer(what))
	}
	if mm, ok := os.LookupEnv(starterEnv); ok {
		os.Exit(playStarter(mm))
	}
	status := run(m)
	os.Exit(status)
}

func run(m *testing.M) int {
	// Most tests wait for processes most of the time.
	flag.Parse()
	if p := flag.Lookup("test.parallel"); p != nil && p.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		_ = p.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	status := mmtest.Run(m, &built)
	if err := times.report(testing.Verbose()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	return status
}
