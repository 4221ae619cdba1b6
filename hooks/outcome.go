package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Decision is what hooks said about a call or an ask.
type Decision int

// The decisions. None goes on as if there were no hook.
const (
	None  Decision = iota
	Allow          // PreToolCall only: run without asking the user
	Deny
)

// Outcome is what came of all the hooks of one event.
type Outcome struct {
	Decision Decision
	// Reason says why the call was denied. It is never empty then.
	Reason string
	// Failed means that a hook failed rather than decided; Reason is then
	// "hook <command> failed: <why>".
	Failed bool
	// Prompt replaces the prompt of an ask when PromptReplaced is set, Answer its answer when
	// AnswerReplaced is.
	Prompt, Answer                 string
	PromptReplaced, AnswerReplaced bool
	// Context is added for the model, "" for none.
	Context string
	// Warnings are lines for the person.
	Warnings []string
}

// NoReason is the reason of a denial for which the hook gave none.
const NoReason = "no reason given"

// reply is the object a hook may write to stdout.
type reply struct {
	Decision string  `json:"decision"`
	Reason   string  `json:"reason"`
	Prompt   *string `json:"prompt"`
	Answer   *string `json:"answer"`
	Context  string  `json:"context"`
}

// parse reads a hook's stdout. Its error says what is wrong, to stand after "failed: ". An unknown
// key is an error: a hook that writes "decison" meant to guard something.
func parse(out []byte) (r reply, err error) {
	out = bytes.TrimSpace(out)
	if len(out) == 0 {
		return reply{}, nil
	}
	errObject := errors.New("output is not a JSON object")
	if out[0] != '{' {
		return reply{}, errObject
	}
	dec := json.NewDecoder(bytes.NewReader(out))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return reply{}, fmt.Errorf("%q in its output must be a string", wrong.Field)
		}
		if key, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
			return reply{}, fmt.Errorf("its output has the unknown key %s", key)
		}
		return reply{}, errObject
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return reply{}, errObject
	}
	if r.Decision != "" && r.Decision != "allow" && r.Decision != "deny" {
		return reply{}, fmt.Errorf(`its decision is %q, neither "allow" nor "deny"`, r.Decision)
	}
	return r, nil
}

// apply adds a hook's reply to the outcome and to the event that the next hook sees.
func (o *Outcome) apply(e *Event, command string, r reply) {
	if r.Context != "" {
		if o.Context != "" {
			o.Context += "\n"
		}
		o.Context += r.Context
	}
	switch {
	case r.Decision == "deny":
		o.deny(r.Reason)
		return
	case r.Decision == "allow" && e.Kind == PreToolCall:
		o.Decision = Allow
	}
	if r.Prompt != nil {
		if e.Kind == PreAsk {
			o.Prompt, o.PromptReplaced, e.Prompt = *r.Prompt, true, *r.Prompt
		} else {
			o.warn("hook %s: only preAsk hooks can replace the prompt", command)
		}
	}
	if r.Answer != nil {
		if e.Kind == PostAsk {
			o.Answer, o.AnswerReplaced, e.Answer = *r.Answer, true, *r.Answer
		} else {
			o.warn("hook %s: only postAsk hooks can replace the answer", command)
		}
	}
}

func (o *Outcome) deny(reason string) {
	if reason = strings.TrimSpace(reason); reason == "" {
		reason = NoReason
	}
	o.Decision, o.Reason = Deny, reason
}

func (o *Outcome) warn(format string, args ...any) {
	o.Warnings = append(o.Warnings, fmt.Sprintf(format, args...))
}
