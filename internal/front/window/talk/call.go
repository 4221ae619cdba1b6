package talk

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// call is a tool call: a line that says what runs and how it went, and its output or diff, folded.
type call struct {
	base
	e       ui.ToolCall
	name    string // "bash", or "bash jan ·" for an asked agent's
	title   string // what runs, safe to show
	began   time.Time
	took    time.Duration
	version int
	waits   bool     // for a person
	output  []string // chunks, once it has ended
	lines   int      // of the output
	changes diff
	touched bool // the person has folded or unfolded it
}

// failedPreview is how many lines of a failed call's output are shown while it is folded, and
// shortDiff how long a diff is that is shown at once.
const (
	failedPreview = 3
	shortDiff     = 16
)

// update takes the call's next state.
func (t *call) update(e ui.ToolCall, now time.Time, cwd string) {
	if e.Status == ui.InProgress && t.began.IsZero() {
		t.began = now
	}
	t.e = e
	t.title = strings.TrimRight(ui.Clean(e.Title), "\n")
	t.name = ui.CleanLine(e.Tool)
	if t.name == "" {
		t.name = string(e.Kind)
	}
	t.version++
	if !e.Done() {
		return
	}
	t.took = e.Duration
	if t.took == 0 && !t.began.IsZero() {
		t.took = now.Sub(t.began)
	}
	t.waits = false
	if e.Status == ui.Completed {
		t.changes = newDiff(e.Diffs, cwd)
	}
	if len(t.changes.pieces) == 0 {
		output := strings.TrimRight(ui.Clean(e.Output), "\n ")
		t.output, t.lines = chunks(output), lineCount(output)
	}
	t.foldable = t.lines > 0 || len(t.changes.pieces) > 0
	if !t.touched {
		t.folded = len(t.changes.pieces) == 0 || t.changes.lines > shortDiff
	}
}

func lineCount(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(s, "\n") + 1
}

func (t *call) parts() int {
	if t.folded || !t.e.Done() {
		return 1
	}
	return 1 + len(t.output) + len(t.changes.pieces)
}

func (t *call) rev(c canvas, _ int) int {
	v := t.version<<2 | flag(t.waits)<<1 | flag(t.folded)
	if t.e.Done() || t.e.Status == ui.Pending {
		return v
	}
	return v<<32 | int(c.now.UnixMilli()/spinTime)&0xffffffff
}

func (t *call) draw(c canvas, i int) []paint.Line {
	if i == 0 {
		return t.head(c)
	}
	if i--; i < len(t.output) {
		return plainLines(t.output[i], c.width, c.m, false, "  ", paint.Faint)
	}
	return t.changes.pieces[i-len(t.output)].draw(c)
}

// head is "‣ name title  ✓ 1.2 s ▸ 12 lines", and below it what doesn't fit there.
func (t *call) head(c canvas) []paint.Line {
	status, st := t.status(c)
	fold := t.foldWord()
	agent := ""
	if t.e.Agent != "" {
		agent = path(t.e.Agent) + " · "
	}
	first, _, several := strings.Cut(t.title, "\n")
	mark, name := "‣ ", t.name+" "
	room := c.width - cells.Width(mark+name+agent+status+fold, c.m) - 2
	title := first
	if room < cells.Width(first, c.m) || several {
		title = cells.Cut(first+" …", max(room, 4), c.m)
	}
	line := paint.Text(mark, paint.Faint, c.m).Add(name, paint.Bold, c.m)
	line = line.Add(cells.Cut(agent+title, max(1, c.width-line.Width), c.m), paint.Plain, c.m)
	var out []paint.Line
	if line.Width+2+cells.Width(status+fold, c.m) > c.width {
		out, line = append(out, line), paint.Line{}
	} else {
		line = line.Add("  ", paint.Plain, c.m)
	}
	line = line.Add(cells.Cut(status, max(1, c.width-line.Width), c.m), st, c.m)
	line = line.Add(cells.Cut(fold, max(0, c.width-line.Width), c.m), paint.Faint, c.m)
	out = append(out, line)
	if title != first && (!t.folded || !t.e.Done() && t.waits) {
		out = append(out, plainLines(t.title, c.width, c.m, false, "  ", paint.Plain)...)
	}
	if t.folded && t.e.Status == ui.Failed && t.e.Refused == "" {
		out = append(out, t.preview(c)...)
	}
	return out
}

// preview is the beginning of a failed call's output.
func (t *call) preview(c canvas) []paint.Line {
	if len(t.output) == 0 {
		return nil
	}
	lines := strings.SplitN(t.output[0], "\n", failedPreview+1)
	lines = lines[:min(len(lines), failedPreview)]
	for i, l := range lines {
		lines[i] = cells.Cut(strings.ReplaceAll(l, "\t", "    "), max(1, c.width-2), c.m)
	}
	return plainLines(strings.Join(lines, "\n"), c.width, c.m, false, "  ", paint.Faint)
}

// spinTime is how long the spinner keeps one shape, in milliseconds.
const spinTime = 120

// Spinner is what turns while something runs.
func Spinner(now time.Time) string {
	shapes := [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}
	return shapes[now.UnixMilli()/spinTime%int64(len(shapes))]
}

// status says how the call goes, in a word or a sign as well as in a colour.
func (t *call) status(c canvas) (string, paint.Style) {
	switch {
	case t.waits:
		return "… waiting for your answer", paint.Yellow
	case t.e.Status == ui.Pending:
		return "…", paint.Faint
	case !t.e.Done():
		return Spinner(c.now) + " " + Duration(c.now.Sub(t.began)), paint.Cyan
	case t.e.Refused != "":
		return "✗ " + ui.CleanLine(t.e.Refused), paint.Red
	case t.e.Status == ui.Failed:
		text := "✗ "
		if t.e.ExitCode != nil && *t.e.ExitCode != 0 {
			text += "exit " + strconv.Itoa(*t.e.ExitCode) + " · "
		}
		return text + Duration(t.took), paint.Red
	}
	return "✓ " + Duration(t.took), paint.Green
}

// foldWord says what can be unfolded.
func (t *call) foldWord() string {
	if !t.foldable {
		return ""
	}
	switch {
	case len(t.changes.pieces) > 0:
		return fmt.Sprintf(" %s +%d -%d", foldMark(t.folded), t.changes.added, t.changes.removed)
	case t.lines == 1:
		return " " + foldMark(t.folded) + " 1 line"
	}
	return fmt.Sprintf(" %s %d lines", foldMark(t.folded), t.lines)
}

func (t *call) plain(i int) string {
	if i == 0 {
		return t.name + " " + path(t.e.Agent) + " " + t.title
	}
	if i--; i < len(t.output) {
		return t.output[i]
	}
	return t.changes.pieces[i-len(t.output)].plain()
}

// source is the output, or the diff, or what was to run.
func (t *call) source() string {
	switch {
	case len(t.changes.pieces) > 0:
		return t.changes.text()
	case len(t.output) > 0:
		return strings.TrimRight(ui.Clean(t.e.Output), "\n ")
	}
	return t.title
}

// Duration words a time: "0.3 s", "42 s", "3 min 5 s".
func Duration(d time.Duration) string {
	switch {
	case d < 0:
		return "0.0 s"
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	}
	return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
}
