package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// errNoProc means that a figure can't be measured here.
var errNoProc = errors.New("is read from /proc, which only Linux has")

// pss is the proportional memory of a process and all below it, in bytes.
func pss(pid int) (total int64, err error) {
	for _, p := range append([]int{pid}, below(pid)...) {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", p))
		if err != nil {
			continue // it has ended
		}
		for line := range strings.Lines(string(b)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "Pss:" {
				kb, _ := strconv.ParseInt(f[1], 10, 64)
				total += kb << 10
			}
		}
	}
	if total == 0 {
		return 0, errNoProc
	}
	return total, nil
}

// onCPU is how long all threads of a process and of all below it have run.
func onCPU(pid int) (total time.Duration, err error) {
	for _, p := range append([]int{pid}, below(pid)...) {
		tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p))
		for _, t := range tasks {
			b, err := os.ReadFile(t)
			if err != nil {
				continue
			}
			first, _, _ := strings.Cut(string(b), " ")
			ns, _ := strconv.ParseInt(first, 10, 64)
			total += time.Duration(ns)
		}
	}
	if total == 0 {
		return 0, errNoProc
	}
	return total, nil
}

// below lists the processes below one.
func below(pid int) []int {
	var out []int
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, t := range tasks {
		b, err := os.ReadFile(t)
		if err != nil {
			continue
		}
		for _, f := range strings.Fields(string(b)) {
			if p, err := strconv.Atoi(f); err == nil {
				out = append(append(out, p), below(p)...)
			}
		}
	}
	return out
}
