//go:build linux || darwin

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	guardArg = "--guard" // mm --guard PATH ARGV0 ARGV…

	// Descriptors that mm gives its guard.
	guardLifeline = 3 // closes when mm ends; a byte of it means to stay when the command has ended
	guardReport   = 4 // lines for mm: "pid N" or "errno N", then "status N", or "held N" of one that stays

	// Below three mms and their guards that all hang, everything is gone in three times this.
	guardTerm = 300 * time.Millisecond
	guardKill = time.Second
)

// Main is the first thing main calls: it runs the guard and exits when this program was started as
// one, and returns at once when it wasn't.
func Main() {
	if len(os.Args) >= 4 && os.Args[1] == guardArg {
		// Not os.Exit: a guard has nothing to flush, and the race detector would sleep a second.
		syscall.Exit(guard(os.Args[2], os.Args[3:]))
	}
}

// guard runs a command and returns when it has ended, or never when it has to stay for what the
// command started, or when mm has ended before.
func guard(path string, argv []string) int {
	// Caught and dropped: they are for the command, which would inherit them if they were ignored.
	// No more than these, and before the thread is locked: catching all takes 5 ms.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	// The kernel kills the command when the thread that started it ends, so that must end last.
	runtime.LockOSThread()
	unix.CloseOnExec(guardLifeline)
	unix.CloseOnExec(guardReport)
	if told(0) {
		return 1
	}
	adopt()
	sys := &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(sys)
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 1, 2}, Sys: sys})
	if err != nil {
		var errno syscall.Errno
		errors.As(err, &errno)
		report("errno", int(errno))
		return 1
	}
	report("pid", pid)
	letGo()
	var g watch
	go g.lifeline()
	status := reapUntil(pid)
	g.mu.Lock() // kept: what follows is the end
	if g.hold || told(0) {
		report("held", int(status))
		g.mu.Unlock()
		reapUntil(0)
		select {} // lifeline ends this process
	}
	report("status", int(status))
	return 0
}

// watch is what a guard is told by its mm.
type watch struct {
	mu   sync.Mutex
	hold bool // guarded by mu, as is reading: the guard stays when the command has ended
}

// lifeline reads what mm says. When mm closes it, or has ended, all that the command started is ended.
func (g *watch) lifeline() {
	for told(-1) && g.read() {
	}
	all := newFamily(os.Getpid(), os.Getenv(taskVariable))
	all.terminate(all.look())
	all.poll(guardTerm, func([]entry) {})
	all.kill(guardKill)
	syscall.Exit(1)
}

// read reads what is there. At the end, which it reports by false, it keeps mu: the command's own end
// matters no more.
func (g *watch) read() bool {
	g.mu.Lock()
	n, err := unix.Read(guardLifeline, make([]byte, 1))
	if n != 1 && !errors.Is(err, unix.EINTR) {
		return false
	}
	g.hold = g.hold || n == 1
	g.mu.Unlock()
	return true
}

// told waits for so many milliseconds, -1 for ever, until mm has said something or has ended, and
// reports whether it has.
func told(ms int) bool {
	fds := []unix.PollFd{{Fd: guardLifeline, Events: unix.POLLIN}}
	for {
		_, err := unix.Poll(fds, ms)
		if !errors.Is(err, unix.EINTR) {
			return fds[0].Revents != 0
		}
	}
}

// letGo drops the command's streams and folder: their other ends must see the command alone.
func letGo() {
	if null, err := unix.Open(os.DevNull, unix.O_RDWR|unix.O_CLOEXEC, 0); err == nil {
		for fd := range 3 {
			_ = unix.Dup2(null, fd)
		}
		_ = unix.Close(null)
	}
	_ = os.Chdir("/")
}

func report(word string, n int) {
	_, _ = unix.Write(guardReport, fmt.Appendf(nil, "%s %d\n", word, n))
}

// reapUntil reaps children, also those that were adopted, until the given one has ended, or until there
// are none.
func reapUntil(pid int) syscall.WaitStatus {
	var status syscall.WaitStatus
	for {
		got, err := syscall.Wait4(-1, &status, 0, nil)
		if got == pid && err == nil || err != nil && !errors.Is(err, syscall.EINTR) {
			return status
		}
	}
}
