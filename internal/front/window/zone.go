package window

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/front/window/talk"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// guard is how long after a question has appeared, and after the last key that was typed into the
// input, no key answers it: what was being typed isn't an answer.
const guard = 600 * time.Millisecond

// zone is the permission question that is shown.
type zone struct {
	q     *consent.Question
	cwd   string
	since time.Time // when it appeared
	top   int       // first line of the body that is shown
	body  []paint.Line
	drawn drawnFor
	room  int // lines that the body had
}

// drawnFor is what the body was laid out for.
type drawnFor struct {
	width int
	m     cells.Measure
	place string
}

func newZone(q *consent.Question, cwd string, now time.Time) *zone {
	return &zone{q: q, cwd: cwd, since: now}
}

// title is "🔐 jan · homer · bash: make test"; what doesn't fit stands in the body.
func (z *zone) title() (head, what string) {
	parts := append(z.q.Path(), z.q.Tool)
	return "🔐 " + ui.CleanLine(strings.Join(parts, " · ")) + ": ", strings.TrimRight(ui.Clean(z.q.Title), "\n")
}

// layout makes the body: what will run in full, as far as the title's line doesn't say it.
func (z *zone) layout(width int, m cells.Measure) {
	now := drawnFor{width, m, z.place()}
	if z.body != nil && z.drawn == now {
		return
	}
	z.drawn, z.body = now, []paint.Line{}
	head, what := z.title()
	if strings.Contains(what, "\n") || cells.Width(head+what+now.place, m) > width {
		z.add(what, width, m)
	}
	for _, d := range z.q.Diffs {
		z.body = append(z.body, talk.DiffLines(strings.TrimRight(talk.Unified(d, z.cwd), "\n"), width, m)...)
	}
	if len(z.q.Diffs) == 0 {
		z.add(arguments(z.q.Input, z.q.Title), width, m)
	}
}

// place is "1 of 3" when others wait.
func (z *zone) place() string {
	n, of := z.q.Place()
	if of < 2 {
		return ""
	}
	return fmt.Sprintf(" %d of %d", n, of)
}

func (z *zone) add(text string, width int, m cells.Measure) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		for _, row := range cells.Break(line, max(1, width-2), m, false) {
			z.body = append(z.body, paint.Text("  "+row, paint.Plain, m))
		}
	}
}

// arguments are the raw arguments of a call that its title doesn't tell, a line each.
func arguments(input json.RawMessage, title string) string {
	dec := json.NewDecoder(bytes.NewReader(input))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	var out []string
	for dec.More() {
		key, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			break
		}
		text := string(value)
		var s string
		if json.Unmarshal(value, &s) == nil {
			text = s
		}
		if text != "" && !strings.Contains(title, text) {
			out = append(out, ui.Clean(fmt.Sprintf("%v: %s", key, text)))
		}
	}
	return strings.Join(out, "\n")
}

// height is how many lines the zone wants, at most limit.
func (z *zone) height(width, limit int, m cells.Measure) int {
	z.layout(width, m)
	return min(limit, 1+len(z.body)+len(z.keys(width, m)))
}

// keys are the lines that say how to answer.
func (z *zone) keys(width int, m cells.Measure) []string {
	full := "[a] allow once  [s] allow for the session  [r] reject  [n] never in this session"
	for _, lines := range [][]string{
		{full},
		{"[a] once  [s] session  [r] reject  [n] never"},
	} {
		if cells.Width(lines[0], m) <= width {
			return lines
		}
	}
	return []string{"[a]once [s]ession", "[r]eject [n]ever"}
}

// view draws the zone in the given number of lines.
func (z *zone) view(width, height int, armed bool, m cells.Measure) []paint.Line {
	z.layout(width, m)
	keys := z.keys(width, m)
	out := []paint.Line{z.head(width, m)}
	z.room = max(0, height-1-len(keys))
	z.scroll(0)
	for i := z.top; i < len(z.body) && i < z.top+z.room; i++ {
		out = append(out, z.body[i])
	}
	if rest := len(z.body) - z.top - z.room; z.room > 0 && rest > 0 {
		out[len(out)-1] = paint.Text(cells.Cut(fmt.Sprintf("  ↓ %d more lines (↑↓)", rest+1), width, m), paint.Yellow, m)
	}
	st := paint.Bold
	if !armed {
		st = paint.Faint
	}
	for _, k := range keys {
		out = append(out, paint.Text(cells.Cut(k, width, m), st, m))
	}
	return out[:min(len(out), height)]
}

func (z *zone) head(width int, m cells.Measure) paint.Line {
	head, what := z.title()
	place := z.place()
	first, _, more := strings.Cut(what, "\n")
	if more {
		first += " …"
	}
	text := cells.Cut(head+first, width-cells.Width(place, m), m)
	line := paint.Text(text, paint.Yellow, m)
	if place == "" {
		return line
	}
	return paint.Line{Text: line.Pad(width - cells.Width(place, m)), Width: width - cells.Width(place, m)}.Add(place, paint.Bold, m)
}

// scroll moves the body.
func (z *zone) scroll(n int) {
	z.top = max(0, min(z.top+n, len(z.body)-z.room))
}

// answerKey is the answer that a key gives.
func answerKey(key string) (consent.Answer, bool) {
	for _, c := range consent.Choices() {
		if key == string(c.Key) {
			return c.Answer, true
		}
	}
	return 0, false
}

// clicked is the answer whose words stand at a cell of the zone's lines of keys.
func (z *zone) clicked(x, y, width, height int, m cells.Measure) (consent.Answer, bool) {
	keys := z.keys(width, m)
	y -= height - len(keys)
	if y < 0 || y >= len(keys) || x >= cells.Width(keys[y], m) {
		return 0, false
	}
	i := strings.LastIndexByte(keys[y][:x+1], '[') // the lines are ASCII
	if i < 0 {
		return 0, false
	}
	return answerKey(keys[y][i+1 : i+2])
}
