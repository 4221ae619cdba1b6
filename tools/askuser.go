package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// maxQuestions is how many questions are asked at a time.
const maxQuestions = 4

// AskUser asks the user questions. It isn't subject to yolo: asking changes nothing.
type AskUser struct{}

// NewAskUser returns the ask_user tool.
func NewAskUser() AskUser { return AskUser{} }

// Spec declares the tool. A question's fields are described in words: llama.cpp would impose
// declared properties in alphabetical order (tools.fr.md).
func (AskUser) Spec() Spec {
	return Spec{
		Name:        "ask_user",
		Description: "Ask the user 1 to 4 questions when you can't decide yourself.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"questions":{"type":"array","items":{"type":"object",` +
			`"description":"question (the text), type (choice, multi, text or confirm), options (texts, for choice and multi), default"}}},"required":["questions"]}`),
		Counter: Counter{"❓", "question"},
	}
}

// Prepare checks the questions.
func (AskUser) Prepare(_ context.Context, c Call) Plan {
	p := Plan{Title: "ask_user", Kind: consent.KindOther, AtWork: "waiting for the user"}
	list, refused := questions(c.Args)
	if refused != "" {
		p.Refused = refused
		return p
	}
	p.Title = fmt.Sprintf("%d question(s)", len(list))
	p.Line = "❓ ask_user: " + p.Title
	p.Phase = "waiting for your answer"
	p.Run = func(ctx context.Context, host ui.Host) Result {
		return answered(list, host.AskUser(ctx, ui.Form{Call: c.ID, Questions: list}))
	}
	return p
}

// questions reads the arguments; refused is the text for the model when they can't be asked.
func questions(args json.RawMessage) (list []ui.Question, refused string) {
	raw, err := questionList(args)
	switch {
	case err != nil:
		return nil, BadArguments("ask_user", err)
	case len(raw) == 0:
		return nil, "[ask_user: no question — send questions: [{question, type, options}]]"
	case len(raw) > maxQuestions:
		return nil, fmt.Sprintf("[ask_user: %d questions — ask at most %d at a time]", len(raw), maxQuestions)
	}
	for i, r := range raw {
		q, refused := r.question(i + 1)
		if refused != "" {
			return nil, refused
		}
		list = append(list, q)
	}
	return list, ""
}

// rawQuestion is a question as models send it.
type rawQuestion struct {
	Question string  `json:"question"`
	Text     string  `json:"text"`
	Type     string  `json:"type"`
	Options  options `json:"options"`
	Default  any     `json:"default"`
}

// options are texts; numbers, booleans and objects with a label are taken for their text.
type options []string

// UnmarshalJSON reads a list of options, or a text with one option a line or between commas.
func (o *options) UnmarshalJSON(b []byte) error {
	var list []any
	if json.Unmarshal(b, &list) != nil {
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		sep := ","
		if strings.Contains(s, "\n") {
			sep = "\n"
		}
		*o = strings.Split(s, sep)
		return nil
	}
	*o = nil
	for _, v := range list {
		*o = append(*o, plainText(v))
	}
	return nil
}

func plainText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case map[string]any:
		for _, key := range []string{"label", "title", "text", "name", "value", "option"} {
			if s, ok := v[key].(string); ok {
				return s
			}
		}
		return ""
	}
	return fmt.Sprint(v)
}

// questionList finds the questions: a list, the list as a JSON text, one question alone, or one
// question's fields at the top level.
func questionList(args json.RawMessage) ([]rawQuestion, error) {
	var top struct {
		Questions json.RawMessage `json:"questions"`
		rawQuestion
	}
	if err := json.Unmarshal(args, &top); err != nil {
		return nil, err
	}
	if len(top.Questions) == 0 || string(top.Questions) == "null" {
		if top.Question == "" && len(top.Options) == 0 {
			return nil, nil
		}
		return []rawQuestion{top.rawQuestion}, nil
	}
	body := top.Questions
	var s string
	if json.Unmarshal(body, &s) == nil {
		if !json.Valid([]byte(s)) {
			return []rawQuestion{{Question: s}}, nil
		}
		body = json.RawMessage(s)
	}
	var list []flexible
	if err := json.Unmarshal(body, &list); err != nil {
		var one flexible
		if json.Unmarshal(body, &one) != nil {
			return nil, err
		}
		list = []flexible{one}
	}
	out := make([]rawQuestion, len(list))
	for i, f := range list {
		out[i] = rawQuestion(f)
	}
	return out, nil
}

