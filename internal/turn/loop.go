package turn

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// loop calls the model until it answers.
func (r *running) loop() Outcome {
	nudged := false
	for n := 0; ; n++ {
		if n >= r.o.MaxTurns {
			text := fmt.Sprintf("[error: %d model calls in one turn — stopped by maxTurns]", n)
			return r.outcome(MaxTurnRequests, &Failure{Where: InGeneration, Cause: ModelError, Message: text})
		}
		r.makeRoom()
		reply, err := r.step()
		if err != nil && (r.overflowed(err) || r.blind(err)) {
			reply, err = r.step()
		}
		if err != nil {
			return r.stepFailed(reply, err)
		}
		if empty(reply.Message) {
			if nudged {
				return r.fail(InGeneration, EmptyTurn, "[error: the model answered nothing, twice — rephrase the request, or try another model]")
			}
			nudged = true
			r.append(llm.Message{Role: llm.RoleAssistant, Content: noAnswer, Thought: reply.Message.Thought, ThoughtField: reply.Message.ThoughtField},
				llm.Message{Role: llm.RoleUser, Content: emptyNudge})
			continue
		}
		if len(reply.Message.Calls) == 0 {
			if reply.Finish != "length" {
				if ok, failed := r.structured(&reply); failed != nil {
					r.append(reply.Message)
					return *failed
				} else if !ok {
					continue
				}
			}
			r.append(reply.Message)
			return r.answered(reply)
		}
		if out, ended := r.act(reply.Message); ended {
			return out
		}
	}
}

// answered ends the turn with the model's text.
func (r *running) answered(reply llm.Reply) Outcome {
	if reply.Finish == "length" {
		return r.outcome(MaxTokens, &Failure{Where: InGeneration, Cause: ModelError, Message: "[error: the answer was cut at maxTokens — raise maxTokens in the agent file, or ask for less]"})
	}
	if reply.Finish == "content_filter" {
		return r.outcome("refusal", &Failure{Where: InGeneration, Cause: ModelError, Message: "[error: the model's provider refused to answer]"})
	}
	return r.outcome(EndTurn, nil)
}

// stepFailed ends the turn after a model call that broke; what had arrived is kept, marked as cut.
func (r *running) stepFailed(reply llm.Reply, err error) Outcome {
	var out Outcome
	var run *tools.RunawayError
	switch {
	case errors.As(err, &run):
		out = r.fail(InGeneration, Looping, run.Error())
	case r.ctx.Err() != nil:
		out = r.ended()
	case noImages(err):
		out = r.fail(InGeneration, NoImages, "[error: "+err.Error()+"]")
	default:
		out = r.fail(InGeneration, ModelError, "[error: "+strings.TrimSpace(err.Error())+"]")
	}
	r.keepCut(reply.Message, out)
	return out
}

// keepCut keeps what had arrived of an answer: people have seen it.
func (r *running) keepCut(m llm.Message, out Outcome) {
	why := "cancelled"
	if out.Failure != nil {
		why = strings.Trim(out.Failure.Message, "[]")
	}
	switch {
	case strings.TrimSpace(m.Content) != "":
		m.Content += "\n[cut off: " + why + "]"
	case strings.TrimSpace(m.Thought) != "":
		m.Content = "[" + why + "]"
	default:
		return
	}
	r.append(llm.Message{Role: llm.RoleAssistant, Content: m.Content, Thought: m.Thought, ThoughtField: m.ThoughtField})
}

// step makes one model call and streams it to the sink.
func (r *running) step() (llm.Reply, error) {
	if r.ctx.Err() != nil {
		return llm.Reply{}, r.ctx.Err()
	}
	r.messages++
	s := &stream{running: r, before: len(r.all), id: fmt.Sprintf("m%d", r.messages)}
	r.dog.Phase("waiting for the first token")
	r.phase("Thinking")
	r.last = len(r.all)
	reply, err := r.o.Model.Stream(r.ctx, r.request(), s.event)
	if reply.HasUsage {
		r.known = true
		r.measure(reply.Usage)
		r.usage.Input += reply.Usage.Input
		r.usage.Output += reply.Usage.Output
		r.usage.Cached += reply.Usage.Cached
		r.emit(ui.Usage{Input: r.usage.Input, Output: r.usage.Output, Cached: r.usage.Cached,
			Context: reply.Usage.Input + reply.Usage.Output, Window: r.o.Model.Window(r.ctx)})
	} else if err == nil {
		r.estimate(reply.Message)
	}
	return reply, err
}

