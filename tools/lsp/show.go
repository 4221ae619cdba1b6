package lsp

import (
	"fmt"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools/edit"
)

// diffs are the changes of the file as a person is asked about them. A move is the end of one file
// and the beginning of another.
func (s *changeset) diffs(f *changed) []consent.Diff {
	var list []consent.Diff
	before := &f.before
	if f.from != "" && f.from != f.to {
		list = append(list, consent.Diff{Path: s.named(f.from), Old: before, New: ""})
		before = nil
	}
	if f.from == "" {
		before = nil
	}
	if f.to != "" {
		list = append(list, consent.Diff{Path: s.named(f.to), Old: before, New: f.after})
	}
	return list
}

// counts are the lines that were added and removed, by file.
func (s *changeset) counts(f *changed) []ui.FileChange {
	var list []ui.FileChange
	for _, d := range s.diffs(f) {
		old := ""
		if d.Old != nil {
			old = *d.Old
		}
		diff := edit.Compare(old, d.New)
		list = append(list, ui.FileChange{Path: d.Path, Added: diff.Added, Removed: diff.Removed})
	}
	return list
}

// summary is the result: how many edits, in all and by file.
func (s *changeset) summary(q request) string {
	edits, files := 0, 0
	var lines []string
	for _, f := range s.files {
		name := shown(q.root, f.path())
		if f.edits > 0 {
			edits, files = edits+f.edits, files+1
		}
		switch {
		case f.from == "":
			lines = append(lines, name+": created")
		case f.to == "":
			lines = append(lines, name+": deleted")
		case f.from != f.to && f.edits > 0:
			lines = append(lines, fmt.Sprintf("%s: %d edit(s), renamed to %s", name, f.edits, shown(q.root, f.to)))
		case f.from != f.to:
			lines = append(lines, fmt.Sprintf("%s: renamed to %s", name, shown(q.root, f.to)))
		default:
			lines = append(lines, fmt.Sprintf("%s: %d edit(s)", name, f.edits))
		}
	}
	return fmt.Sprintf("renamed to %s: %d edit(s) in %d file(s)\n", q.newName, edits, files) + strings.Join(lines, "\n") + s.note
}

// events are what happened to the files.
func (s *changeset) events() []fileEvent {
	var events []fileEvent
	for _, f := range s.files {
		switch {
		case f.from == "":
			events = append(events, fileEvent{toURI(s.named(f.to)), fileCreated})
		case f.from == f.to:
			events = append(events, fileEvent{toURI(s.named(f.to)), fileChanged})
		default:
			events = append(events, fileEvent{toURI(s.named(f.from)), fileDeleted})
			if f.to != "" {
				events = append(events, fileEvent{toURI(s.named(f.to)), fileCreated})
			}
		}
	}
	return events
}
