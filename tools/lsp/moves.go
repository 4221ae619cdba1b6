package lsp

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// maxMoved bounds how many files a rename of a folder may move.
const maxMoved = 2000

// move renames a file, or a folder with all the files in it.
func (s *changeset) move(d documentChange) error {
	from, err := real(d.OldURI)
	if err != nil {
		return err
	}
	to, err := real(d.NewURI)
	if err != nil {
		return err
	}
	paths, err := s.below(from)
	if err != nil {
		return err
	}
	for _, path := range paths {
		f, err := s.file(path)
		if err != nil {
			return err
		}
		target := to + strings.TrimPrefix(path, from)
		if s.exists(target) && target != f.from {
			if d.Options.IgnoreIfExists && !d.Options.Overwrite {
				continue
			}
			return fmt.Errorf("it wants to rename %s to %s, which exists", path, target)
		}
		f.to = target
	}
	return nil
}

// below lists the files that are or will be at a path or below it.
func (s *changeset) below(path string) ([]string, error) {
	list := []string{}
	for _, f := range s.files {
		if inside(path, f.to) {
			list = append(list, f.to)
		}
	}
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case len(list) > maxMoved:
			return fmt.Errorf("it wants to move more than %d files", maxMoved)
		case s.known(p) == nil:
			list = append(list, p)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) && len(list) > 0 {
		err = nil // there are only files that were moved there
	}
	slices.Sort(list)
	return list, err
}

func inside(folder, path string) bool {
	return path == folder || strings.HasPrefix(path, folder+string(filepath.Separator))
}