// flexible is a question that may also be only its text.
type flexible rawQuestion

// UnmarshalJSON reads an object or a text.
func (f *flexible) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*f = flexible{Question: s}
		return nil
	}
	return json.Unmarshal(b, (*rawQuestion)(f))
}

// question checks the n-th question.
func (r rawQuestion) question(n int) (q ui.Question, refused string) {
	q.Text = strings.TrimSpace(r.Question)
	if q.Text == "" {
		q.Text = strings.TrimSpace(r.Text)
	}
	if q.Text == "" {
		return q, fmt.Sprintf("[ask_user: question %d has no text]", n)
	}
	q.Options = distinct(r.Options)
	kind, ok := questionType(r.Type, len(q.Options) > 0)
	if !ok {
		return q, fmt.Sprintf("[ask_user: question %d has type %q — use choice, multi, text or confirm]", n, r.Type)
	}
	q.Type = kind
	switch kind {
	case ui.Choice, ui.Multi:
		if len(q.Options) < 2 {
			return q, fmt.Sprintf("[ask_user: question %d is a %s question — give it at least two options]", n, kind)
		}
	default:
		q.Options = nil
	}
	q.Default = fittingDefault(q, strings.TrimSpace(plainText(r.Default)))
	return q, ""
}

// questionType reads a type or one of its synonyms; "" is choice with options and text without.
func questionType(s string, options bool) (ui.QuestionType, bool) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "":
		if options {
			return ui.Choice, true
		}
		return ui.Free, true
	case "choice", "single", "select", "radio", "enum", "one":
		return ui.Choice, true
	case "multi", "multiple", "multiselect", "checkbox", "checkboxes", "many":
		return ui.Multi, true
	case "text", "input", "string", "free", "freetext":
		return ui.Free, true
	case "confirm", "yesno", "yes_no", "boolean", "bool", "confirmation":
		return ui.Confirm, true
	}
	return "", false
}

// distinct trims options and drops empty ones and doubles, without regard to case.
func distinct(list []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, o := range list {
		o = strings.TrimSpace(o)
		if key := strings.ToLower(o); o != "" && !seen[key] {
			seen[key] = true
			out = append(out, o)
		}
	}
	return out
}

// fittingDefault keeps a default that makes sense for the question.
func fittingDefault(q ui.Question, d string) string {
	switch q.Type {
	case ui.Free:
		return d
	case ui.Confirm:
		if a, ok := ui.ParseConfirm(d); ok {
			return a
		}
	case ui.Choice:
		for _, o := range q.Options {
			if strings.EqualFold(o, d) {
				return o
			}
		}
	}
	return ""
}

// answered words what the user said (tools.fr.md, Résultat). What is no answer is a failed call.
func answered(list []ui.Question, r ui.FormReply) Result {
	switch r.State {
	case ui.Declined:
		return Result{Failed: true, Text: "[the user declined to answer: do not ask the same thing again; go on without it or stop]"}
	case ui.Withdrawn:
		return Result{Failed: true, Text: "[the question was cancelled before the user answered]"}
	case ui.Replied:
	default:
		return Result{Failed: true, Text: "[the user cannot be asked in this mode: make a reasonable assumption, say which, and go on]"}
	}
	var b strings.Builder
	b.WriteString("The user answered:")
	for i, q := range list {
		var a []string
		if i < len(r.Answers) {
			a = r.Answers[i]
		}
		fmt.Fprintf(&b, "\n- %s → %s", q.Text, strings.Join(a, ", "))
	}
	return Result{Text: b.String()}
}
