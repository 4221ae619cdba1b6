//go:build unix

package session

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// lock is a lock on a session, which ends with the process that holds it.
type lock struct{ f *os.File }

// A killed mm may have been starting a command: until that has closed what it inherited, it holds the
// lock of a process that is gone. It is waited for this often and this long.
const (
	graceTries = 100
	graceStep  = 10 * time.Millisecond
)

// take locks path. InUseError names the process that holds it, as far as it is known.
func take(path string) (*lock, error) {
	for try := 0; ; try++ {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			pid := holder(f)
			if pid > 0 && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) && try < graceTries {
				_ = f.Close()
				time.Sleep(graceStep)
				continue
			}
			err = &InUseError{Pid: pid}
		}
		if err != nil {
			_ = f.Close()
			return nil, err
		}
		// Whoever held it may have removed the file since it was opened: then it locks nothing.
		if here, err := os.Stat(path); err == nil && same(f, here) {
			_ = f.Truncate(0)
			_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
			return &lock{f}, nil
		}
		_ = f.Close()
	}
}

func same(f *os.File, here os.FileInfo) bool {
	st, err := f.Stat()
	return err == nil && os.SameFile(st, here)
}

func holder(f *os.File) int {
	var b [20]byte
	n, _ := f.ReadAt(b[:], 0)
	pid, _ := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	return pid
}

// drop ends the lock and removes its file.
func (l *lock) drop() {
	_ = os.Remove(l.f.Name())
	_ = l.f.Close()
}
