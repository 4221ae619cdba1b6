package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// ReadFile shows a text file, or some of its lines (tools.fr.md, read_file).
type ReadFile struct{ fileTool }

// NewReadFile returns the read_file tool.
func NewReadFile(o FileOptions) *ReadFile {
	return &ReadFile{newFileTool("read_file", consent.KindRead, o)}
}

// Spec declares the tool.
func (t *ReadFile) Spec() Spec {
	return Spec{
		Name:        t.name,
		Description: "Read a text file, or its lines start to end.",
		Parameters:  json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"start":{"type":"integer","description":"First line, from 1"},"end":{"type":"integer","description":"Last line"},"numbered":{"type":"boolean","description":"Show line numbers"}},"required":["path"]}`),
		Counter:     t.counter(),
	}
}

// lineRange is a part of a file: lines from 1, end included. Zero means from the start, to the end.
type lineRange struct {
	start, end int
	numbered   bool
}

// Prepare resolves a call.
func (t *ReadFile) Prepare(_ context.Context, c Call) Plan {
	args, f, plan := t.start(c)
	if plan.Refused != "" {
		return plan
	}
	r, err := args.lines()
	if err != nil {
		plan.Refused = "[" + t.name + ": " + err.Error() + "]"
		return plan
	}
	plan.Locations[0].Line = r.start
	switch {
	case r.end > 0:
		plan.Title += fmt.Sprintf(" (lines %d-%d)", max(r.start, 1), r.end)
	case r.start > 0:
		plan.Title += fmt.Sprintf(" (from line %d)", r.start)
	}
	plan.Run = func(ctx context.Context, _ ui.Host) Result { return t.read(ctx, f, r) }
	return plan
}

// lines reads the range. Models that know other tools send offset and limit.
func (a fileArgs) lines() (r lineRange, err error) {
	if r.start, err = a.number("start", "start_line", "offset"); err != nil {
		return r, err
	}
	if r.end, err = a.number("end", "end_line"); err != nil {
		return r, err
	}
	limit, err := a.number("limit")
	if err != nil {
		return r, err
	}
	if r.end == 0 && limit > 0 {
		r.end = max(r.start, 1) + limit - 1
	}
	if r.end > 0 && r.start > r.end {
		return r, fmt.Errorf("start %d is after end %d", r.start, r.end)
	}
	r.numbered, err = a.flag("numbered")
	return r, err
}

func (t *ReadFile) read(ctx context.Context, f file, r lineRange) Result {
	data, err := t.fs.ReadFile(ctx, f.path)
	if err != nil {
		return Result{Text: t.problem(f, "read", err), Failed: true}
	}
	if why := notText(f.name, data); why != "" {
		return Result{Text: why + " — look at it with a command (file, xxd, strings)", Failed: true}
	}
	text, failed := r.of(f.name, strings.TrimPrefix(string(data), "\ufeff"))
	return Result{Text: Truncate(text, t.max), Failed: failed}
}

// of is the range of a text as the model reads it. The final line end is there only when the end
// of the file is shown.
func (r lineRange) of(name, text string) (shown string, failed bool) {
	if text == "" {
		return "[" + name + " is empty]", false
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	from, to := max(r.start-1, 0), len(lines)
	if from >= to {
		return fmt.Sprintf("[%s has only %s: there is no line %d]", name, plural(to, "line"), r.start), true
	}
	if r.end > 0 {
		to = min(to, r.end)
	}
	var b strings.Builder
	for i, l := range lines[from:to] {
		if r.numbered {
			b.WriteString(strconv.Itoa(from+i+1) + " │ ")
		}
		b.WriteString(l)
	}
	shown = b.String()
	if to < len(lines) {
		shown = strings.TrimSuffix(strings.TrimSuffix(shown, "\n"), "\r")
	}
	if shown == "" { // a blank line alone; a result is never empty (supplement 16)
		shown = "\n"
	}
	return shown, false
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
