package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mini-me/mm/tools"
)

// changed is a file that a rename changes: where and what it was, and will be.
type changed struct {
	from   string // its path; "" for a new file
	to     string // "" when it is deleted
	before string
	after  string
	edits  int
}

// changeset is all that a rename does, worked out on paper: its changes are applied in order to
// copies, nothing is written. Paths have no links in them, so that a file which the server names in
// two ways is one file.
type changeset struct {
	ctx   context.Context
	root  string // the project, as the call names it
	real  string // the same without links
	files []*changed
	note  string                              // on a line of its own, why there may be more to rename; or ""
	stale func(path string, version int) bool // the server means another version of the file
}

// newChangeset works a WorkspaceEdit out. "If documentChanges are provided they are preferred over
// changes" (LSP 3.17, WorkspaceEdit).
func newChangeset(ctx context.Context, root string, e workspaceEdit, stale func(path string, version int) bool) (*changeset, error) {
	s := &changeset{ctx: ctx, root: root, real: root, stale: stale}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		s.real = real
	}
	list := e.DocumentChanges
	if len(list) == 0 {
		for _, uri := range sortedKeys(e.Changes) {
			var d documentChange
			d.TextDocument.URI, d.Edits = uri, e.Changes[uri]
			list = append(list, d)
		}
	}
	for _, d := range list {
		if err := s.apply(d); err != nil {
			return nil, err
		}
	}
	s.files = slices.DeleteFunc(s.files, func(f *changed) bool { return f.from == f.to && f.before == f.after })
	slices.SortFunc(s.files, func(a, b *changed) int { return strings.Compare(a.path(), b.path()) })
	return s, s.clash()
}

// named is a path as the project names it: through the link that may lead to the project.
func (s *changeset) named(path string) string {
	if rel, ok := within(s.real, path); ok {
		return filepath.Join(s.root, rel)
	}
	return path
}

// path is where the file is now, or will be when it is new.
func (f *changed) path() string {
	if f.from == "" {
		return f.to
	}
	return f.from
}

func (s *changeset) apply(d documentChange) error {
	switch d.Kind {
	case "":
		return s.edit(d)
	case "create":
		return s.create(d)
	case "rename":
		return s.move(d)
	case "delete":
		return s.remove(d)
	}
	return fmt.Errorf("its answer has a change of an unknown kind, %q", d.Kind)
}

// edit applies the edits of one document.
func (s *changeset) edit(d documentChange) error {
	if len(d.Edits) == 0 {
		return nil
	}
	path, err := real(d.TextDocument.URI)
	if err != nil {
		return err
	}
	f, err := s.file(path)
	if err != nil {
		return err
	}
	if v := d.TextDocument.Version; v != nil && f.edits == 0 && s.stale(path, *v) {
		return fmt.Errorf("its edit of %s is for another version of the file — call lsp again", path)
	}
	after, err := applyEdits(f.after, d.Edits)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f.after = after
	f.edits += len(d.Edits)
	return nil
}

// create makes an empty file.
func (s *changeset) create(d documentChange) error {
	path, err := real(d.URI)
	if err != nil {
		return err
	}
	f, err := s.file(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.files = append(s.files, &changed{to: path})
	case err != nil:
		return err
	case d.Options.Overwrite:
		f.after = ""
	case !d.Options.IgnoreIfExists:
		return fmt.Errorf("it wants to create %s, which exists", path)
	}
	return nil
}

// remove deletes a file. A folder goes when it is left empty and stays when it isn't: what else is
// in it was shown to nobody.
func (s *changeset) remove(d documentChange) error {
	path, err := real(d.URI)
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil // see tidy
	}
	f, err := s.file(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && d.Options.IgnoreIfNotExists:
		return nil
	case err != nil:
		return err
	}
	f.to, f.after = "", ""
	return nil
}

// known returns the file that was at a path at the start, nil when it isn't one of the changeset's.
func (s *changeset) known(path string) *changed {
	for _, f := range s.files {
		if f.from == path {
			return f
		}
	}
	return nil
}

// exists reports whether there will be something at the path.
func (s *changeset) exists(path string) bool {
	for _, f := range s.files {
		if f.to == path {
			return true
		}
	}
	if s.known(path) != nil {
		return false // it went elsewhere
	}
	_, err := os.Lstat(path)
	return err == nil
}

// file returns what is at a path after the changes so far.
func (s *changeset) file(path string) (*changed, error) {
	for _, f := range s.files {
		if f.to == path {
			return f, nil
		}
	}
	if s.known(path) != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	data, err := tools.Disk{}.ReadFile(s.ctx, path)
	if err != nil {
		return nil, err
	}
	f := &changed{from: path, to: path, before: string(data), after: string(data)}
	s.files = append(s.files, f)
	return f, nil
}

// clash reports an error when a file would go where another one is now: such chains can't be
// carried out without a moment in which one of them is lost.
func (s *changeset) clash() error {
	for _, f := range s.files {
		if other := s.known(f.to); f.to != "" && other != nil && other != f {
			return fmt.Errorf("it wants to put %s where %s is", f.path(), f.to)
		}
	}
	return nil
}

// real is the path of a URI without links. A file that isn't there yet is in a folder that may be.
func real(uri string) (string, error) {
	path, ok := toPath(uri)
	if !ok {
		return "", fmt.Errorf("its answer is about %s, which is no file", uri)
	}
	rest := ""
	for at := path; ; {
		if found, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(found, rest), nil
		}
		parent := filepath.Dir(at)
		if parent == at {
			return path, nil
		}
		rest = filepath.Join(filepath.Base(at), rest)
		at = parent
	}
}
