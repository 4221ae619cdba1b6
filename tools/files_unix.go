//go:build unix

package tools

import (
	"io/fs"
	"os"
	"syscall"
)

// openNonblock keeps an open of a pipe from waiting for its writer.
const openNonblock = syscall.O_NONBLOCK

// mayWrite reports an error when this process may not write to path.
func mayWrite(path string) error {
	const write = 2 // W_OK
	if err := syscall.Access(path, write); err != nil {
		return &fs.PathError{Op: "write", Path: path, Err: err}
	}
	return nil
}

// keepOwner gives f the owner and group of the file it replaces, or at least the group, and
// reports whether it has both.
func keepOwner(f *os.File, was fs.FileInfo) bool {
	is, err := f.Stat()
	if err != nil {
		return false
	}
	a, ok := was.Sys().(*syscall.Stat_t)
	b, ok2 := is.Sys().(*syscall.Stat_t)
	if !ok || !ok2 {
		return false
	}
	if a.Uid == b.Uid && a.Gid == b.Gid || f.Chown(int(a.Uid), int(a.Gid)) == nil {
		return true
	}
	return f.Chown(-1, int(a.Gid)) == nil && a.Uid == b.Uid
}

// syncFolder makes a rename last through a power cut. A file system that can't is no failure.
func syncFolder(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
