package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/clip"
	"github.com/mini-me/mm/internal/ui"
)

// PlanState is the plan of one session.
type PlanState struct {
	mu    sync.Mutex
	title string         // guarded by mu
	steps []ui.PlanEntry // guarded by mu
}

// Snapshot returns the plan's title and steps.
func (s *PlanState) Snapshot() (title string, steps []ui.PlanEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.title, append([]ui.PlanEntry(nil), s.steps...)
}

// Restore puts a plan in place.
func (s *PlanState) Restore(title string, steps []ui.PlanEntry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.title, s.steps = title, append([]ui.PlanEntry(nil), steps...)
}

// Checklist writes a plan as a Markdown checklist.
func Checklist(title string, steps []ui.PlanEntry) string {
	if len(steps) == 0 {
		return "[no plan]"
	}
	var b strings.Builder
	if title != "" {
		b.WriteString(title + "\n")
	}
	for i, s := range steps {
		mark := " "
		switch s.Status {
		case planDone:
			mark = "x"
		case planAtWork:
			mark = "~"
		}
		fmt.Fprintf(&b, "%d. [%s] %s\n", i+1, mark, s.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// The statuses of a step (ACP v1, PlanEntryStatus).
const (
	planOpen   = "pending"
	planAtWork = "in_progress"
	planDone   = "completed"
)

// Plan is the plan tool (supplement 13).
type PlanTool struct{ state *PlanState }

// NewPlan returns the plan tool on a session's plan.
func NewPlan(s *PlanState) PlanTool { return PlanTool{s} }

// Spec declares the tool.
func (PlanTool) Spec() Spec {
	return Spec{
		Name:        "plan",
		Description: "Keep a plan of the work: show, set (title, steps), update (step, status, text), add (text), clear.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string","enum":["show","set","update","add","clear"]},` +
			`"title":{"type":"string"},"steps":{"type":"array","items":{"type":"string"}},"step":{"type":"integer","description":"from 1"},` +
			`"status":{"type":"string","enum":["pending","in_progress","completed"]},"text":{"type":"string"}},"required":["action"]}`),
		Counter: Counter{"📋", "plan change"},
	}
}

type planArgs struct {
	Action string   `json:"action"`
	Title  string   `json:"title"`
	Steps  planList `json:"steps"`
	Step   number   `json:"step"`
	Status string   `json:"status"`
	Text   string   `json:"text"`
}

// planList is a list of steps; one text with a step a line is taken too, and objects for their text.
type planList []string

// UnmarshalJSON reads the steps.
func (l *planList) UnmarshalJSON(b []byte) error {
	var o options
	if err := o.UnmarshalJSON(b); err != nil {
		return err
	}
	*l = nil
	for _, s := range o {
		if s = strings.TrimSpace(s); s != "" {
			*l = append(*l, s)
		}
	}
	return nil
}

// number is an integer that may come as a text.
type number int

// UnmarshalJSON reads 3 and "3".
func (n *number) UnmarshalJSON(b []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(b), `" `), 64)
	if err != nil || f != float64(int(f)) {
		return fmt.Errorf("step must be a whole number, not %s", b)
	}
	*n = number(f)
	return nil
}

// Prepare resolves the change.
func (t PlanTool) Prepare(_ context.Context, c Call) Plan {
	var in planArgs
	p := Plan{Title: "plan", Kind: consent.KindThink}
	if err := json.Unmarshal(c.Args, &in); err != nil {
		p.Refused = BadArguments("plan", err)
		return p
	}
	p.Title = in.words()
	p.Line = "📋 plan: " + in.Action
	title, steps := t.state.Snapshot()
	if in.Action == "show" {
		p.Kind = consent.KindRead
		p.Run = func(context.Context, ui.Host) Result { return Result{Text: Checklist(title, steps)} }
		return p
	}
	title, steps, p.Refused = in.apply(title, steps)
	if p.Refused != "" {
		return p
	}
	p.Asks = consent.UnlessYolo
	p.Run = func(_ context.Context, host ui.Host) Result {
		t.state.Restore(title, steps)
		host.Emit(ui.Plan{Entries: steps})
		return Result{Text: Checklist(title, steps)}
	}
	return p
}

// maxWords is how many characters say what is done to a plan.
const maxWords = 200

// words say in a line what is done to the plan: what a person is asked about.
func (in planArgs) words() string {
	var b strings.Builder
	b.WriteString(in.Action)
	switch in.Action {
	case "set":
		if in.Title != "" {
			b.WriteString(" " + in.Title + ":")
		}
		b.WriteString(" " + strings.Join(in.Steps, "; "))
	case "add":
		b.WriteString(" " + in.Text)
	case "update":
		fmt.Fprintf(&b, " step %d", in.Step)
		for _, s := range []string{in.Status, in.Text} {
			if s != "" {
				b.WriteString(", " + s)
			}
		}
	}
	return clip.To(strings.Join(strings.Fields(b.String()), " "), maxWords)
}

// apply returns the changed plan, or why it can't be changed.
func (in planArgs) apply(title string, steps []ui.PlanEntry) (string, []ui.PlanEntry, string) {
	switch in.Action {
	case "set":
		if len(in.Steps) == 0 {
			return "", nil, "[plan: set needs steps: a list of texts]"
		}
		steps = nil
		for _, s := range in.Steps {
			steps = append(steps, ui.PlanEntry{Text: s, Status: planOpen})
		}
		return in.Title, steps, ""
	case "add":
		if strings.TrimSpace(in.Text) == "" {
			return "", nil, "[plan: add needs text: the new step]"
		}
		return title, append(steps, ui.PlanEntry{Text: strings.TrimSpace(in.Text), Status: planOpen}), ""
	case "update":
		return in.update(title, steps)
	case "clear":
		return "", nil, ""
	}
	return "", nil, fmt.Sprintf("[plan: unknown action %q — use show, set, update, add or clear]", in.Action)
}

func (in planArgs) update(title string, steps []ui.PlanEntry) (string, []ui.PlanEntry, string) {
	n := int(in.Step)
	switch {
	case n < 1 || n > len(steps):
		return "", nil, fmt.Sprintf("[plan: there is no step %d — the plan has %d step(s)]", n, len(steps))
	case in.Status == "" && in.Text == "":
		return "", nil, "[plan: update needs status (pending, in_progress or completed) or text]"
	}
	switch in.Status {
	case "", planOpen, planAtWork, planDone:
	default:
		return "", nil, fmt.Sprintf("[plan: unknown status %q — use pending, in_progress or completed]", in.Status)
	}
	if in.Status != "" {
		steps[n-1].Status = in.Status
	}
	if in.Text != "" {
		steps[n-1].Text = in.Text
	}
	return title, steps, ""
}
