package session

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Store is a folder of sessions. It holds nothing open, so that several processes can use one.
type Store struct {
	dir   string
	swept sync.Once
}

// NewStore returns the store of a folder, which need not be there yet.
func NewStore(dir string) *Store { return &Store{dir: dir} }

// Dir is the folder.
func (s *Store) Dir() string { return s.dir }

// ErrUnknown means that there is no such session.
var ErrUnknown = errors.New("no such session")

// UnknownError says which session there is not. It is ErrUnknown.
type UnknownError struct{ ID string }

// Error says what to do.
func (e *UnknownError) Error() string {
	return fmt.Sprintf("no session %q — mm sessions lists them", e.ID)
}

// Is makes it ErrUnknown.
func (e *UnknownError) Is(target error) bool { return target == ErrUnknown }

// InUseError means that another mm writes the session. Pid is 0 where it isn't known.
type InUseError struct {
	ID  string
	Pid int
}

// Error says which mm.
func (e *InUseError) Error() string {
	if e.Pid == 0 {
		return fmt.Sprintf("session %s is open in another mm: end that first", e.ID)
	}
	return fmt.Sprintf("session %s is open in another mm (process %d): end that first", e.ID, e.Pid)
}

// NewID returns a fresh session id.
func NewID() string { return strings.ToLower(rand.Text()[:16]) }

// extension ends the names of session files.
const extension = ".json"

func (s *Store) path(id string) string    { return filepath.Join(s.dir, id+extension) }
func (s *Store) journal(id string) string { return filepath.Join(s.dir, id+".journal") }
func (s *Store) lock(id string) string    { return filepath.Join(s.dir, id+".lock") }

// goodID reports whether an id can be a file's name: letters, digits and dashes.
func goodID(id string) bool {
	return id != "" && len(id) <= 64 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
}

// List returns the sessions, the newest first, and what in the folder isn't one. A folder that
// isn't there has none.
func (s *Store) List() (list []Info, damaged []error, err error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the sessions in %s: %w", s.dir, err)
	}
	for _, e := range entries {
		id, ours := strings.CutSuffix(e.Name(), extension)
		if !ours || strings.HasPrefix(id, ".") {
			continue
		}
		info, err := decodeInfo(filepath.Join(s.dir, e.Name()), id)
		switch {
		case errors.Is(err, fs.ErrNotExist): // deleted meanwhile
		case err != nil:
			damaged = append(damaged, err)
		default:
			list = append(list, info)
		}
	}
	slices.SortFunc(list, func(a, b Info) int {
		return cmp.Or(b.Updated.Compare(a.Updated), cmp.Compare(a.ID, b.ID))
	})
	return list, damaged, nil
}

// Newest returns the newest session of a folder that a person began there. ErrUnknown means none.
func (s *Store) Newest(cwd string) (Info, error) {
	list, damaged, err := s.List()
	if err != nil {
		return Info{}, err
	}
	for _, i := range list {
		if i.Parent == "" && sameFolder(i.Cwd, cwd) {
			return i, nil
		}
	}
	err = fmt.Errorf("there is no session of %s yet: %w", cwd, ErrUnknown)
	return Info{}, errors.Join(append([]error{err}, damaged...)...)
}

