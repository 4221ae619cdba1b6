package window

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/front/window/talk"
	"github.com/mini-me/mm/internal/ui"
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

func shortName(agent string) string { return agent[strings.LastIndexByte(agent, '/')+1:] }

// thousands writes n with commas: 3,120.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
