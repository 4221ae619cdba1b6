package session

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// tempMark is in the names of temporary files.
const tempMark = ".tmp-"

// writeAtomically lets write fill a temporary file, and puts it in the place of path. A file that
// is there is replaced only as a whole. lasting waits until the disk has it, which only the end of
// the whole system needs: what a killed process had written is there.
func writeAtomically(path string, lasting bool, write func(*os.File) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+tempMark) // mode 0600
	if err != nil {
		return err
	}
	err = write(temp)
	if err == nil && lasting {
		err = flush(temp)
	}
	err = cmp.Or(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(temp.Name())
		return err
	}
	if !lasting {
		return nil
	}
	return syncFolder(filepath.Dir(path))
}

// flush is fsync; file systems that know none are taken as they are.
func flush(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}

// syncFolder makes a rename last. Where a folder can't be opened or synced it is left to the system.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	_ = d.Sync()
	return d.Close()
}

// sweep removes temporary files that a killed mm left long ago.
func sweep(dir string, now time.Time) {
	const old = 10 * time.Minute // no save takes that long
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.Contains(e.Name(), tempMark) || !strings.HasPrefix(e.Name(), ".") {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > old {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
