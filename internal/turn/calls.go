package turn

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/watchdog"
)

// act runs the calls of one step and puts them and their results into the history, in the order
// of the calls. It reports whether the turn has ended.
func (r *running) act(m llm.Message) (Outcome, bool) {
	r.dog.Phase("between tokens")
	r.keepBegan(m)
	results, stop := r.each(m.Calls)
	msgs := []llm.Message{m}
	for i, call := range m.Calls {
		if results[i] == "" {
			results[i] = neverRan
		}
		msgs = append(msgs, llm.Message{Role: llm.RoleTool, CallID: call.ID, Content: r.room(results[i])})
	}
	r.append(msgs...)
	r.last = len(r.all)
	switch {
	case stop != nil:
		return r.fail(InGeneration, Looping, stop.Error()), true
	case r.ctx.Err() != nil:
		return r.ended(), true
	}
	return Outcome{}, false
}

// each runs calls: one after the other in order, except those of tools that run side by side, which
// go on beside whatever comes after them. It returns their results in the order of the calls, "" for
// those that never ran, and the first error, in order, that ends the turn.
func (r *running) each(calls []llm.Call) ([]string, error) {
	results, stops := make([]string, len(calls)), make([]error, len(calls))
	var side errgroup.Group
	for i, call := range calls {
		if r.ctx.Err() != nil {
			break
		}
		if t, ok := r.o.Tools.Lookup(call.Name); ok && t.Spec().SideBySide {
			run := r.announce(call)
			side.Go(func() error {
				results[i], stops[i] = run()
				return nil
			})
			continue
		}
		var stop error
		if results[i], stop = r.announce(call)(); stop != nil {
			stops[i] = stop
			break
		}
	}
	_ = side.Wait()
	for _, err := range stops {
		if err != nil {
			return results, err
		}
	}
	return results, nil
}

// announce prepares one call and shows it, which side by side happens in the order of the calls. What
// it returns goes on: resolve, hooks, consent, run, hooks, loop detector (supplement 6).
func (r *running) announce(call llm.Call) (run func() (string, error)) {
	id := fmt.Sprintf("call-%d", r.Conversation.calls.Add(1))
	t := ui.ToolCall{Call: consent.Call{ID: id, Tool: call.Name, Title: call.Name, Kind: consent.KindOther, Input: json.RawMessage(call.Arguments)}, Status: ui.Pending}
	failed := func(text string) func() (string, error) {
		return func() (string, error) { return r.end(call, t, tools.Result{Text: text, Failed: true}, "") }
	}
	tool, ok := r.o.Tools.Lookup(call.Name)
	switch {
	case !ok:
		return failed(r.o.Tools.Unknown(call.Name))
	case call.Bad != "":
		return failed("[" + call.Name + ": " + call.Bad + "]")
	}
	plan := tool.Prepare(r.ctx, tools.Call{ID: id, Args: json.RawMessage(call.Arguments), Cwd: r.o.Cwd, Session: r.o.Session, Alive: r.dog.Feed})
	t.Title, t.Line, t.Kind, t.Locations, t.Diffs, t.Quiet = plan.Title, plan.Line, plan.Kind, plan.Locations, plan.Diffs, plan.Quiet
	if t.Title == "" {
		t.Title = call.Name // of arguments that say nothing
	}
	if t.Line == "" {
		t.Line = call.Name + ": " + t.Title
	}
	r.show(call.ID, t)
	r.keepAnnounced(call)
	r.emit(t)
	if plan.Refused != "" {
		return failed(plan.Refused)
	}
	return func() (string, error) {
		d := r.decide(r.ctx, consent.Request{Call: t.Call, Asks: plan.Asks})
		if !d.Allow {
			return r.refused(call, t, plan, d)
		}
		return r.end(call, t, r.perform(t, plan), d.Context)
	}
}

// perform runs a plan that nobody objected to.
func (r *running) perform(t ui.ToolCall, plan tools.Plan) tools.Result {
	t.Status = ui.InProgress
	r.emit(t)
	atWork := plan.AtWork
	if atWork == "" {
		atWork = watchdog.Running(t.Tool)
	}
	r.dog.Phase(atWork)
	defer r.dog.Grace(plan.Patience)()
	r.phase(plan.Phase)
	res := plan.Run(r.ctx, host{r})
	r.dog.Feed()
	return res
}

// refused words a call that may not run.
func (r *running) refused(call llm.Call, t ui.ToolCall, plan tools.Plan, d consent.Decision) (string, error) {
	res := tools.Result{Failed: true}
	switch {
	case d.Cancelled && r.ctx.Err() != nil:
		res.Text, t.Refused = neverRan, "cancelled"
	case d.By == consent.ByHook:
		res.Text, t.Refused = tools.DeniedByHook(call.Name, d.Reason), "denied by a hook: "+d.Reason
	default:
		what := plan.RejectedAs
		if what == "" {
			what = call.Name
		}
		res.Text, t.Refused = tools.Rejected(what), "rejected by the user"
		if d.By == consent.ByUnattended {
			t.Refused = "nobody can be asked"
		}
	}
	return r.end(call, t, res, d.Context)
}

// end tells everybody that a call has ended and returns what the model reads.
func (r *running) end(call llm.Call, t ui.ToolCall, res tools.Result, addition string) (string, error) {
	t.Status = ui.Completed
	if res.Failed {
		t.Status = ui.Failed
	}
	t.ExitCode, t.Files = res.ExitCode, res.Files
	t.Result, t.Output = res.Text, res.Output
	if t.Output == "" {
		t.Output = res.Text
	}
	text := res.Text
	if strings.TrimSpace(text) == "" {
		text = noOutput
	}
	if r.o.After != nil && t.Refused == "" && r.ctx.Err() == nil {
		more, denied := r.o.After(r.ctx, t)
		addition = join(addition, more)
		if denied != "" { // the call has run; what it returned is withheld
			text = tools.DeniedByHook(call.Name, denied)
			t.Status, t.Output, t.Result = ui.Failed, text, text
		}
	}
	if addition != "" {
		text += "\n\n" + tools.AddedByHook + "\n" + addition
	}
	if t.Refused == "" {
		r.counts.add(call.Name)
	}
	add, stop := "", error(nil)
	if r.ctx.Err() == nil {
		add, stop = r.Conversation.loop.Record(call.Name, call.Arguments, res.Text, res.Failed)
	}
	switch {
	case stop != nil:
		text, t.Status = stop.Error(), ui.Failed // the turn's end says why
	case add != "":
		text += "\n" + add
	}
	r.show(call.ID, t)
	if r.o.Keeper != nil {
		r.o.Keeper.Returned(call, r.room(text))
	}
	r.emit(t)
	return text, stop
}

// decide asks the gate; meanwhile the watchdog is held, since a human may be waited for.
func (r *running) decide(ctx context.Context, q consent.Request) consent.Decision {
	defer r.dog.Hold()()
	return r.o.Gate.Decide(ctx, q)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}
