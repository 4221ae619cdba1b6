package lsp

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/mini-me/mm/tools"
)

// maxOpen bounds how many documents are open at a server. The one that was asked about the longest
// ago is closed first.
const maxOpen = 100

// document is a file as a server knows it.
type document struct {
	path    string
	real    string // path without links
	uri     string
	version int
	text    *text
	stamp   stamp
	used    int // grows with each use
	// sent is how many publications of diagnostics there had been when this text was sent.
	sent int
}

// content is a file as it was read.
type content struct {
	text  string
	stamp stamp // from before it was read
}

func load(ctx context.Context, path string) (content, error) {
	info, err := os.Stat(path)
	if err != nil {
		return content{}, err
	}
	data, err := tools.Disk{}.ReadFile(ctx, path)
	return content{string(data), stampOf(info)}, err
}

// fileError is a failure to read the file that a call is about.
type fileError struct{ err error }

func (e *fileError) Error() string { return e.err.Error() }

// open brings all that the server knows of files up to date with the disk, path among them, and
// returns path's document. told says whether the server had to be told anything.
func (c *conn) open(ctx context.Context, path string) (d *document, told bool, err error) {
	now, err := load(ctx, path)
	if err != nil {
		return nil, false, &fileError{err}
	}
	told, err = c.refresh(ctx, path)
	if err != nil {
		return nil, false, err
	}
	d = c.docs[path]
	switch {
	case d == nil:
		told = true
		d, err = c.didOpen(path, now)
	case d.text.s != now.text:
		told = true
		err = c.didChange(d, now)
	}
	if err != nil {
		return nil, false, err
	}
	d.used = c.uses()
	return d, told, c.closeOldest()
}

func (c *conn) uses() int {
	n := 0
	for _, d := range c.docs {
		n = max(n, d.used)
	}
	return n + 1
}

// refresh tells the server of files that changed on disk: those that are open get their new text,
// of all others it learns that they changed, also of those that more tells of. The document of
// except, if any, is left as it is.
func (c *conn) refresh(ctx context.Context, except string, more ...fileEvent) (told bool, err error) {
	events := c.watch.changes()
	for _, e := range more {
		if !slices.ContainsFunc(events, func(f fileEvent) bool { return f.URI == e.URI }) {
			events = append(events, e)
		}
	}
	if len(events) > 0 {
		told = true
		if err := c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": events}); err != nil {
			return told, err
		}
	}
	for _, path := range sortedKeys(c.docs) {
		if path == except {
			continue
		}
		changed, err := c.reread(ctx, c.docs[path])
		if err != nil {
			return told, err
		}
		told = told || changed
	}
	return told, nil
}

// reread gives the server the new text of an open document, or closes it when there is none.
func (c *conn) reread(ctx context.Context, d *document) (changed bool, err error) {
	if info, err := os.Stat(d.path); err == nil && stampOf(info) == d.stamp {
		return false, nil
	}
	now, err := load(ctx, d.path)
	switch {
	case err != nil:
		return true, c.didClose(d)
	case d.text.s == now.text:
		d.stamp = now.stamp
		return false, nil
	}
	return true, c.didChange(d, now)
}

func (c *conn) didOpen(path string, now content) (*document, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	d := &document{path: path, real: real, uri: toURI(path), version: 1, text: newText(now.text), stamp: now.stamp, sent: c.publications()}
	c.docs[path] = d
	return d, c.notify("textDocument/didOpen", map[string]documentItem{"textDocument": {
		URI: d.uri, LanguageID: c.server.language(filepath.Ext(path)), Version: d.version, Text: now.text,
	}})
}

// didChange sends the whole text. didSave follows, since it is on disk: some servers check only
// then.
func (c *conn) didChange(d *document, now content) error {
	d.version++
	d.text, d.stamp, d.sent = newText(now.text), now.stamp, c.publications()
	err := c.notify("textDocument/didChange", map[string]any{
		"textDocument":   versionedID{d.uri, d.version},
		"contentChanges": []map[string]string{{"text": now.text}},
	})
	if err == nil {
		err = c.notify("textDocument/didSave", map[string]documentID{"textDocument": {d.uri}})
	}
	return err
}

func (c *conn) didClose(d *document) error {
	delete(c.docs, d.path)
	c.update(func() { delete(c.published, d.path) })
	return c.notify("textDocument/didClose", map[string]documentID{"textDocument": {d.uri}})
}

func (c *conn) closeOldest() error {
	if len(c.docs) <= maxOpen {
		return nil
	}
	oldest := slices.MinFunc(sortedKeys(c.docs), func(a, b string) int { return c.docs[a].used - c.docs[b].used })
	return c.didClose(c.docs[oldest])
}
