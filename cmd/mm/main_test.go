package main

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/mini-me/mm/internal/proc"
)

// TestMain lets the test binary be mm itself: scripts, children and guards run the real main in
// processes of their own.
func TestMain(m *testing.M) {
	proc.Main()
	if os.Getenv("MM_TEST_MAIN") != "" || len(os.Args) > 1 && os.Args[1] == "-acp" {
		main() // mm as a test starts it, or a child of such an mm: both by the test binary's path
	}
	testscript.Main(m, map[string]func(){"mm": main})
}

// TestScripts runs testdata/script: what a person does and sees, on the scripted model.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("MM_UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("MM_SHARED", "")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // else each end takes a second more
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits,
			"count": count,
		},
	})
}

// exits runs a command and checks its exit status: exits 6 mm --ask jan --strict.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if e, ok := err.(interface{ ExitCode() int }); ok {
		got = e.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// count checks how often a text stands in a file or in stdout: count 1 stdout '🔐'.
func count(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: count N FILE TEXT")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got, at := 0, ts.ReadFile(args[1])
	for i := 0; i+len(args[2]) <= len(at); i++ {
		if at[i:i+len(args[2])] == args[2] {
			got++
		}
	}
	if got != want {
		ts.Fatalf("%q stands %d times in %s, want %d:\n%s", args[2], got, filepath.Base(args[1]), want, at)
	}
}
