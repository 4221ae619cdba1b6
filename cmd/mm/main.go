// Command mm is a coding agent that asks other agents for help.
//
// This package is the command line: one file a command, and wire.go, where the parts are put
// together.
package main

import (
	"io"
	"os"

	"github.com/mini-me/mm/internal/proc"
	"github.com/mini-me/mm/internal/tty"
)

// version is set by the linker (-X main.version=…).
var version = "0.1.0-dev"

func main() {
	proc.Main() // a guard does its work here and never returns
	tty.Main()  // so does the terminal's
	os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// streams are the standard streams of the process.
type streams struct {
	in  *os.File
	out io.Writer
	err io.Writer
}
