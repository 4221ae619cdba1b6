// Command mm-bench measures mm beside its floor: what a small Go program needs that does only the
// unavoidable. It starts a fake model on loopback, builds mm and the floor, and prints one table.
// Machines are noisy, so only ratios within one run mean something.
//
//	go run ./cmd/mm-bench                     all figures, medians of 11 runs
//	go run ./cmd/mm-bench -only stream        those whose name has "stream"
//	go run ./cmd/mm-bench -mm OLD -mm NEW     two binaries, run alternately
//
// The target of each figure, and whether it is met, is at the end of its line.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "mm-bench:", err)
		os.Exit(1)
	}
}

// list is a flag that may be given more than once.
type list []string

func (l *list) String() string     { return strings.Join(*l, " ") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

func run() error {
	var binaries list
	flag.Var(&binaries, "mm", "binary of mm to measure; may be given twice (default: built from this checkout)")
	runs := flag.Int("runs", 11, "runs of each figure")
	only := flag.String("only", "", "only figures whose name contains this")
	flag.Parse()
	dir, err := os.MkdirTemp("", "mm-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	b := &bench{dir: dir, runs: *runs, floor: filepath.Join(dir, "floor")}
	if err := build(b.floor, "./cmd/mm-bench/floor"); err != nil {
		return err
	}
	if len(binaries) == 0 {
		path := filepath.Join(dir, "mm")
		if err := build(path, "./cmd/mm"); err != nil {
			return err
		}
		binaries = list{path}
	}
	for _, path := range binaries {
		abs, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		b.mm = append(b.mm, abs)
	}
	b.model = startModel()
	defer b.model.close()
	if err := b.files(); err != nil {
		return err
	}
	return b.report(*only)
}

// build builds a package as it is shipped.
func build(out, pkg string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, pkg)
	if text, err := cmd.CombinedOutput(); err != nil {
		return errors.New(strings.TrimSpace("building " + pkg + ": " + string(text)))
	}
	return nil
}

// report measures and prints the table.
func (b *bench) report(only string) error {
	fmt.Printf("%-46s %10s %10s %6s  %s\n", "figure", "mm", "floor", "ratio", "target")
	for _, f := range b.figures() {
		if !strings.Contains(f.name, only) {
			continue
		}
		rows, err := f.measure()
		if errors.Is(err, errNoProc) {
			fmt.Printf("%-46s %v\n", f.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		for i, r := range rows {
			name, first := f.name, &rows[0]
			if len(b.mm) > 1 {
				name = fmt.Sprintf("%s [%d]", name, i+1)
			}
			if i == 0 {
				first = nil
			}
			fmt.Println(r.line(name, f.target, first))
		}
	}
	return nil
}