func sameFolder(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Find returns the id of the session that is named, in full or by the beginning of its id.
func (s *Store) Find(name string) (string, error) {
	if goodID(name) {
		if _, err := os.Lstat(s.path(name)); err == nil {
			return name, nil
		}
	}
	list, _, err := s.List()
	if err != nil {
		return "", err
	}
	var found []string
	for _, i := range list {
		if name != "" && strings.HasPrefix(i.ID, name) {
			found = append(found, i.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", &UnknownError{name}
	case 1:
		return found[0], nil
	}
	return "", fmt.Errorf("%d sessions begin with %q: %s — give more of the id", len(found), name, strings.Join(found, ", "))
}

// Load reads a session as it stands on disk, also one that another process writes.
func (s *Store) Load(id string) (*File, error) {
	f, st, err := s.load(id)
	if err != nil {
		return nil, err
	}
	if st.message != nil {
		f.Messages = append(append(f.Messages, *st.message), st.results...)
		f.Count = len(f.Messages)
	}
	return f, nil
}

func (s *Store) load(id string) (*File, step, error) {
	if !goodID(id) {
		return nil, step{}, &UnknownError{id}
	}
	const tries = 10
	for try := 1; ; try++ {
		// The journal comes first: the file may be saved, and the journal emptied, meanwhile.
		journal, err := readJournal(s.journal(id))
		if err != nil {
			return nil, step{}, err
		}
		f, err := decode(s.path(id), id)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, step{}, &UnknownError{id}
		}
		if err != nil {
			return nil, step{}, err
		}
		st, whole := f.replay(journal)
		if whole || try == tries {
			f.Count = len(f.Messages)
			return f, st, nil
		}
	}
}

// Below lists the sessions of the agents that a session asked, and of those that they asked.
func (s *Store) Below(id string) ([]string, error) {
	list, _, err := s.List()
	if err != nil {
		return nil, err
	}
	ids := []string{id}
	for i := 0; i < len(ids); i++ {
		for _, x := range list {
			if x.Parent == ids[i] && !slices.Contains(ids, x.ID) {
				ids = append(ids, x.ID)
			}
		}
	}
	return ids[1:], nil
}

// adopt makes the sessions that were asked by one session those of another. One that is open keeps its
// parent.
func (s *Store) adopt(from, to string) {
	list, _, err := s.List()
	if err != nil {
		return
	}
	for _, i := range list {
		if i.Parent != from {
			continue
		}
		w, _, err := s.Open(i.ID, Options{})
		if err != nil {
			continue
		}
		w.mu.Lock()
		w.file.Parent = to
		snapshot := w.file
		w.mu.Unlock()
		_ = s.write(&snapshot, true) // it was last changed when it was
		w.Close()
	}
}

// Delete removes a session. One that is open, or whose file isn't a session's, stays.
func (s *Store) Delete(id string) error { return s.remove(id, nil) }

// DeleteAll removes a session and those of the agents asked in it, which it returns. They go first, and
// the session stays where one of them does: so it can be deleted again. Those of a session that is
// gone already go too.
func (s *Store) DeleteAll(id string) (below []string, err error) {
	list, err := s.Below(id)
	if err != nil {
		return nil, err
	}
	slices.Reverse(list) // the lowest first: what stays is still found from above
	first := func() error {
		for _, b := range list {
			if err := s.Delete(b); err != nil && !errors.Is(err, ErrUnknown) {
				return err
			}
			below = append(below, b)
		}
		return nil
	}
	err = s.remove(id, first)
	if errors.Is(err, ErrUnknown) {
		if failed := first(); failed != nil {
			return below, failed
		}
	}
	return below, err
}

// remove removes a session once what comes first has been done; nil is nothing.
func (s *Store) remove(id string, first func() error) error {
	if _, err := s.Load(id); err != nil {
		return err
	}
	l, err := s.take(id)
	if err != nil {
		return err
	}
	defer l.drop()
	if first != nil {
		if err := first(); err != nil {
			return err
		}
	}
	if err := os.Remove(s.path(id)); err != nil {
		return fmt.Errorf("deleting session %s: %w", id, err)
	}
	_ = os.Remove(s.journal(id)) // without its file it means nothing
	return nil
}

// take locks a session.
func (s *Store) take(id string) (*lock, error) {
	l, err := take(s.lock(id))
	var used *InUseError
	if errors.As(err, &used) {
		used.ID = id
	}
	return l, err
}

// Open locks a session and reads it, to go on with it. A conversation that was cut off in the middle
// of a turn is made whole.
func (s *Store) Open(id string, o Options) (*Writer, *File, error) {
	if !goodID(id) {
		return nil, nil, &UnknownError{id}
	}
	if _, err := os.Lstat(s.path(id)); err != nil {
		return nil, nil, &UnknownError{id}
	}
	l, err := s.take(id)
	if err != nil {
		return nil, nil, err
	}
	f, st, err := s.load(id)
	if err != nil {
		l.drop()
		return nil, nil, err
	}
	settled := f.settle(st)
	f.Count = len(f.Messages)
	w := newWriter(s, *f, o)
	w.lock, w.begun = l, true
	if _, err := os.Lstat(s.journal(id)); err == nil || settled {
		w.dirty = true
		w.Flush() // the journal begins anew
	}
	return w, f, nil
}

// Create returns the writer of a new session. Nothing is on disk before its first message.
func (s *Store) Create(i Info, o Options) *Writer {
	i.Created = o.now()
	w := newWriter(s, File{Info: i}, o)
	w.behind = i.Parent != ""
	return w
}

// prepare makes the folder.
func (s *Store) prepare(now time.Time) error {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	s.swept.Do(func() { sweep(s.dir, now) }) // once is enough: it reads the whole folder
	return nil
}
