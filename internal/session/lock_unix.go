//go:build unix

package session

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// lock is a lock on a session, which ends with the process that holds it.
type lock struct{ f *os.File }

// take locks path. ErrInUse names the process that holds it, as far as it is known.
func take(path string) (*lock, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = &InUseError{Pid: holder(f)}
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
