package line

import (
	"context"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// pending is something that waits for what a person types.
type pending interface {
	// show draws it.
	show(p *printer)
	// take reads a line. It reports whether the pending thing is settled; else it is shown again.
	// At the end of the input it is always settled.
	take(line string, ended bool) bool
	// prompt stands before the answer.
	prompt() string
	// skip declines it and reports whether it can be.
	skip() bool
	// reminder is what is asked, in one line, for when other output has pushed the question up; now
	// says that it has changed since the question was drawn.
	reminder() (text string, now bool)
}

// waiter is a pending thing and the way back to who waits for it.
type waiter struct {
	pending
	settled chan struct{} // closed by Run's goroutine once it is settled
}

// wait hands a pending thing to Run's goroutine until it is settled, and reports false when ctx
// ended first: then it was taken off the screen.
func (f *front) wait(ctx context.Context, p pending) bool {
	w := &waiter{p, make(chan struct{})}
	select {
	case f.asks <- w:
	case <-ctx.Done():
		return false
	}
	select {
	case <-w.settled:
		return true
	case <-ctx.Done():
	}
	select {
	case f.gone <- w:
		return false
	case <-w.settled:
		return true
	}
}

// AskPermission shows a permission question (consent.Asker).
func (f *front) AskPermission(ctx context.Context, q *consent.Question) (consent.Reply, error) {
	p := &permission{q: q}
	if !f.wait(ctx, p) {
		return consent.Reply{Cancelled: true}, nil
	}
	return consent.Reply{Answer: p.answer}, nil
}

// AskUser shows a form, one question after the other (ui.Questioner).
func (f *front) AskUser(ctx context.Context, form ui.Form) ui.FormReply {
	p := &asked{form: form}
	if !f.wait(ctx, p) {
		return ui.FormReply{State: ui.Withdrawn}
	}
	if p.declined {
		return ui.FormReply{State: ui.Declined}
	}
	return ui.FormReply{State: ui.Replied, Answers: p.answers}
}

// permission is a permission question.
type permission struct {
	q      *consent.Question
	answer consent.Answer // RejectOnce until it is answered
}

func (w *permission) show(p *printer) { p.question(w.q) }

func (w *permission) prompt() string { return askPermission }

func (w *permission) reminder() (string, bool) {
	_, of := w.q.Place()
	return "🔐 " + ui.CleanLine(strings.ReplaceAll(title(w.q), "\n", " ⏎ ")), of > 1
}

func (w *permission) take(line string, ended bool) bool {
	a, ok := consent.ParseAnswer(line)
	if ok {
		w.answer = a
	}
	return ok || ended
}

func (w *permission) skip() bool { return false }

// asked is a form.
type asked struct {
	form     ui.Form
	answers  [][]string
	declined bool
}

func (w *asked) current() ui.Question { return w.form.Questions[len(w.answers)] }

func (w *asked) show(p *printer) { p.form(w.current()) }

func (w *asked) prompt() string { return askQuestion }

func (w *asked) reminder() (string, bool) { return "❓ " + ui.CleanLine(w.current().Text), false }

func (w *asked) take(line string, ended bool) bool {
	if ended && strings.TrimSpace(line) == "" {
		w.declined = true
		return true
	}
	if answer, ok := w.current().ParseLine(line); ok {
		w.answers = append(w.answers, answer)
	}
	return len(w.answers) == len(w.form.Questions)
}

func (w *asked) skip() bool {
	w.declined = true
	return true
}
