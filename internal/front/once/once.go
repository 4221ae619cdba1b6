// Package once is the run of one question without a person at hand: mm -p and mm --ask. Its answer
// goes to stdout as text, as one JSON object, or as a stream of events; nobody can be asked for
// permission.
package once

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// The exit statuses (supplement 2).
const (
	ExitAnswered = 0
	ExitFailed   = 1
	ExitUsage    = 2
	ExitDenied   = 3
	ExitNoAnswer = 4
	ExitTimeout  = 5
	ExitRefused  = 6
)

// Unattended is said once on stderr when calls are refused because nobody can be asked.
const Unattended = "[yolo is off and nobody can be asked in this mode: calls that need permission are refused]"

// Options say what is asked and how the answer is written.
type Options struct {
	// Agent is the named agent to ask, "" for this agent's own model.
	Agent  string
	Prompt string
	// Resume is the saved session to go on with, "" for a new one; then Cwd may be "".
	Resume string
	Cwd    string
	Output string // text, json or events
	Strict bool
	// Timeout is what ErrTimeout as the cause of Run's context means, for the text.
	Timeout time.Duration
	Stdout  io.Writer
	Stderr  io.Writer
	// Terminal says that stdout is one: the answer is made safe to show then.
	Terminal bool
	// Shown says that Stdout is a terminal: the answer is made safe to show.
	Shown bool
	// Progress shows on stderr what happens: only where that is a terminal.
	Progress bool
	Now      func() time.Time
}

// ErrTimeout is the cause of a context that --timeout ended.
var ErrTimeout = errors.New("--timeout")

// Run asks and returns the exit status.
func Run(ctx context.Context, e *engine.Engine, o Options) int {
	if o.Now == nil {
		o.Now = time.Now
	}
	for _, w := range e.OwnWarnings() {
		fmt.Fprintln(o.Stderr, ui.Clean("[warning: "+w+"]"))
	}
	if o.Agent != "" {
		if text := Unknown(e, o.Agent); text != "" {
			fmt.Fprintln(o.Stderr, text)
			return ExitUsage
		}
	}
	rec := newRecorder(o)
	s, err := e.StartSession(o.Resume, engine.SessionOptions{Cwd: o.Cwd, Sink: rec, Audit: rec, Unattended: func() {
		fmt.Fprintln(o.Stderr, Unattended)
		rec.notice(Unattended)
	}})
	if err != nil {
		fmt.Fprintln(o.Stderr, "mm: "+err.Error())
		return ExitFailed
	}
	defer s.Close()
	rec.begin(s.ID)
	r := result{session: s.ID}
	if o.Agent != "" {
		r.answer, r.out = s.Relay(ctx, o.Agent, o.Prompt)
		r.asked = true
	} else {
		r.out = s.Ask(ctx, o.Prompt)
		r.answer = ui.Answer{Text: r.out.Answer}
	}
	r.timedOut = context.Cause(ctx) == ErrTimeout
	return rec.finish(r)
}

// Unknown is the text for a name that isn't in mmConfigs; nothing was sent to any model.
func Unknown(e *engine.Engine, name string) string {
	var names []string
	for _, a := range e.Agents() {
		if a.Name == name {
			return ""
		}
		names = append(names, a.Name)
	}
	if len(names) == 0 {
		return "mm: the agent file names no agents: add some under mmConfigs"
	}
	return tools.UnknownAgent(name, names)
}

// result is how the run ended.
type result struct {
	session  string
	answer   ui.Answer
	out      turn.Outcome
	asked    bool
	timedOut bool
}

// exit is the exit status of a result; strict ones count refused calls.
func (r result) exit(refused int, strict bool) int {
	switch {
	case r.timedOut, r.answer.Code == ui.AskTimedOut, r.failed(turn.Silence):
		return ExitTimeout
	case r.answer.Code == ui.AskDenied:
		return ExitDenied
	case r.answer.Code == ui.AskBadFile, r.answer.Code == ui.AskUnknown:
		return ExitUsage
	case r.answer.Code == ui.AskNoAnswer, r.failed(turn.EmptyTurn):
		return ExitNoAnswer
	case r.out.Reason != turn.EndTurn:
		return ExitFailed
	case strict && refused > 0:
		return ExitRefused
	}
	return ExitAnswered
}

func (r result) failed(c turn.Cause) bool {
	return r.out.Failure != nil && r.out.Reason == turn.StopError && r.out.Failure.Cause == c
}

// reason says why the answer isn't whole, "" when it is.
func (r result) reason(o Options) string {
	switch {
	case r.timedOut:
		return fmt.Sprintf("[error: not finished after %v — stopped by --timeout]", o.Timeout)
	case r.out.Failure != nil:
		return r.out.Failure.Message
	case r.out.Reason == turn.Cancelled:
		return "[cancelled]"
	}
	return ""
}

// stop is the stop reason to report.
func (r result) stop() string {
	if r.asked && r.answer.StopReason != "" {
		return r.answer.StopReason
	}
	return r.out.Reason
}

// encode makes JSON of a value that can always be encoded.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		b, _ = json.Marshal(map[string]string{"type": "error", "message": err.Error()})
	}
	return b
}
