package orchestrator

import (
	"context"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// The events of an ask, and what its methods take and give: names of internal types that a Host
// outside this module needs.
type (
	// Text is a piece of an agent's answer.
	Text = ui.Text
	// Thought is a piece of its reasoning.
	Thought = ui.Thought
	// ToolCall is one of its calls, each time its state changes.
	ToolCall = ui.ToolCall
	// AskStarted says that an agent begins to work.
	AskStarted = ui.AskStarted
	// AskEnded says that it has ended.
	AskEnded = ui.AskEnded
	// Notice is a line for a person.
	Notice = ui.Notice
	// Plan is an agent's plan.
	Plan = ui.Plan
	// Usage tells tokens.
	Usage = ui.Usage
	// Form is questions of an agent to the user.
	Form = ui.Form
	// FormReply answers a Form; the zero value says that nobody can be asked.
	FormReply = ui.FormReply
	// AnswerCode tells kinds of answers apart.
	AnswerCode = ui.AnswerCode
)

// The kinds of answers. Only Answered is a whole one; Answer.Reason says what is wrong with others.
const (
	Answered  = ui.Answered
	Failed    = ui.AskFailed
	Unknown   = ui.AskUnknown
	BadFile   = ui.AskBadFile
	NoAnswer  = ui.AskNoAnswer
	Denied    = ui.AskDenied
	TimedOut  = ui.AskTimedOut
	Cancelled = ui.AskCancelled
)

// Program is a Host for a program that asks agents without a person at hand: a function answers
// their permissions, and their questions get the reply that nobody can be asked. The zero value
// refuses every call and drops the events.
//
// Both functions may be called by several goroutines at the same time.
type Program struct {
	// Allow decides about a call of an asked agent that would change something; nil refuses.
	Allow func(ctx context.Context, r consent.Request) bool
	// Event gets what happens; it may block, which slows the agent. May be nil.
	Event func(Event)
}

var _ Host = Program{}

// Emit passes an event on.
func (p Program) Emit(e Event) {
	if p.Event != nil {
		p.Event(e)
	}
}

// Decide asks Allow.
func (p Program) Decide(ctx context.Context, r consent.Request) consent.Decision {
	switch {
	case ctx.Err() != nil:
		return consent.Decision{Cancelled: true}
	case p.Allow == nil:
		return consent.Decision{By: consent.ByUnattended}
	}
	return consent.Decision{Allow: p.Allow(ctx, r), By: consent.ByUser}
}

// Ended does nothing: there are no postToolCall hooks.
func (Program) Ended(context.Context, ToolCall) {}

// AskUser says that nobody can be asked.
func (Program) AskUser(context.Context, Form) FormReply { return FormReply{} }

// Alive does nothing: the time of an ask is its context's and its agent's Timeout.
func (Program) Alive() {}

// Hold does nothing.
func (Program) Hold() (release func()) { return func() {} }
