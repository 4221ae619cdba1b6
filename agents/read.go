package agents

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

var errIsFolder = errors.New("is a folder")

// readText reads a file of UTF-8 text. The problem it returns lacks the file's name.
func readText(path string, limit int64) (string, *Problem) {
	data, err := readLimited(path, limit+1)
	switch {
	case err != nil:
		return "", &Problem{Text: reason(err), Err: err}
	case int64(len(data)) > limit:
		return "", &Problem{Text: "the file is too large: over " + plain(float64(limit>>10)) + " KiB"}
	}
	text := strings.TrimPrefix(string(data), "\ufeff") // an editor's mark, not part of the text
	if utf8.ValidString(text) {
		return text, nil
	}
	hint := ""
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		hint = " (it looks like UTF-16)"
	}
	line, column := newSource(strings.ToValidUTF8(text, "\ufffd")).at(validPrefix(text))
	return "", &Problem{Line: line, Column: column, Text: "this isn't UTF-8 text" + hint + " — save the file as UTF-8"}
}

// validPrefix counts the bytes before the first that isn't UTF-8.
func validPrefix(text string) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(text)
}

func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errIsFolder
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// textFile reads a file that the agent file names; at is where it does.
func (w *walker) textFile(at *yaml.Node, path string) (string, bool) {
	text, fault := readText(path, maxText)
	switch {
	case fault == nil:
		return text, true
	case fault.Line > 0:
		fault.File, fault.Key = path, w.key()
		w.problems = append(w.problems, *fault)
	default:
		p := w.place(at, w.name()+" names "+strconv.Quote(path)+": "+fault.Text)
		p.Err = fault.Err
		w.problems = append(w.problems, p)
	}
	return "", false
}

// abs makes a path of the file absolute: it starts from the file's folder, "~/" from the home
// folder.
func (w *walker) abs(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && w.env.Home != "" {
		return filepath.Join(w.env.Home, rest)
	}
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(w.dir, path)
}

// programPath leaves a bare name to the PATH; anything else is a path.
func (w *walker) programPath(program string) string {
	if filepath.Base(filepath.FromSlash(program)) == program {
		return program
	}
	return w.abs(program)
}

// isAbsent reports whether a file isn't there; "a/b" isn't there either when a is a file.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// reason says in plain words why a file can't be read.
func reason(err error) string {
	var pathError *fs.PathError
	switch {
	case isAbsent(err):
		return "no such file"
	case errors.Is(err, fs.ErrPermission):
		return "the file can't be read: permission denied"
	case errors.Is(err, errIsFolder):
		return "this is a folder, not a file"
	case errors.As(err, &pathError):
		return "the file can't be read: " + pathError.Err.Error()
	}
	return "the file can't be read: " + err.Error()
}
