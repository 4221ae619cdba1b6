package session

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// lock is a lock on a session: its file is open, and nobody else may open it.
type lock struct {
	f    *os.File
	path string
}

// take locks path.
func take(path string) (*lock, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := windows.CreateFile(name, windows.GENERIC_READ|windows.GENERIC_WRITE, 0, nil, windows.OPEN_ALWAYS, windows.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, syscall.Errno(windows.ERROR_SHARING_VIOLATION)) {
		return nil, &InUseError{}
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return &lock{os.NewFile(uintptr(h), path), path}, nil
}

// drop ends the lock and removes its file.
func (l *lock) drop() {
	_ = l.f.Close()
	_ = os.Remove(l.path)
}
