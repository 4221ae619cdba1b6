// Package proc starts and ends the processes mm runs: asked agents, commands of the bash tool,
// hooks, language servers and MCP servers.
//
// A Process runs in a session of its own, without a controlling terminal. End ends it in the
// order that is the same everywhere: close stdin, wait, SIGTERM, wait, SIGKILL, reap; what the
// process started is ended with it. Nothing inherits a pipe it shouldn't: all are close-on-exec.
//
// What must not outlive mm however mm ends runs under a guard (Spec.Guard): a tiny re-execution of
// the binary between mm and the command. It holds one end of a pipe to its mm, and ends the
// command with everything below it when that pipe closes, which also a SIGKILL of mm does.
// A program that starts guarded processes calls Main first thing in main, and in TestMain of its
// tests. When a command has ended by itself, its guard is gone too, and what the command left in
// the background lives on (see Spec.Whole for others). Once End was called the guard stays until all
// is gone: who calls End may die meanwhile.
//
// A Process owns two goroutines, one that waits for it and one that reads its stderr; both are
// over when Done is closed.
package proc

import (
	"io"
	"os"
	"sync"
	"time"
)

// Spec says what to start.
type Spec struct {
	// Path is a program: a path, or a name that is looked up on the PATH of Env.
	Path string
	// Args are its arguments, without its own name.
	Args []string
	// Name is how it calls itself (argv[0]), as ps shows it; Path when "".
	Name string
	// Env is its environment, mm's own when nil; of several entries for one name the last counts.
	Env []string
	// Dir is the folder it runs in, mm's own when "".
	Dir string
	// Stdin is what it reads; /dev/null when nil, unless StdinPipe is set.
	Stdin *os.File
	// Stdout is where it writes; /dev/null when nil, unless StdoutPipe is set.
	Stdout *os.File
	// Stderr is where it writes errors; when nil they are read all the time into Process.Tail.
	Stderr *os.File
	// StdinPipe and StdoutPipe ask for Process.Stdin and Process.Stdout.
	StdinPipe, StdoutPipe bool
	// Guard is an executable whose main calls Main, Self() as a rule; "" starts without a guard.
	// It has no effect on Windows.
	Guard string
	// Whole says that the guard also ends what the process leaves behind when it ends by itself, should
	// mm die before it calls End: for agents and servers, which may stand behind a launcher. End has to
	// be called. Without it what a command left in the background lives on.
	Whole bool
}

// Grace says how long End waits at each step. A step with no time isn't taken: the zero value
// closes stdin and kills at once.
type Grace struct {
	Close time.Duration // after closing stdin, for a process that ends by itself then
	Term  time.Duration // after SIGTERM
}

// Process is a process that was started. Its methods may be called by several goroutines.
type Process struct {
	// Stdin is the process's stdin when Spec.StdinPipe was set. It is closed by End, and when the
	// process has ended; a blocked Write returns then.
	Stdin io.WriteCloser
	// Stdout is the process's stdout when Spec.StdoutPipe was set: read it to its end or close it.
	// The end comes when the process closed it, or shortly after the process has ended, also if a
	// process it left behind holds the pipe open; nothing that was written is lost.
	Stdout io.ReadCloser

	os     *os.Process
	pid    int
	tail   *tail
	stdout *outPipe
	link   *link // to the guard; nil without one
	family *family

	urgent    chan struct{} // closed by Kill
	urgently  sync.Once
	exited    chan struct{} // closed when the process was reaped
	done      chan struct{} // closed when its stderr was read, too
	exit      Exit          // set before exited is closed
	held      bool          // set before exited is closed: the guard is still there
	stdinOnce sync.Once

	mu     sync.Mutex
	ended  chan struct{} // guarded by mu; not nil once End was called
	endErr error         // set before ended is closed
}

// Pid returns the process id of the program itself, not of its guard.
func (p *Process) Pid() int { return p.pid }

// Done is closed when the process has ended and Exit and Tail are complete.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit says how the process ended. It is the zero Exit until Done is closed.
func (p *Process) Exit() Exit {
	select {
	case <-p.exited:
		return p.exit
	default:
		return Exit{}
	}
}

// Tail returns the last lines the process wrote to stderr, at most 40 lines and 8 KiB, preceded
// by the first line of a Go panic if it is no longer among them.
func (p *Process) Tail() string { return p.tail.String() }

// Panic returns the first line of a Go panic or fatal error seen on stderr, "" without one.
func (p *Process) Panic() string { return p.tail.Panic() }

// closeStdin closes the process's stdin once.
func (p *Process) closeStdin() {
	if p.Stdin != nil {
		p.stdinOnce.Do(func() { _ = p.Stdin.Close() })
	}
}

// wait reaps the process and closes what belongs to it. It is the goroutine that Start starts.
func (p *Process) wait() {
	if p.link == nil {
		p.exit = exitOf(p.os.Wait())
	} else {
		p.exit = p.waitGuarded()
	}
	close(p.exited)
	p.closeStdin()
	if p.stdout != nil {
		p.stdout.exited()
	}
	p.tail.finish()
	close(p.done)
}

// waitGuarded returns how the command ended. Its guard is reaped, unless it stays until End.
func (p *Process) waitGuarded() Exit {
	exit, held, told := p.link.status()
	if p.held = held; held {
		return exit
	}
	state, err := p.os.Wait()
	p.link.close()
	if !told {
		p.family.setGuarded(false)
		p.family.kill(killTime) // nobody else guards it now
		return exitOf(state, err)
	}
	return exit
}
