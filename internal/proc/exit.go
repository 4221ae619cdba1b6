package proc

import (
	"fmt"
	"os"
	"syscall"
)

// Exit says how a process ended.
type Exit struct {
	Code   int            // the exit status; -1 when a signal ended it
	Signal syscall.Signal // the signal that ended it, or 0
	core   bool
	err    error // set when the system couldn't tell
}

// Success reports whether the process ended by itself with status 0.
func (e Exit) Success() bool { return e.Code == 0 && e.err == nil }

// String words it as os/exec does: "exit status 3", "signal: killed".
func (e Exit) String() string {
	switch {
	case e.err != nil:
		return fmt.Sprintf("waiting for it: %v", e.err)
	case e.Signal != 0 && e.core:
		return "signal: " + e.Signal.String() + " (core dumped)"
	case e.Signal != 0:
		return "signal: " + e.Signal.String()
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

func exitOf(state *os.ProcessState, err error) Exit {
	if err != nil {
		return Exit{Code: -1, err: err}
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok {
		return exitOfStatus(ws)
	}
	return Exit{Code: state.ExitCode()}
}

func exitOfStatus(ws syscall.WaitStatus) Exit {
	if ws.Signaled() {
		return Exit{Code: -1, Signal: ws.Signal(), core: ws.CoreDump()}
	}
	return Exit{Code: ws.ExitStatus()}
}
