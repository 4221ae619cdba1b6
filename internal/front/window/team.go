package window

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/front/window/talk"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// team is the agents that are asked in the running turn.
type team struct {
	members []*member // in the order in which they began
	open    bool      // the fold of narrow terminals
}

// member is an agent at work on a task.
type member struct {
	ask, parent  string
	agent, model string
	title        string
	doing        string
	began, ended time.Time
	tokens       int
	failed       bool // it ended without a whole answer
}

func (b *member) working() bool { return b.ended.IsZero() }

// reset forgets the team of the turn before.
func (t *team) reset() { t.members = nil }

// over ends what is still said to work.
func (t *team) over() {
	for _, b := range t.members {
		if b.working() {
			b.ended = b.began
		}
	}
}

func (t *team) find(ask string) *member {
	for _, b := range t.members {
		if b.ask == ask {
			return b
		}
	}
	return nil
}

// event notes what the team does.
func (t *team) event(e ui.Event, now time.Time) {
	switch e := e.(type) {
	case ui.AskStarted:
		t.members = append(t.members, &member{
			ask: e.Ask, parent: e.Parent, agent: ui.CleanLine(e.Agent), title: ui.CleanLine(e.Title),
			model: ui.CleanLine(talk.Model(e.Model, e.Provider)), began: now, doing: "starting",
		})
	case ui.AskEnded:
		if b := t.find(e.Ask); b != nil {
			b.ended, b.doing = now, "done"
			if b.failed = e.Reason != ""; b.failed {
				b.doing = "stopped: " + ui.CleanLine(e.Reason)
			}
		}
	case ui.Text:
		t.does(e.Ask, "writing")
	case ui.Thought:
		t.does(e.Ask, "thinking")
	case ui.ToolCall:
		t.call(e)
	case ui.Usage:
		t.usage(e)
	}
}

func (t *team) does(ask, what string) {
	if b := t.find(ask); b != nil && b.working() {
		b.doing = what
	}
}

func (t *team) call(e ui.ToolCall) {
	what := ui.CleanLine(e.Tool + " " + e.Title)
	switch {
	case e.Done():
		what = "thinking"
	case e.Status == ui.Pending:
		what = "… " + what
	}
	t.does(e.Ask, what)
}

// usage adds up tokens. Usage tells the agent and not the task: it counts for its last one.
func (t *team) usage(e ui.Usage) {
	for _, b := range slices.Backward(t.members) {
		if e.Agent != "" && b.agent == e.Agent {
			b.tokens = e.Input + e.Output
			return
		}
	}
}

// working lists those at work.
func (t *team) working() []*member {
	var out []*member
	for _, b := range t.members {
		if b.working() {
			out = append(out, b)
		}
	}
	return out
}

// speaker is the one that the header names: the chosen one, else the one that began last.
func (t *team) speaker(choice string) *member {
	if b := t.find(choice); b != nil && b.working() {
		return b
	}
	if w := t.working(); len(w) > 0 {
		return w[len(w)-1]
	}
	return nil
}

// next is the choice after a choice: everything, then each in turn.
func (t *team) next(choice string, step int) string {
	at := 0
	for i, b := range t.members {
		if b.ask == choice {
			at = i + 1
		}
	}
	n := len(t.members) + 1
	at = (at + step + n) % n
	return t.nth(at)
}

// nth is the i-th choice, counted from 1; 0 is everything.
func (t *team) nth(i int) string {
	if i < 1 || i > len(t.members) {
		return ""
	}
	return t.members[i-1].ask
}

// shape says how the team is drawn.
type shape struct {
	width  int // of a panel beside the conversation, 0 for none
	height int // of a fold above it, 0 for none
}

// panelWidth is what the panel takes where there is room for it.
const panelWidth = 34

// shape decides how much of the screen the team gets: something while it works, or while one of its
// members is looked at.
func (t *team) shape(width, height int, choice string) shape {
	switch {
	case len(t.members) == 0, len(t.working()) == 0 && choice == "" && !t.open:
		return shape{}
	case width >= 100:
		return shape{width: panelWidth}
	case height < 8:
		return shape{}
	case !t.open:
		return shape{height: 1}
	}
	return shape{height: min(1+len(t.members), max(2, height/3))}
}

