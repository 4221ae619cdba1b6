package tools

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// createUnnamed creates a file without a name in the folder of target.
func createUnnamed(target string, mode fs.FileMode) (tempFile, error) {
	fd, err := unix.Open(filepath.Dir(target), unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, uint32(mode.Perm()))
	if err != nil { // whatever is wrong, creating a file with a name finds it out too
		return tempFile{}, errUnnamed
	}
	path := tempPath(target)
	return tempFile{os.NewFile(uintptr(fd), path), path, false}, nil
}

// nameUnnamed gives it a name (open(2), O_TMPFILE). It needs /proc.
func nameUnnamed(f *os.File, path string) error {
	return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(int(f.Fd())), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
}
