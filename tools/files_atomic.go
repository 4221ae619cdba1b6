package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// WriteFile writes atomically, as the comment of Disk says.
func (d Disk) WriteFile(ctx context.Context, path string, data []byte) error {
	target, err := d.Inspect(path)
	if err != nil {
		return err
	}
	dir := filepath.Dir(target)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	was, err := os.Lstat(target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	sweep(target)
	// A file without a name leaves nothing behind when mm is killed. Where the system has none, or
	// can't name it afterwards, the temporary file has a name from the start.
	err = replace(ctx, target, data, was, createUnnamed)
	if errors.Is(err, errUnnamed) {
		err = replace(ctx, target, data, was, createBeside)
	}
	if err == nil {
		syncFolder(dir)
	}
	return err
}

// errUnnamed means that this file system doesn't know files without a name.
var errUnnamed = errors.New("no files without a name here")

// tempFile is the file that is to take the place of another. Named says whether it has a name
// beside the target yet.
type tempFile struct {
	*os.File
	path  string
	named bool
}

// replace writes a temporary file and lets it take the place of target.
func replace(ctx context.Context, target string, data []byte, was fs.FileInfo, create func(string, fs.FileMode) (tempFile, error)) error {
	mode := fs.FileMode(0o666)
	if was != nil { // nobody else's to read until it has the mode of the file it replaces
		mode = 0o600
	}
	temp, err := create(target, mode)
	if err != nil {
		return err
	}
	if err = fill(temp.File, data, was); err == nil {
		err = ctx.Err()
	}
	if err == nil && !temp.named {
		if nameUnnamed(temp.File, temp.path) == nil {
			temp.named = true
		} else {
			err = errUnnamed
		}
	}
	err = cmp.Or(err, temp.Close()) // Windows renames no open file
	if err == nil {
		err = os.Rename(temp.path, target)
	}
	if err != nil && temp.named {
		os.Remove(temp.path)
	}
	return err
}

// createBeside creates a temporary file with a name.
func createBeside(target string, mode fs.FileMode) (tempFile, error) {
	for try := 0; ; try++ {
		path := tempPath(target)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return tempFile{f, path, true}, err
		}
	}
}

func tempPath(target string) string {
	return filepath.Join(filepath.Dir(target), fmt.Sprintf("%s%08x.tmp", tempPrefix(target), rand.Uint32()))
}

// tempPrefix begins the names of the temporary files of a target. It leaves room for the rest in a
// name of 255 bytes.
func tempPrefix(target string) string {
	base := filepath.Base(target)
	return "." + base[:min(len(base), 200)] + ".mm-"
}

// sweep removes temporary files that a killed mm left beside the target long ago.
func sweep(target string) {
	const old = 10 * time.Minute // no write takes that long
	dir := filepath.Dir(target)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix(target)) || !strings.HasSuffix(e.Name(), ".tmp") {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > old {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// fill writes data and gives the file the owner and mode of the one it replaces.
func fill(f *os.File, data []byte, was fs.FileInfo) error {
	_, err := f.Write(data)
	if err == nil && was != nil {
		mode := was.Mode() & (fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky)
		if !keepOwner(f, was) { // else the file would run as somebody else
			mode &^= fs.ModeSetuid | fs.ModeSetgid
		}
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return err
}
