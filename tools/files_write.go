package tools

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/tools/edit"
)

// WriteFile creates a file or replaces all of it (tools.fr.md, write_file).
type WriteFile struct{ fileTool }

// NewWriteFile returns the write_file tool.
func NewWriteFile(o FileOptions) *WriteFile {
	return &WriteFile{newFileTool("write_file", consent.KindEdit, o)}
}

// Spec declares the tool.
func (t *WriteFile) Spec() Spec {
	return Spec{
		Name:        t.name,
		Description: "Create a file, or replace all of it. To change a part use edit_file.",
		Parameters:  json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string","description":"The whole file"}},"required":["path","content"]}`),
		Counter:     t.counter(),
	}
}

// Prepare resolves a call: the file as it is, and what would be written.
func (t *WriteFile) Prepare(ctx context.Context, c Call) Plan {
	args, f, plan := t.start(c)
	if plan.Refused != "" {
		return plan
	}
	content, found, err := args.text("content", "contents", "text", "file_text")
	if err == nil && !found {
		err = errors.New("content is missing — send the whole text of the file")
	}
	if err != nil {
		plan.Refused = "[" + t.name + ": " + err.Error() + "]"
		return plan
	}
	before, err := t.fs.ReadFile(ctx, f.path)
	created := errors.Is(err, fs.ErrNotExist)
	if err != nil && !created {
		plan.Refused = t.problem(f, "write", err)
		return plan
	}
	if why := notText(f.name, before); why != "" {
		plan.Refused = why + " and is not replaced by text — remove it first if that is meant"
		return plan
	}
	if created {
		before = nil
	} else if before == nil {
		before = []byte{}
	}
	if !created && string(before) == content {
		return t.done(plan, Result{Text: f.name + ": unchanged — it already has exactly this content, nothing was written"})
	}
	ch := change{file: f, before: before, after: content, diff: edit.Compare(string(before), content)}
	return t.plan(plan, ch, edit.Report(edit.Written(f.name, ch.diff, created), ch.diff, diffLines))
}
