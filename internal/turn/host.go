package turn

import (
	"context"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
	"github.com/mini-me/mm/watchdog"
)

// host is what a running turn lends to its tools and to the asks below it (ui.Host).
type host struct{ r *running }

// Emit passes an event of an asked agent on and takes it as a sign of life.
func (h host) Emit(e ui.Event) {
	h.r.dog.Feed()
	if a, ok := e.(ui.AskStarted); ok && a.Parent == "" && a.Call != "" {
		h.r.mu.Lock()
		h.r.asking[a.Call] = a.Session
		h.r.mu.Unlock()
	}
	h.r.emit(e)
}

// Decide runs the gate for a call of an asked agent.
func (h host) Decide(ctx context.Context, q consent.Request) consent.Decision {
	return h.r.decide(ctx, q)
}

// Ended runs the postToolCall hooks on a call of an asked agent. What they add can't reach that
// agent's model any more; it has had its result.
func (h host) Ended(ctx context.Context, t ui.ToolCall) {
	if h.r.o.After != nil {
		h.r.o.After(ctx, t)
	}
}

// AskUser shows a form of this agent, or of one asked below it.
func (h host) AskUser(ctx context.Context, f ui.Form) ui.FormReply {
	defer h.r.dog.Hold()()
	if h.r.o.Questioner == nil {
		return ui.FormReply{State: ui.Nobody}
	}
	reply := h.r.o.Questioner.AskUser(ctx, f)
	if ctx.Err() != nil {
		return ui.FormReply{State: ui.Withdrawn}
	}
	return reply
}

// Alive feeds the watchdog.
func (h host) Alive() { h.r.dog.Feed() }

// Hold holds the watchdog while a human is waited for.
func (h host) Hold() (release func()) { return h.r.dog.Hold() }

// Relay asks a named agent for the user: no model of this conversation is called. The question and
// the answer become an exchange of the history.
func (c *Conversation) Relay(ctx context.Context, ask ui.Ask) (ui.Answer, Outcome) {
	var answer ui.Answer
	out := c.run(ctx, func(r *running) Outcome {
		ask.Cwd, ask.Session = c.o.Cwd, c.o.Session
		r.dog.Phase(watchdog.AtWork(ask.Agent))
		defer r.dog.Grace(tools.AskPatience)()
		r.phase(ask.Agent + " is working")
		answer = c.o.Asker.Ask(r.ctx, ask, host{r})
		text := tools.AnswerText(ask.Agent, answer)
		c.append(
			llm.Message{Role: llm.RoleUser, Content: "(asked " + ask.Agent + ") " + ask.Prompt},
			llm.Message{Role: llm.RoleAssistant, Content: exchange(ask.Agent, answer, text)})
		if answer.Started {
			r.counts.add("ask_agent")
		}
		return r.relayed(answer, tools.AskNote(ask.Agent, answer))
	})
	return answer, out
}

// exchange is the assistant's side of a user's ask in the history (supplement 16).
func exchange(agent string, a ui.Answer, text string) string {
	if a.Denied != "" || strings.TrimSpace(a.Text) == "" {
		return notEmpty(text)
	}
	return "(" + agent + " answered) " + text
}

// relayed is the outcome of a user's ask; note says why the answer isn't whole.
func (r *running) relayed(a ui.Answer, note string) Outcome {
	r.all = []byte(a.Text)
	if r.ctx.Err() != nil {
		return r.ended()
	}
	switch {
	case a.Denied != "":
		return r.fail(InHook, ModelError, note)
	case a.Reason != "" || strings.TrimSpace(a.Text) == "":
		return r.fail(InAsk, ModelError, note)
	}
	return r.outcome(EndTurn, nil)
}
