package web

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// inspector is a file system that can tell beforehand where a write ends up; tools.Disk is one.
type inspector interface {
	Inspect(path string) (target string, err error)
}

// inspect finds out whether the output can be written, before anything is fetched, and names in the
// plan the file that a link leads to.
func (t *tool) inspect(r request, p *tools.Plan) *fault {
	in, ok := t.o.Files.(inspector)
	if !ok {
		return nil
	}
	to, err := in.Inspect(r.path)
	if err != nil {
		return unwritable(r, err)
	}
	if r.elsewhere(to) {
		p.Title += " → " + to
	}
	return nil
}

// elsewhere reports whether the output ends up in another file than it seems to name. Links above
// the working folder are no news to anybody.
func (r request) elsewhere(to string) bool {
	if to == r.path {
		return false
	}
	rel, err := filepath.Rel(r.cwd, r.path)
	if err != nil || !filepath.IsLocal(rel) {
		return true
	}
	cwd, err := filepath.EvalSymlinks(r.cwd)
	return err != nil || to != filepath.Join(cwd, rel)
}

// save writes the Markdown. The whole file is replaced.
func (t *tool) save(ctx context.Context, r request, md string) (ui.FileChange, *fault) {
	change := ui.FileChange{Path: r.path, Added: strings.Count(md, "\n")}
	if old, err := t.o.Files.ReadFile(ctx, r.path); err == nil {
		if string(old) == md {
			change.Added = 0
		} else {
			change.Removed = lines(string(old))
		}
	}
	if err := t.o.Files.WriteFile(ctx, r.path, []byte(md)); err != nil {
		if ctx.Err() != nil {
			return ui.FileChange{}, faultf(input, "cancelled, nothing was saved")
		}
		return ui.FileChange{}, unwritable(r, err)
	}
	return change, nil
}

func lines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && !strings.HasSuffix(s, "\n") {
		n++
	}
	return n
}

// unwritable is the fault for an output that can't be written.
func unwritable(r request, err error) *fault {
	why, advice := "", ""
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrPermission):
		why = "permission denied"
	case errors.Is(err, syscall.ENOTDIR):
		why, advice = "a part of its path is a file, not a folder", " — check the path"
	case errors.Is(err, syscall.ENOSPC):
		why, advice = "the disk is full", " — free some space, then try again"
	case errors.As(err, &pe):
		why = pe.Err.Error()
	default:
		why = err.Error()
	}
	if advice == "" {
		advice = " — choose another output"
	}
	return faultf(conversion, "%s can't be written: %s%s", r.output, why, advice)
}
