package proc

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// StartError says why a program couldn't be started.
type StartError struct {
	Path   string // as given in the Spec
	Reason string // in plain words, without the path
	Err    error  // exec.ErrNotFound, or what the system said
}

// Error returns "starting <path>: <reason>".
func (e *StartError) Error() string { return "starting " + e.Path + ": " + e.Reason }

// Unwrap returns what the system said.
func (e *StartError) Unwrap() error { return e.Err }

// guardError is an error in starting the guard rather than the program.
type guardError struct{ err error }

func (e *guardError) Error() string { return "its guard can't be started: " + plain(e.err) }
func (e *guardError) Unwrap() error { return e.err }

func startError(spec Spec, path string, err error) error {
	return &StartError{Path: spec.Path, Reason: reason(spec, path, err), Err: err}
}

// reason looks again at what was to be started: one error of the system stands for several faults.
func reason(spec Spec, path string, err error) string {
	if spec.Dir != "" {
		info, statErr := os.Stat(spec.Dir)
		switch {
		case errors.Is(statErr, fs.ErrNotExist):
			return "the folder " + spec.Dir + " doesn't exist"
		case statErr != nil:
			return "the folder " + spec.Dir + " can't be used: " + plain(statErr)
		case !info.IsDir():
			return spec.Dir + " isn't a folder"
		}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "not found on the PATH"
	}
	var ofGuard *guardError
	if errors.As(err, &ofGuard) {
		return ofGuard.Error()
	}
	return fileReason(absolute(spec.Dir, path), err)
}

func fileReason(path string, err error) string {
	info, statErr := os.Stat(path)
	switch {
	case errors.Is(statErr, fs.ErrNotExist):
		return "no such file"
	case statErr == nil && info.IsDir():
		return "is a folder"
	case statErr == nil && errors.Is(err, fs.ErrNotExist):
		return "the interpreter that its first line names doesn't exist"
	case statErr == nil && errors.Is(err, fs.ErrPermission):
		return "not executable (chmod +x makes it so)"
	case errors.Is(err, syscall.ENOEXEC):
		return "not a program of this system, nor a script that begins with #!"
	}
	return plain(err)
}

// plain returns the innermost text of an error, without the calls and paths around it.
func plain(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) || dir == "" {
		return path
	}
	return filepath.Join(dir, path)
}

// find returns the path of the program. A name without a slash is looked up on the PATH of the
// environment that the program gets, since that is what its user sees.
func find(spec Spec, env []string) (string, error) {
	if strings.ContainsRune(spec.Path, filepath.Separator) || strings.Contains(spec.Path, "/") {
		return absolute(spec.Dir, spec.Path), nil
	}
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); foldEnv(name) == "PATH" {
			return onPath(spec.Path, value)
		}
	}
	return "", exec.ErrNotFound
}