// fold draws the team above the conversation: a line, and one for each when it is open.
func (t *team) fold(s shape, width int, choice string, now time.Time, look func(string) paint.Style, m cells.Measure) []paint.Line {
	var names []string
	for _, b := range t.working() {
		names = append(names, shortName(b.agent)+": "+b.doing)
	}
	mark, text := "▸", strings.Join(names, " · ")
	if t.open {
		mark, text = "▾", fmt.Sprintf("%d at work (Ctrl-G shows one, Ctrl-T folds)", len(names))
	}
	if len(names) == 0 {
		text = fmt.Sprintf("asked: %d (Ctrl-G shows one)", len(t.members))
	}
	out := []paint.Line{paint.Text(cells.Cut(mark+" "+text, width, m), paint.Faint, m)}
	for i := t.first(s.height - 1); i < len(t.members) && len(out) < s.height; i++ {
		b := t.members[i]
		out = append(out, memberLine(i, b, width, choice, now, look, m))
	}
	return out
}

// first is the first member that is drawn where not all have room: the last ones are.
func (t *team) first(room int) int { return max(0, len(t.members)-max(room, 0)) }

// memberLine is a member on one line.
func memberLine(i int, b *member, width int, choice string, now time.Time, look func(string) paint.Style, m cells.Measure) paint.Line {
	line := paint.Text(marker(b, choice)+strconv.Itoa(i+1)+" ", paint.Plain, m)
	line = line.Add(cells.Cut(strings.ReplaceAll(b.agent, "/", " · "), width/3, m), look(b.ask), m)
	tail := " " + b.clock(now)
	if b.tokens > 0 {
		tail += " · " + thousands(b.tokens) + " tok"
	}
	room := width - line.Width - cells.Width(tail, m) - 1
	line = line.Add(" "+cells.Pad(cells.Cut(b.doing, max(room, 0), m), max(room, 0), m), paint.Plain, m)
	return line.Add(cells.Cut(tail, max(0, width-line.Width), m), paint.Faint, m)
}

func marker(b *member, choice string) string {
	if b.ask == choice {
		return "❯"
	}
	return " "
}

// clock is how long the member works, or has worked.
func (b *member) clock(now time.Time) string {
	if b.failed {
		return "✗ " + talk.Duration(b.ended.Sub(b.began))
	}
	if !b.working() {
		return "✓ " + talk.Duration(b.ended.Sub(b.began))
	}
	return talk.Duration(now.Sub(b.began))
}

// panel draws the team beside the conversation: two lines for each.
func (t *team) panel(height int, choice string, now time.Time, look func(string) paint.Style, m cells.Measure) []paint.Line {
	inner := panelWidth - 2
	out := []paint.Line{paint.Text(cells.Cut(fmt.Sprintf("%d at work · Ctrl-G", len(t.working())), inner, m), paint.Faint, m)}
	for i := t.first((height - 1) / 2); i < len(t.members); i++ {
		b := t.members[i]
		name := paint.Text(marker(b, choice)+strconv.Itoa(i+1)+" ", paint.Plain, m)
		name = name.Add(cells.Cut(strings.ReplaceAll(b.agent, "/", " · "), inner/2, m), look(b.ask), m)
		if b.model != "" {
			name = name.Add(cells.Cut(" "+b.model, inner-name.Width, m), paint.Faint, m)
		}
		tail := b.clock(now)
		if b.tokens > 0 {
			tail += " · " + thousands(b.tokens)
		}
		room := inner - 4 - cells.Width(tail, m)
		does := "   " + cells.Pad(cells.Cut(b.doing, room, m), room, m) + " " + tail
		out = append(out, name, paint.Text(cells.Cut(does, inner, m), paint.Plain, m))
	}
	bar := paint.Faint.On("│") + " "
	for len(out) < height {
		out = append(out, paint.Line{})
	}
	for i, l := range out {
		out[i] = paint.Line{Text: bar + l.Text, Width: 2 + l.Width}
	}
	return out[:height]
}

// clicked is the member on a line of the panel, or of the fold; -1 for none.
func (t *team) clicked(s shape, y, height int) int {
	i := -1
	switch {
	case y < 1:
	case s.width > 0:
		i = t.first((height-1)/2) + (y-1)/2
	default:
		i = t.first(s.height-1) + y - 1
	}
	if i >= len(t.members) {
		return -1
	}
	return i
}

func shortName(agent string) string { return agent[strings.LastIndexByte(agent, '/')+1:] }

// thousands writes n with commas: 3,120.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
