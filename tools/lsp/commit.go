package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mini-me/mm/tools"
)

// movedError says that a file isn't what it was when the rename was worked out.
type movedError struct{ path, how string }

func (e *movedError) Error() string { return e.path + " " + e.how }

// commit carries the changes out: all of them or, when a file changed meanwhile or can't be written,
// none. Each file is checked again right before it is written, and what was done is undone, in
// reverse, when one fails.
func (s *changeset) commit(ctx context.Context) (err error) {
	for _, f := range s.files {
		if err := f.check(ctx); err != nil {
			return err
		}
	}
	var undo []func() error
	defer func() {
		if err == nil {
			return
		}
		for i := len(undo) - 1; i >= 0; i-- {
			if back := undo[i](); back != nil {
				err = errors.Join(err, fmt.Errorf("and it can't be undone: %w", back))
			}
		}
	}()
	for _, f := range s.files {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := f.check(ctx); err != nil {
			return err
		}
		done, err := f.write(ctx)
		undo = append(undo, done...)
		if err != nil {
			return err
		}
	}
	s.tidy()
	return nil
}

// check reports an error when the file changed, or something is where it will go.
func (f *changed) check(ctx context.Context) error {
	if f.from != "" {
		now, err := tools.Disk{}.ReadFile(ctx, f.from)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &movedError{f.from, "was removed"}
		case err != nil:
			return err
		case string(now) != f.before:
			return &movedError{f.from, "changed"}
		}
	}
	if f.to != "" && f.to != f.from {
		if _, err := os.Lstat(f.to); err == nil {
			return &movedError{f.to, "was created"}
		}
	}
	return nil
}

// write brings one file from what it was to what it will be. What it did can be undone, also after
// an error.
func (f *changed) write(ctx context.Context) (undo []func() error, err error) {
	disk := tools.Disk{}
	kept := context.WithoutCancel(ctx) // for undoing
	if f.to == "" {
		mode := fs.FileMode(0o666)
		if info, err := os.Stat(f.from); err == nil {
			mode = info.Mode().Perm()
		}
		err := os.Remove(f.from)
		if err == nil {
			undo = append(undo, func() error { return os.WriteFile(f.from, []byte(f.before), mode) })
		}
		return undo, err
	}
	if f.from != f.to {
		made, err := makeFolders(filepath.Dir(f.to))
		undo = append(undo, made...)
		if err != nil {
			return undo, err
		}
	}
	if f.from != "" && f.from != f.to {
		if err := os.Rename(f.from, f.to); err != nil {
			return undo, err
		}
		undo = append(undo, func() error { return os.Rename(f.to, f.from) })
	}
	if f.from != "" && f.before == f.after {
		return undo, nil
	}
	if err := disk.WriteFile(ctx, f.to, []byte(f.after)); err != nil {
		return undo, err
	}
	if f.from == "" {
		return append(undo, func() error { return os.Remove(f.to) }), nil
	}
	return append(undo, func() error { return disk.WriteFile(kept, f.to, []byte(f.before)) }), nil
}

// makeFolders makes a folder and those above it.
func makeFolders(dir string) (undo []func() error, err error) {
	if _, err := os.Stat(dir); err == nil {
		return nil, nil
	}
	undo, err = makeFolders(filepath.Dir(dir))
	if err == nil {
		err = os.Mkdir(dir, 0o777)
	}
	if err == nil {
		undo = append(undo, func() error { return os.Remove(dir) })
	}
	return undo, err
}

// tidy removes the folders that are empty after files were moved out of them.
func (s *changeset) tidy() {
	for _, f := range s.files {
		if f.from == "" || f.from == f.to {
			continue
		}
		for dir := filepath.Dir(f.from); os.Remove(dir) == nil; dir = filepath.Dir(dir) {
			continue // Remove refuses a folder with something in it
		}
	}
}
