//go:build linux

package faults

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// measures keeps what was measured in all runs of this process (-count), for the report.
type measures struct {
	mu   sync.Mutex
	list map[string][]float64 // guarded by mu: by name with unit
}

// times belongs to the test process: -count runs the tests again in it.
var times = measures{list: map[string][]float64{}}

// took notes a time.
func took(t testing.TB, name string, d time.Duration) {
	note(t, name+" (ms)", float64(d.Milliseconds()))
}

// note notes a figure; the name has its unit.
func note(t testing.TB, name string, v float64) {
	t.Logf("%s: %.0f", name, v)
	times.mu.Lock()
	defer times.mu.Unlock()
	times.list[name] = append(times.list[name], v)
}

// report writes the figures: to standard error when asked for, and to the file MM_FAULTS_REPORT.
func (m *measures) report(verbose bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name := range m.list {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		l := m.list[name]
		sum := 0.0
		for _, v := range l {
			sum += v
		}
		fmt.Fprintf(&b, "%-60s n %3d  mean %8.0f  max %8.0f\n", name, len(l), sum/float64(len(l)), slices.Max(l))
	}
	if verbose {
		fmt.Fprint(os.Stderr, b.String())
	}
	path := os.Getenv("MM_FAULTS_REPORT")
	if path == "" || b.Len() == 0 {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, b.String())
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
