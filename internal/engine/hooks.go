package engine

import (
	"context"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/hooks"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/orchestrator"
)

// newHooks makes the runner of the agent file's hooks.
func newHooks(o Options) (*hooks.Runner, error) {
	list := map[string][]hooks.Hook{}
	for event, entries := range o.File.Hooks {
		for _, h := range entries {
			list[event] = append(list[event], hooks.Hook{Match: h.Match, Command: h.Command, Timeout: h.Timeout, OnError: h.OnError})
		}
	}
	return hooks.New(list, hooks.Options{Dir: o.File.Dir, Env: o.Env, Guard: o.Executable})
}

// sessionHooks runs the hooks around the calls of one session: its own and those of the agents
// asked below it that reach its gate.
type sessionHooks struct{ s *Session }

// Check runs the preToolCall hooks (consent.Guard).
func (h sessionHooks) Check(ctx context.Context, r consent.Request) consent.Verdict {
	runner := h.s.engine.hooks
	if !runner.Matches(hooks.PreToolCall, r.Key()) {
		return consent.Verdict{}
	}
	out, err := runner.Run(ctx, h.event(hooks.PreToolCall, r.Call))
	if err != nil {
		return consent.Verdict{} // the turn has ended, and the gate sees that too
	}
	h.s.warnAll(out.Warnings)
	return consent.Verdict{Allow: out.Decision == hooks.Allow, Deny: out.Decision == hooks.Deny, Reason: out.Reason, Context: out.Context}
}

// after runs the postToolCall hooks: what they add for the model, and why they deny the call.
func (h sessionHooks) after(ctx context.Context, t ui.ToolCall) (addition, denied string) {
	runner := h.s.engine.hooks
	if !runner.Matches(hooks.PostToolCall, t.Key()) {
		return "", ""
	}
	e := h.event(hooks.PostToolCall, t.Call)
	if e.Output = t.Result; e.Output == "" {
		e.Output = t.Output
	}
	out, err := runner.Run(ctx, e)
	if err != nil {
		return "", ""
	}
	h.s.warnAll(out.Warnings)
	if out.Decision == hooks.Deny {
		return out.Context, out.Reason
	}
	return out.Context, ""
}

func (h sessionHooks) event(kind hooks.Kind, c consent.Call) hooks.Event {
	e := hooks.Event{
		Kind: kind, Name: c.Key(), Session: h.s.ID, Cwd: h.s.o.Cwd, Depth: h.s.engine.file.Depth,
		Agent: c.Agent, Tool: c.Tool, Input: c.Input, Title: c.Title,
	}
	if c.Tool == "ask_agent" && c.Agent == "" {
		e.Agent, e.Prompt = askArguments(c.Input)
	}
	return e
}

// askHooks runs the hooks around asks, on every way in (orchestrator.Hooks).
type askHooks struct{ e *Engine }

// Guards reports whether postAsk hooks judge the agent's answers.
func (h askHooks) Guards(agent string) bool { return h.e.hooks.Matches(hooks.PostAsk, agent) }

// PreAsk runs the preAsk hooks.
func (h askHooks) PreAsk(ctx context.Context, a orchestrator.Ask) orchestrator.HookResult {
	out, ran := h.run(ctx, hooks.PreAsk, a, "")
	if !ran {
		return orchestrator.HookResult{}
	}
	return orchestrator.HookResult{Deny: out.Decision == hooks.Deny, Reason: out.Reason, Replaced: out.PromptReplaced, Text: out.Prompt, Context: out.Context, Warnings: out.Warnings}
}

// PostAsk runs the postAsk hooks.
func (h askHooks) PostAsk(ctx context.Context, a orchestrator.Ask, answer string) orchestrator.HookResult {
	out, ran := h.run(ctx, hooks.PostAsk, a, answer)
	if !ran {
		return orchestrator.HookResult{}
	}
	return orchestrator.HookResult{Deny: out.Decision == hooks.Deny, Reason: out.Reason, Replaced: out.AnswerReplaced, Text: out.Answer, Context: out.Context, Warnings: out.Warnings}
}

func (h askHooks) run(ctx context.Context, kind hooks.Kind, a orchestrator.Ask, answer string) (hooks.Outcome, bool) {
	if !h.e.hooks.Matches(kind, a.Agent) {
		return hooks.Outcome{}, false
	}
	out, err := h.e.hooks.Run(ctx, hooks.Event{
		Kind: kind, Name: a.Agent, Session: a.Session, Cwd: a.Cwd, Depth: h.e.file.Depth,
		Agent: a.Agent, Tool: "ask_agent", Input: a.Input, Prompt: a.Prompt, Answer: answer,
	})
	return out, err == nil
}
