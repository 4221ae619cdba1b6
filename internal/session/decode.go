package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxFile bounds what is read of a session file, in bytes.
const maxFile = 1 << 30

// headSize is how much of a file is read to list it.
const headSize = 64 << 10

// BadFileError names a file in the sessions' folder that isn't one, or is damaged. It is left alone.
type BadFileError struct {
	Path   string
	Reason string
}

// Error says which file and what is wrong with it.
func (e *BadFileError) Error() string {
	return fmt.Sprintf("%s can't be read as a session and is left alone: %s", e.Path, e.Reason)
}

func bad(path, format string, args ...any) error {
	return &BadFileError{path, fmt.Sprintf(format, args...)}
}

// decode reads a whole session file.
func decode(path, id string) (*File, error) {
	b, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var doc struct {
		Info
		Messages *[]Message `json:"messages"`
		tail
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, bad(path, "%s", whatIsWrong(b, err))
	}
	if reason := doc.Info.wrong(id); reason != "" {
		return nil, bad(path, "%s", reason)
	}
	if doc.Messages == nil {
		return nil, bad(path, `it has no "messages"`)
	}
	f := &File{Info: doc.Info, Messages: *doc.Messages, Task: doc.Task, Plan: doc.Plan, Usage: doc.Usage, Errors: doc.Errors}
	for i, m := range f.Messages {
		switch m.Role {
		case "user", "assistant", "tool":
		default:
			return nil, bad(path, "message %d has role %q", i+1, m.Role)
		}
	}
	return f, nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxFile {
		return nil, bad(path, "it is larger than 1 GiB")
	}
	return b, nil
}

// whatIsWrong words a fault of JSON with its place.
func whatIsWrong(b []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	at := int64(len(b))
	switch {
	case len(bytes.TrimSpace(b)) == 0:
		return "it is empty"
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		return fmt.Sprintf("%q should not be %s", kind.Field, kind.Value)
	}
	return fmt.Sprintf("line %d: %s", 1+bytes.Count(b[:min(at, int64(len(b)))], []byte("\n")), strings.TrimPrefix(err.Error(), "json: "))
}

// wrong says why an Info can't be that of the file <id>.json, "" when it can.
func (i *Info) wrong(id string) string {
	switch {
	case i.ID == "":
		return `it has no "id"`
	case i.ID != id:
		return fmt.Sprintf("its id is %q", i.ID)
	case i.Cwd == "":
		return `it has no "cwd"`
	}
	return ""
}

// decodeInfo reads the beginning of a session file, and looks whether its end is there. Files that
// another program has laid out anew are read whole.
func decodeInfo(path, id string) (Info, error) {
	f, err := os.Open(path)
	if err != nil {
		return Info{}, err
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return Info{}, err
	}
	head, _, ours := bytes.Cut(head[:n], []byte(beforeMessages))
	if !ours || !endsWell(f) {
		whole, err := decode(path, id)
		if err != nil {
			return Info{}, err
		}
		return whole.Info, nil
	}
	var i Info
	if err := json.Unmarshal(append(bytes.Clone(head), '}'), &i); err != nil {
		return Info{}, bad(path, "%s", whatIsWrong(head, err))
	}
	if reason := i.wrong(id); reason != "" {
		return Info{}, bad(path, "%s", reason)
	}
	return i, nil
}

// endsWell reports whether a file ends as encode ends it.
func endsWell(f *os.File) bool {
	st, err := f.Stat()
	if err != nil || st.Size() < 2 {
		return false
	}
	var end [2]byte
	_, err = f.ReadAt(end[:], st.Size()-2)
	return err == nil && string(end[:]) == "}\n"
}
