package tools

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/tools/edit"
)

// EditFile replaces texts in a file (tools.fr.md, edit_file). What matches is decided in package
// edit.
type EditFile struct{ fileTool }

// NewEditFile returns the edit_file tool.
func NewEditFile(o FileOptions) *EditFile {
	return &EditFile{newFileTool("edit_file", consent.KindEdit, o)}
}

// Spec declares the tool.
func (t *EditFile) Spec() Spec {
	return Spec{
		Name:        t.name,
		Description: "Replace text in a file. Each old must be in it exactly once: copy it with its indentation, with lines around it until it is unique. All edits refer to the file as it is now.",
		Parameters:  json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"new":{"type":"string","description":"Empty deletes old"}},"required":["old","new"]}},"dry_run":{"type":"boolean","description":"Report, write nothing"}},"required":["path","edits"]}`),
		Counter:     t.counter(),
	}
}

// Prepare resolves a call: reads the file and makes the edits, in memory.
func (t *EditFile) Prepare(ctx context.Context, c Call) Plan {
	args, f, plan := t.start(c)
	if plan.Refused != "" {
		return plan
	}
	edits, err := args.edits()
	if err != nil {
		plan.Refused = "[" + t.name + ": " + err.Error() + "]"
		return plan
	}
	dryRun, err := args.flag("dry_run", "dryRun")
	if err != nil {
		plan.Refused = "[" + t.name + ": " + err.Error() + "]"
		return plan
	}
	before, err := t.fs.ReadFile(ctx, f.path)
	if err != nil {
		plan.Refused = t.problem(f, "edit", err)
		return plan
	}
	if why := notText(f.name, before); why != "" {
		plan.Refused = why + " and is not edited"
		return plan
	}
	r, err := edit.Apply(f.name, string(before), edits)
	if err != nil {
		plan.Refused = Truncate(err.Error(), t.max)
		return plan
	}
	if r.Text == string(before) {
		plan.Refused = f.name + ": nothing would change — with the indentation and line ends of the file, new is what it has already"
		return plan
	}
	ch := change{file: f, before: append([]byte{}, before...), after: r.Text, diff: edit.Compare(string(before), r.Text)}
	text := edit.Report(r.Header(f.name, ch.diff, dryRun), ch.diff, diffLines)
	if dryRun {
		plan.Locations[0].Line = ch.diff.First
		return t.done(plan, Result{Text: text})
	}
	return t.plan(plan, ch, text)
}

// edits reads the edits. Small models send them as a string of JSON, as one object, or their
// fields beside path, under the names that other tools have for them.
func (a fileArgs) edits() ([]edit.Edit, error) {
	raw, ok := a["edits"]
	if !ok || string(raw) == "null" {
		if _, one, err := a.text(oldNames...); err == nil && !one {
			return nil, nil
		}
		e, err := a.edit()
		return []edit.Edit{e}, err
	}
	return readEdits(raw)
}

var (
	oldNames = []string{"old", "old_string", "old_text", "old_str", "oldText", "search"}
	newNames = []string{"new", "new_string", "new_text", "new_str", "newText", "replace"}
)

const editsShape = `edits must be a list: [{"old": "text to find", "new": "text to put there"}]`

func readEdits(raw json.RawMessage) ([]edit.Edit, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		raw = json.RawMessage(strings.TrimSpace(s))
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	var edits []edit.Edit
	for _, item := range list {
		e, err := readEdit(item)
		if err != nil {
			return nil, err
		}
		edits = append(edits, e)
	}
	return edits, nil
}

// readEdit reads one edit, which may be a string of JSON too.
func readEdit(raw json.RawMessage) (edit.Edit, error) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		raw = json.RawMessage(s)
	}
	var a fileArgs
	if json.Unmarshal(raw, &a) != nil || a == nil {
		return edit.Edit{}, errEditsShape
	}
	return a.edit()
}

// edit reads old and new. A missing new isn't taken for an empty one: that would delete.
func (a fileArgs) edit() (e edit.Edit, err error) {
	var hasOld, hasNew bool
	if e.Old, hasOld, err = a.text(oldNames...); err != nil {
		return e, err
	}
	if e.New, hasNew, err = a.text(newNames...); err != nil {
		return e, err
	}
	switch {
	case !hasOld:
		return e, errEditsShape
	case !hasNew:
		return e, errNoNew
	}
	return e, nil
}
