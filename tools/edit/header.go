package edit

import (
	"fmt"
	"strings"
)

// Header is the first line of the result of edits: how many, what they changed, where.
func (r Result) Header(name string, d Diff, dryRun bool) string {
	done := "applied"
	if dryRun {
		done = "would apply (dry run: nothing written)"
	}
	s := fmt.Sprintf("%s: %s %s%s", name, count(len(r.Changes), "edit"), done, d.summary())
	if r.Tolerant > 0 {
		s += fmt.Sprintf(" · %d matched ignoring whitespace", r.Tolerant)
	}
	return s
}

// Written is the first line of the result of a whole file written.
func Written(name string, d Diff, created bool) string {
	if created {
		return name + ": created" + d.summary()
	}
	return name + ": replaced" + d.summary()
}

func (d Diff) summary() string {
	s := fmt.Sprintf(" · lines +%d -%d", d.Added, d.Removed)
	if d.First > 0 {
		s += fmt.Sprintf(" · first changed line %d", d.First)
	}
	return s
}

// Report is a result as the model reads it: the header and the diff, of at most maxLines lines.
func Report(header string, d Diff, maxLines int) string {
	return strings.Join(append([]string{header}, d.Format(maxLines)...), "\n")
}
