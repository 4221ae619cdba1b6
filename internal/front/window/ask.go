package window

import (
	"context"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// asking is a question to the person: a permission or a form. The goroutine that asks waits at
// reply; the window answers once.
type asking struct {
	permission *consent.Question // one of the two
	form       *ui.Form
	reply      chan answer // holds one
}

// answer is what the person said.
type answer struct {
	permission consent.Answer
	form       ui.FormReply
}

// withdrawn says that nobody waits for the answer any more.
type withdrawn struct{ *asking }

// ask hands a question to the window and waits. ok is false when ctx or the window ended first.
func (q *queue) ask(ctx context.Context, a *asking) (answer, bool) {
	if !q.put(a) {
		return answer{}, false
	}
	select {
	case r := <-a.reply:
		return r, true
	case <-ctx.Done():
		q.put(withdrawn{a})
		return answer{}, false
	}
}

// AskPermission shows a permission question (consent.Asker).
func (q *queue) AskPermission(ctx context.Context, p *consent.Question) (consent.Reply, error) {
	r, ok := q.ask(ctx, &asking{permission: p, reply: make(chan answer, 1)})
	if !ok {
		return consent.Reply{Cancelled: true}, nil
	}
	return consent.Reply{Answer: r.permission}, nil
}

// AskUser shows a form (ui.Questioner).
func (q *queue) AskUser(ctx context.Context, f ui.Form) ui.FormReply {
	r, ok := q.ask(ctx, &asking{form: &f, reply: make(chan answer, 1)})
	if !ok {
		return ui.FormReply{State: ui.Withdrawn}
	}
	return r.form
}
