package lsp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/tools/edit"
)

// prepareRename asks the server what a rename changes and makes the plan of it.
func (t *Tool) prepareRename(ctx context.Context, q request, server Server, p tools.Plan) tools.Plan {
	var set *changeset
	err := t.use(ctx, q, server, func(ctx context.Context, c *conn) (err error) {
		set, err = c.plan(ctx, q)
		return err
	})
	if err != nil {
		p.Refused = tools.Truncate(failure(ctx, q, server, err), t.o.MaxOutput)
		return p
	}
	p.Locations = nil
	for _, f := range set.files {
		p.Diffs = append(p.Diffs, set.diffs(f)...)
		p.Locations = append(p.Locations, consent.Location{Path: set.named(f.path()), Line: edit.Compare(f.before, f.after).First})
	}
	p.Run = func(ctx context.Context, host ui.Host) tools.Result {
		defer pulse(host.Alive)()
		return t.rename(ctx, q, server, set)
	}
	return p
}

// plan asks the server and works its answer out.
func (c *conn) plan(ctx context.Context, q request) (*changeset, error) {
	began := time.Now()
	d, err := c.openFor(ctx, q)
	if err != nil {
		return nil, err
	}
	var answer workspaceEdit
	err = c.find(ctx, q, d, func(p position) (bool, error) {
		answer = workspaceEdit{}
		err := c.ask(ctx, d, "textDocument/rename", positionParams{TextDocument: documentID{d.uri}, Position: p, NewName: q.newName}, &answer)
		return len(answer.Changes)+len(answer.DocumentChanges) > 0, err
	})
	if err != nil {
		return nil, err
	}
	set, err := newChangeset(ctx, q.root, answer, c.stale)
	switch {
	case err != nil:
		return nil, err
	case len(set.files) == 0:
		return nil, refusal(fmt.Sprintf("[lsp: nothing to rename: it is called %s already]", q.newName))
	}
	set.note = c.unfinished()
	return set, set.usable(began)
}

// stale reports whether the server means another version of a document than the last that it was
// sent.
func (c *conn) stale(path string, version int) bool {
	for _, d := range c.docs {
		if d.real == path || d.path == path {
			return d.version != version
		}
	}
	return false
}

// usable reports an error when a file can't be written, or changed since the server was told of all
// changes: its edits may be for what the file was before.
func (s *changeset) usable(told time.Time) error {
	for _, f := range s.files {
		if info, err := os.Stat(f.from); err == nil && info.ModTime().After(told) {
			return refusal(fmt.Sprintf("[lsp: nothing was renamed: %s changed meanwhile — call lsp again]", shown(s.root, f.from)))
		}
		for _, path := range []string{f.from, f.to} {
			if path == "" {
				continue
			}
			if _, err := (tools.Disk{}).Inspect(path); err != nil {
				return refusal(fmt.Sprintf("[lsp: nothing was renamed: %s can't be written: %v]", shown(s.root, path), cause(err)))
			}
		}
	}
	return nil
}

// cause is an error without the operation and path that the text around it has.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// rename carries a rename out and tells the server.
func (t *Tool) rename(ctx context.Context, q request, server Server, set *changeset) tools.Result {
	if err := set.commit(ctx); err != nil {
		return tools.Result{Text: uncommitted(ctx, q, err), Failed: true}
	}
	// Whatever comes of telling the server, the rename is done; a server that has died is told when
	// it is started again.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.limits.busy)
	defer cancel()
	if err := t.tell(ctx, q, server, set); err != nil {
		t.o.Log("%s: telling it of a rename: %v", server.Name, err)
	}
	r := tools.Result{Text: tools.Truncate(set.summary(q), t.o.MaxOutput)}
	for _, f := range set.files {
		r.Files = append(r.Files, set.counts(f)...)
	}
	return r
}

// uncommitted is the text for a rename of which nothing was done.
func uncommitted(ctx context.Context, q request, err error) string {
	var moved *movedError
	switch {
	case ctx.Err() != nil:
		return "[lsp: cancelled, nothing was renamed]"
	case errors.As(err, &moved):
		return fmt.Sprintf("[lsp: nothing was renamed: %s %s after the rename was worked out — call lsp again]", shown(q.root, moved.path), moved.how)
	}
	return fmt.Sprintf("[lsp: nothing was renamed: %s]", oneLine(err.Error()))
}

// tell tells the server what the files are now: those that are open get their new text, of the
// others it learns that they changed.
func (t *Tool) tell(ctx context.Context, q request, server Server, set *changeset) error {
	s, err := t.slot(q.root, server)
	if err != nil {
		return err
	}
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer s.release()
	c := s.conn
	if c == nil || c.dead() {
		return nil
	}
	_, err = c.refresh(ctx, "", set.events()...)
	return err
}