// estimate tells about how full the context is after an answer without a count.
func (r *running) estimate(answer llm.Message) {
	r.mu.Lock()
	used, _ := r.usedLocked()
	r.mu.Unlock()
	r.emit(ui.Usage{Input: r.usage.Input, Output: r.usage.Output, Cached: r.usage.Cached,
		Context: used + messageCost(answer), Window: r.o.Model.Window(r.ctx)})
}

// A server that tells less than this share of the estimated tokens, in percent, has cut the prompt
// (supplement 16). Short prompts are no evidence.
const (
	cutBelow = 60
	cutFrom  = 1500
)

// measure keeps how large the conversation is now, as the server counts.
func (r *running) measure(u llm.Usage) {
	r.mu.Lock()
	r.told, r.toldAt = 0, 0
	estimate, _ := r.usedLocked()
	warn := !r.warned && estimate > cutFrom && u.Input > 0 && u.Input*100 < estimate*cutBelow
	r.warned = r.warned || warn
	r.mu.Unlock()
	if warn {
		r.emit(ui.Notice{Level: ui.Warning, Text: fmt.Sprintf("[warning: the server read only %s of about %s tokens: it has cut the conversation to its context window — raise that (Ollama: OLLAMA_CONTEXT_LENGTH, llama.cpp: -c, LM Studio: the model's context length) or set contextWindow]", thousands(u.Input), thousands(estimate))})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told, r.toldAt = u.Input+u.Output, len(r.history)+1 // with the reply that will be appended
}

// request is the whole conversation: the same bytes at the front every time.
func (r *running) request() llm.Request {
	q := llm.Request{Messages: r.wire, Tools: r.declared, Format: r.format()}
	if q.Format != nil {
		q.Tools = nil
	}
	return q
}

func (r *running) phase(text string) { r.emit(ui.Phase{Text: text}) }

// stream turns a model's events into the front end's, and feeds the watchdog.
type stream struct {
	*running
	id      string
	before  int // length of all before this step
	begun   bool
	calling bool
	args    map[int]*tools.Runaway
}

func (s *stream) event(e llm.Event) error {
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if e.Waiting == "" { // a server that refuses gives no sign of life
		s.dog.Feed()
	}
	switch {
	case e.Call != nil:
		return s.fragment(e.Call)
	case e.Thought != "":
		s.first()
		s.emit(ui.Thought{Message: s.id, Text: e.Thought})
	case e.Restart, e.TextWasThought:
		s.all = s.all[:s.before]
		s.args = nil // the arguments come anew
	case e.Text != "":
		s.first()
		s.all = append(s.all, e.Text...)
		if s.o.Structure == nil { // else it is shown once it is known to fit
			s.emit(ui.Text{Message: s.id, Text: e.Text})
		}
	case e.Progress != nil:
		s.phase(fmt.Sprintf("reading the prompt: %d %%", int(100*e.Progress.Fraction())))
	case e.Waiting != "":
		s.waiting = e.Waiting
		s.emit(ui.Notice{Level: ui.Warning, Text: e.Waiting})
	case e.Notice != "":
		s.emit(ui.Notice{Level: ui.Warning, Text: e.Notice})
	}
	return nil
}

func (s *stream) first() {
	s.waiting = ""
	if !s.begun {
		s.begun = true
		s.dog.Phase("between tokens")
	}
}

func (s *stream) fragment(f *llm.CallFragment) error {
	s.first()
	if !s.calling {
		s.calling = true
		s.phase("Composing a tool call")
	}
	if s.args == nil {
		s.args = map[int]*tools.Runaway{}
	}
	if s.args[f.Index] == nil {
		s.args[f.Index] = &tools.Runaway{}
	}
	return s.args[f.Index].Add(f.Arguments)
}

func empty(m llm.Message) bool { return len(m.Calls) == 0 && strings.TrimSpace(m.Content) == "" }
