package lsp

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxWatched bounds how many files and folders are looked at before a call.
const maxWatched = 20_000

// watcher finds files of the project that changed on disk between two calls. Servers are told, as
// an editor would tell them: what a command or edit_file did to a file that isn't open is in no
// other message (LSP 3.17, workspace/didChangeWatchedFiles).
type watcher struct {
	root   string
	server Server
	seen   map[string]stamp // nil when the project is too large
}

// stamp tells one state of a file from the next.
type stamp struct {
	changed time.Time
	size    int64
}

func stampOf(info fs.FileInfo) stamp { return stamp{info.ModTime(), info.Size()} }

func newWatcher(root string, server Server) *watcher {
	w := &watcher{root: root, server: server}
	w.seen = w.look()
	return w
}

// changes returns what happened since the last call of it, in the order of the paths.
func (w *watcher) changes() []fileEvent {
	if w.seen == nil {
		return nil
	}
	now := w.look()
	var events []fileEvent
	for path, s := range now {
		was, ok := w.seen[path]
		switch {
		case !ok:
			events = append(events, fileEvent{toURI(path), fileCreated})
		case was != s:
			events = append(events, fileEvent{toURI(path), fileChanged})
		}
	}
	if now != nil {
		for path := range w.seen {
			if _, ok := now[path]; !ok {
				events = append(events, fileEvent{toURI(path), fileDeleted})
			}
		}
	}
	w.seen = now
	slices.SortFunc(events, func(a, b fileEvent) int { return strings.Compare(a.URI, b.URI) })
	return events
}

// look notes the state of every file that may matter to the server, nil when there are too many.
func (w *watcher) look() map[string]stamp {
	seen, n := map[string]stamp{}, 0
	err := filepath.WalkDir(w.root, func(path string, d fs.DirEntry, err error) error {
		if n++; n > maxWatched {
			return fs.ErrInvalid
		}
		switch {
		case err != nil:
			return nil // it can't be read: nobody else can read it either
		case d.IsDir() && path != w.root && skipped(d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular() || !w.matters(d.Name()):
			return nil
		}
		if info, err := d.Info(); err == nil {
			seen[path] = stampOf(info)
		}
		return nil
	})
	if err != nil {
		return nil
	}
	return seen
}

// skipped reports whether a folder holds what others wrote or what can be made again.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || slices.Contains([]string{"node_modules", "vendor", "target", "__pycache__"}, name)
}

// matters reports whether a file is one of the server's or may be one that sets a project up.
func (w *watcher) matters(name string) bool {
	return w.server.serves(name) ||
		slices.Contains([]string{".mod", ".sum", ".work", ".json", ".toml", ".cfg", ".ini", ".txt"}, strings.ToLower(filepath.Ext(name)))
}
