package tools

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools/edit"
)

// inspector is a file system that can tell beforehand where a write would end up, so that a person
// is asked about that and not about a link to it, and whether it can succeed at all.
type inspector interface {
	Inspect(path string) (target string, err error)
}

// FileOptions configure read_file, write_file and edit_file.
type FileOptions struct {
	Files     ui.FileSystem // nil: the Disk
	MaxOutput int           // characters of a result; 0: all
}

// diffLines is how many lines of a diff a result shows: the model knows what it wrote.
const diffLines = 80

// fileTool is what the three file tools have in common.
type fileTool struct {
	name string
	kind consent.Kind
	fs   ui.FileSystem
	max  int
}

func newFileTool(name string, kind consent.Kind, o FileOptions) fileTool {
	if o.Files == nil {
		o.Files = Disk{}
	}
	return fileTool{name: name, kind: kind, fs: o.Files, max: o.MaxOutput}
}

func (t fileTool) counter() Counter { return Counter{Icon: "📝", Noun: "file op"} }

// file is a call's file: as the model named it, where it is, and the call's working folder.
type file struct{ name, path, cwd string }

// start reads the arguments and finds the file. Without arguments that name one, the plan is
// refused.
func (t fileTool) start(c Call) (fileArgs, file, Plan) {
	plan := Plan{Title: t.name, Kind: t.kind, Line: "📝 " + t.name}
	args, err := readFileArgs(c.Args)
	if err != nil {
		plan.Refused = BadArguments(t.name, err)
		return nil, file{}, plan
	}
	f, err := args.file(c.Cwd)
	if err != nil {
		plan.Refused = "[" + t.name + ": " + err.Error() + "]"
		return nil, file{}, plan
	}
	plan.Title = f.name
	plan.Line += ": " + f.name
	plan.Locations = []consent.Location{{Path: f.path}}
	return args, f, plan
}

// file finds the file that the arguments name.
func (a fileArgs) file(cwd string) (file, error) {
	name, _, err := a.text("path", "file_path", "filepath", "filename", "file")
	if err != nil {
		return file{}, err
	}
	name = strings.TrimSpace(name)
	if rest, ok := strings.CutPrefix(name, "file://"); ok { // as editors hand them to models
		if name, err = url.PathUnescape(rest); err != nil {
			return file{}, errors.New("path is not a readable file URL — give a plain path")
		}
	}
	switch {
	case name == "":
		return file{}, errors.New("path is empty — give the path of a file, relative to the working folder")
	case name == "~" || strings.HasPrefix(name, "~/"):
		return file{}, errors.New("~ has no meaning here — give an absolute path, or one relative to the working folder")
	case strings.ContainsRune(name, 0):
		return file{}, errors.New("path has a NUL character in it — give a plain path")
	case strings.HasSuffix(name, "/"):
		return file{}, errors.New("path names a folder — give the path of a file")
	case filepath.IsAbs(name):
		return file{name, filepath.Clean(name), cwd}, nil
	}
	return file{name, filepath.Join(cwd, name), cwd}, nil
}

// elsewhere reports whether the target is another file than the path seems to name. Links above
// the working folder are no news to anybody.
func (f file) elsewhere(target string) bool {
	if target == "" || target == f.path {
		return false
	}
	rel, err := filepath.Rel(f.cwd, f.path)
	if err != nil || !filepath.IsLocal(rel) {
		return true
	}
	cwd, err := filepath.EvalSymlinks(f.cwd)
	return err != nil || target != filepath.Join(cwd, rel)
}

// change is a file that a call replaces: what was read, and what is to be written.
type change struct {
	file
	target string // where the bytes end up, "" when the file system can't tell
	before []byte // nil: there is no file yet
	after  string
	diff   edit.Diff
}

// plan completes a plan that asks for permission: the person sees what is then written.
func (t fileTool) plan(p Plan, ch change, text string) Plan {
	ch.target, p.Refused = t.inspect(ch.file)
	if p.Refused != "" {
		return p
	}
	if ch.elsewhere(ch.target) {
		p.Title += " → " + ch.target
	}
	d := consent.Diff{Path: ch.path, New: ch.after}
	if ch.before != nil {
		old := string(ch.before)
		d.Old = &old
	}
	p.Diffs = []consent.Diff{d}
	p.Locations[0].Line = ch.diff.First
	p.Asks = consent.UnlessYolo
	p.Run = func(ctx context.Context, _ ui.Host) Result { return t.write(ctx, ch, text) }
	return p
}

// inspect returns where a write to the file goes, or why it can't be written.
func (t fileTool) inspect(f file) (target, refused string) {
	in, ok := t.fs.(inspector)
	if !ok {
		return "", ""
	}
	target, err := in.Inspect(f.path)
	if err != nil {
		return "", t.problem(f, "write", err)
	}
	return target, ""
}

// write writes the file if it still is what the person was asked about.
func (t fileTool) write(ctx context.Context, ch change, text string) Result {
	why := t.changed(ctx, ch)
	if ctx.Err() != nil {
		return Result{Text: "[" + t.name + ": cancelled, nothing was written]", Failed: true}
	}
	if why != "" {
		return Result{Text: ch.name + " " + why + ": nothing was written — read it again with read_file, then repeat the change", Failed: true}
	}
	if err := t.fs.WriteFile(ctx, ch.path, []byte(ch.after)); err != nil {
		return Result{Text: t.problem(ch.file, "write", err), Failed: true}
	}
	return Result{
		Text:  Truncate(text, t.max),
		Files: []ui.FileChange{{Path: ch.path, Added: ch.diff.Added, Removed: ch.diff.Removed}},
	}
}

// changed says how the file differs from what was planned for, "" when it doesn't.
func (t fileTool) changed(ctx context.Context, ch change) string {
	now, err := t.fs.ReadFile(ctx, ch.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && ch.before == nil:
	case errors.Is(err, fs.ErrNotExist):
		return "was removed in the meantime"
	case err == nil && ch.before == nil:
		return "was created by someone else in the meantime"
	case err != nil:
		return "can't be read any more (" + reason(err).Error() + ")"
	case string(now) != string(ch.before):
		return "changed after this call had read it"
	}
	if target, refused := t.inspect(ch.file); refused == "" && target != ch.target {
		return "leads to another file now"
	}
	return ""
}

// done is the plan of a call that changes nothing: nobody needs to be asked.
func (t fileTool) done(p Plan, r Result) Plan {
	r.Text = Truncate(r.Text, t.max)
	p.Run = func(context.Context, ui.Host) Result { return r }
	return p
}
