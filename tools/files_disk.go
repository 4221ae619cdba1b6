package tools

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// MaxFileSize is the size in bytes of the largest file that the file tools take.
const MaxFileSize = 10 << 20

// Disk is the file system of the machine.
//
// Writes are atomic: the bytes go to a temporary file beside the target, which then takes its
// place. Whoever reads sees the old file or the new one, also when mm is killed at any moment.
// Mode, and where permitted owner and group, are those of the file before; a link stays, the file
// it leads to is replaced. Other hard links to that file keep the old content, and extended
// attributes are not carried over: both are the price of the rename.
type Disk struct{}

// ReadFile reads a regular file of at most MaxFileSize.
func (Disk) ReadFile(_ context.Context, path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0) // it may be a pipe by now
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err == nil {
		err = CheckSize(len(data))
	}
	return data, err
}

// CheckSize is an error where a file of n bytes is larger than MaxFileSize.
func CheckSize(n int) error {
	if n > MaxFileSize {
		return &tooLargeError{int64(n)}
	}
	return nil
}

// regular reports what is wrong with a path that isn't that of a regular file of moderate size.
func regular(path string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return &notRegularError{kind: "a folder", entries: folder(path)}
	case mode&fs.ModeNamedPipe != 0:
		return &notRegularError{kind: "a named pipe"}
	case mode&fs.ModeSocket != 0:
		return &notRegularError{kind: "a socket"}
	case mode&fs.ModeDevice != 0:
		return &notRegularError{kind: "a device"}
	case !mode.IsRegular():
		return &notRegularError{kind: "something special"}
	case info.Size() > MaxFileSize:
		return &tooLargeError{info.Size()}
	}
	return nil
}

// folder lists what is in a folder, as a model that takes it for a file wants to know next.
func folder(path string) []string {
	const most = 40
	d, err := os.Open(path)
	if err != nil {
		return []string{"(not readable)"}
	}
	defer d.Close()
	list, _ := d.ReadDir(most + 1)
	names := []string{}
	for _, e := range list[:min(len(list), most)] {
		name := e.Name()
		if e.IsDir() {
			name += "/"
		}
		names = append(names, name)
	}
	switch {
	case len(list) > most:
		names = append(names, "…")
	case len(list) == 0:
		names = append(names, "(nothing)")
	}
	return names
}

// Inspect follows the links of path to the file that a write replaces or creates, and reports an
// error when that can't be done.
func (Disk) Inspect(path string) (target string, err error) {
	target, err = followLinks(path)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(target)
	if err == nil {
		if err := regular(target, info); err != nil {
			return "", err
		}
		if err := mayWrite(target); err != nil {
			return "", err
		}
		return target, mayWrite(filepath.Dir(target))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for dir := filepath.Dir(target); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return "", &fs.PathError{Op: "mkdir", Path: dir, Err: syscall.ENOTDIR}
		case err == nil:
			return target, mayWrite(dir)
		case !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir):
			return "", err
		}
	}
}

// followLinks resolves all links of path. Its end, and folders above it, need not exist: a file may
// be created at the end of a link that leads nowhere yet.
func followLinks(path string) (string, error) {
	for range 40 { // as many as Linux follows
		dir, err := existing(filepath.Dir(path))
		if err != nil {
			return "", err
		}
		path = filepath.Join(dir, filepath.Base(path))
		link, err := os.Readlink(path)
		if err != nil { // no link, or nothing there
			return path, nil
		}
		if filepath.IsAbs(link) {
			path = link
		} else {
			path = filepath.Join(dir, link)
		}
	}
	return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
}

// existing resolves the links of a folder as far as it exists.
func existing(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
		return real, err
	}
	parent, err := existing(filepath.Dir(dir))
	return filepath.Join(parent, filepath.Base(dir)), err
}
