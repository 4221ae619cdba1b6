package tools

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"
)

// notRegularError is a path that leads to something that isn't a file with bytes in it.
type notRegularError struct {
	kind    string   // "a folder", "a named pipe"
	entries []string // what is in a folder, as far as it is worth showing
}

func (e *notRegularError) Error() string { return "is " + e.kind }

// tooLargeError is a file over MaxFileSize.
type tooLargeError struct{ size int64 }

func (e *tooLargeError) Error() string { return "is too large" }

// problem is the model's text for a file that can't be read, written or edited (the verb), and
// what to do about it.
func (t fileTool) problem(f file, verb string, err error) string {
	var odd *notRegularError
	var large *tooLargeError
	is := func(targets ...error) bool {
		for _, target := range targets {
			if errors.Is(err, target) {
				return true
			}
		}
		return false
	}
	switch {
	case errors.As(err, &odd) && odd.entries != nil:
		return fmt.Sprintf("%s is a folder — give the path of a file. It has: %s", f.name, strings.Join(odd.entries, ", "))
	case errors.As(err, &odd):
		return fmt.Sprintf("%s is %s, not a regular file: %s doesn't work on it — give the path of a file", f.name, odd.kind, t.name)
	case errors.As(err, &large):
		return fmt.Sprintf("%s has %.1f MiB, the file tools take up to %d MiB — work on parts of it with a command (grep, head, tail, sed)", f.name, float64(large.size)/(1<<20), MaxFileSize>>20)
	case is(syscall.ENOTDIR):
		return fmt.Sprintf("cannot %s %s: a part of its path is a file, not a folder — check the path", verb, f.name)
	case is(fs.ErrNotExist):
		return f.name + " does not exist. Create it with write_file"
	case is(syscall.EROFS):
		return fmt.Sprintf("cannot %s %s: it is on a read-only file system — choose another place, or ask the user", verb, f.name)
	case is(fs.ErrPermission):
		return fmt.Sprintf("cannot %s %s: permission denied%s — choose another file, or ask the user to change its permissions", verb, f.name, deniedPath(f, err))
	case is(syscall.ENOSPC, syscall.EDQUOT):
		return fmt.Sprintf("cannot %s %s: the disk is full; the file is as it was — free some space, then try again", verb, f.name)
	case is(syscall.ENAMETOOLONG):
		return fmt.Sprintf("cannot %s %s: the name is too long — choose a shorter one", verb, f.name)
	case is(syscall.ELOOP):
		return fmt.Sprintf("cannot %s %s: its links lead in a circle — give the path of a file", verb, f.name)
	}
	return fmt.Sprintf("cannot %s %s: %v", verb, f.name, reason(err))
}

// deniedPath names what was denied when that isn't the file itself: the folder it is in.
func deniedPath(f file, err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) && pe.Path != f.path {
		return " for " + pe.Path
	}
	return ""
}

// reason is an error without the operation and the path, which the text around it has.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// notText says what a file is that isn't UTF-8 text; "" for text. Nothing can be shown of such a
// file, and an edit of it would damage what isn't UTF-8.
func notText(name string, data []byte) string {
	size := thousands(len(data)) + " bytes"
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return fmt.Sprintf("%s is UTF-16 text, %s: only UTF-8 is understood here (iconv -f UTF-16 -t UTF-8 converts it)", name, size)
	}
	kind := http.DetectContentType(data)
	if bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) && !strings.HasPrefix(kind, "text/") {
		kind, _, _ = strings.Cut(kind, ";")
		if strings.HasPrefix(kind, "text/") {
			kind = "application/octet-stream"
		}
		return fmt.Sprintf("%s is binary (%s, %s)", name, kind, size)
	}
	if utf8.Valid(data) {
		return ""
	}
	at := 0
	for {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return fmt.Sprintf("%s is not UTF-8 text: line %d has the byte 0x%02X, %s (iconv -f WINDOWS-1252 -t UTF-8 may convert it)",
		name, bytes.Count(data[:at], []byte("\n"))+1, data[at], size)
}

// thousands writes a number with commas.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
