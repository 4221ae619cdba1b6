package engine

import (
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/session"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/internal/ui"
)

// keeper saves a session as its turns go on (turn.Keeper).
type keeper struct {
	s    *Session
	w    *session.Writer
	mask *strings.Replacer // takes secrets out of texts
}

// titleLength is how much of the first question is a session's title, in characters.
const titleLength = 80

// newKeeper begins the file of a session; nil where sessions aren't kept.
func (e *Engine) newKeeper(s *Session) *keeper {
	if e.Store() == nil {
		return nil
	}
	k := &keeper{s: s, mask: masker(e.file.Secrets())}
	k.w = e.Store().Create(session.Info{
		ID: s.ID, Agent: e.file.Path, Model: s.Model().Name(), Provider: s.Model().Provider(), Cwd: s.o.Cwd, Parent: s.o.Parent,
	}, k.options())
	return k
}

func (k *keeper) options() session.Options {
	return session.Options{Warn: func(err error) { k.s.warn("[warning: %v]", err) }}
}

// masker replaces secrets, which are never saved.
func masker(secrets []string) *strings.Replacer {
	var pairs []string
	for _, s := range secrets { // longest first
		pairs = append(pairs, s, "[secret]")
	}
	return strings.NewReplacer(pairs...)
}

// Added keeps messages.
func (k *keeper) Added(list []llm.Message) {
	out := make([]session.Message, len(list))
	for i, m := range list {
		out[i] = k.message(m)
		if m.Role == llm.RoleUser {
			k.title(m.Content)
		}
	}
	k.w.Append(out...)
}

// title takes the first question for the session's title.
func (k *keeper) title(text string) {
	if k.w.Info().Title != "" {
		return
	}
	text = k.mask.Replace(strings.Join(strings.Fields(text), " "))
	if r := []rune(text); len(r) > titleLength {
		text = string(r[:titleLength-1]) + "…"
	}
	k.w.Update(func(i *session.Info, _ *session.Usage) { i.Title = text })
}

// Began keeps a message whose calls run.
func (k *keeper) Began(m llm.Message) { k.w.Pending(k.message(m)) }

// Announced keeps how a call is shown.
func (k *keeper) Announced(call llm.Call) { k.w.Shown(k.call(call)) }

// Returned keeps what a call returned, and the plan, which it may have changed.
func (k *keeper) Returned(call llm.Call, text string) {
	k.w.Result(k.message(llm.Message{Role: llm.RoleTool, CallID: call.ID, Content: text}), k.call(call))
	if call.Name == "plan" {
		k.plan()
	}
}

func (k *keeper) plan() {
	title, steps := k.s.plan.Snapshot()
	if len(steps) == 0 {
		k.w.SetPlan(nil)
		return
	}
	p := &session.Plan{Title: k.mask.Replace(title)}
	for _, s := range steps {
		p.Steps = append(p.Steps, session.Step{Text: k.mask.Replace(s.Text), Status: s.Status})
	}
	k.w.SetPlan(p)
}

// Replaced keeps a compacted conversation.
func (k *keeper) Replaced(history []llm.Message, task string) {
	out := make([]session.Message, len(history))
	for i, m := range history {
		out[i] = k.message(m)
	}
	k.w.Replace(out, k.mask.Replace(task))
}

// Ended keeps what is known at the end of a turn, and has it saved.
func (k *keeper) Ended(out turn.Outcome, fault *turn.Fault) {
	if fault != nil {
		k.w.Fault(session.Fault{Time: fault.Time, Where: string(fault.Where), Message: k.mask.Replace(fault.Message)})
	}
	told, at := k.s.conv.Measured()
	k.w.Update(func(i *session.Info, u *session.Usage) {
		i.Model, i.Provider = k.s.Model().Name(), k.s.Model().Provider()
		u.Input += out.Usage.Input
		u.Output += out.Usage.Output
		u.Cached += out.Usage.Cached
		u.Context, u.At = told, at
	})
	k.w.Save()
}

// message is a message as it is saved.
func (k *keeper) message(m llm.Message) session.Message {
	out := session.Message{Role: string(m.Role), Content: k.mask.Replace(m.Content), Thought: k.mask.Replace(m.Thought), ThoughtField: m.ThoughtField, CallID: m.CallID}
	for _, c := range m.Calls {
		out.Calls = append(out.Calls, k.call(c))
	}
	for _, i := range m.Images {
		out.Images = append(out.Images, session.Image(i))
	}
	return out
}

func (k *keeper) call(c llm.Call) session.Call {
	s := k.s.conv.Shown(c.ID)
	out := session.Call{ID: c.ID, Name: c.Name, Arguments: k.mask.Replace(c.Arguments), Title: k.mask.Replace(s.Title), Kind: string(s.Kind),
		Line: k.mask.Replace(s.Line), Quiet: s.Quiet, Failed: s.Failed, Output: k.mask.Replace(s.Output), Asked: s.Asked}
	for _, l := range s.Locations {
		out.Locations = append(out.Locations, session.Location(l))
	}
	out.Diffs = k.diffs(s.Diffs)
	return out
}

// keptDiffs is how large the changes of one call may be to be kept, in bytes: they are whole files.
const keptDiffs = 64 << 10

func (k *keeper) diffs(list []consent.Diff) []session.Diff {
	var out []session.Diff
	size := 0
	for _, d := range list {
		kept := session.Diff{Path: d.Path, New: k.mask.Replace(d.New)}
		size += len(d.New)
		if d.Old != nil {
			old := k.mask.Replace(*d.Old)
			kept.Old = &old
			size += len(old)
		}
		if size > keptDiffs {
			return nil
		}
		out = append(out, kept)
	}
	return out
}

// stateOf is a saved conversation as turn takes it back.
func stateOf(f *session.File) turn.State {
	s := turn.State{Shown: map[string]turn.Shown{}, Task: f.Task, Told: f.Usage.Context, ToldAt: f.Usage.At}
	for _, m := range f.Messages {
		msg := llm.Message{Role: llm.Role(m.Role), Content: m.Content, Thought: m.Thought, ThoughtField: m.ThoughtField, CallID: m.CallID}
		for _, c := range m.Calls {
			msg.Calls = append(msg.Calls, llm.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
			shown := turn.Shown{Title: c.Title, Line: c.Line, Kind: consent.Kind(c.Kind), Quiet: c.Quiet, Failed: c.Failed, Output: c.Output, Asked: c.Asked}
			for _, l := range c.Locations {
				shown.Locations = append(shown.Locations, consent.Location(l))
			}
			for _, d := range c.Diffs {
				shown.Diffs = append(shown.Diffs, consent.Diff(d))
			}
			s.Shown[c.ID] = shown
		}
		for _, i := range m.Images {
			msg.Images = append(msg.Images, llm.Image(i))
		}
		s.History = append(s.History, msg)
	}
	for _, e := range f.Errors {
		s.Faults = append(s.Faults, turn.Fault{Time: e.Time, Where: turn.Where(e.Where), Message: e.Message})
	}
	return s
}

// restorePlan puts a saved plan in place.
func (s *Session) restorePlan(p *session.Plan) {
	if p == nil {
		return
	}
	var steps []ui.PlanEntry
	for _, x := range p.Steps {
		steps = append(steps, ui.PlanEntry{Text: x.Text, Status: x.Status})
	}
	s.plan.Restore(p.Title, steps)
}
