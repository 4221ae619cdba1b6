package engine

import (
	"context"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// person is the one human of a session: permission questions and forms come one at a time.
type person struct {
	free       chan struct{} // holds one token while nothing is asked
	asker      consent.Asker
	questioner ui.Questioner
}

// onePerson lets an asker and a questioner take turns. What is nil stays nil.
func onePerson(a consent.Asker, q ui.Questioner) (consent.Asker, ui.Questioner) {
	p := &person{free: make(chan struct{}, 1), asker: a, questioner: q}
	p.free <- struct{}{}
	if a != nil {
		a = p
	}
	if q != nil {
		q = p
	}
	return a, q
}

// take waits until nothing else is asked and reports whether ctx lasted that long.
func (p *person) take(ctx context.Context) bool {
	select {
	case <-p.free:
	case <-ctx.Done():
		return false
	}
	if ctx.Err() != nil { // both came at once: nothing is shown only to be withdrawn
		p.free <- struct{}{}
		return false
	}
	return true
}

// AskPermission asks when it is its turn.
func (p *person) AskPermission(ctx context.Context, q *consent.Question) (consent.Reply, error) {
	if !p.take(ctx) {
		return consent.Reply{Cancelled: true}, nil
	}
	defer func() { p.free <- struct{}{} }()
	return p.asker.AskPermission(ctx, q)
}

// AskUser asks when it is its turn.
func (p *person) AskUser(ctx context.Context, f ui.Form) ui.FormReply {
	if !p.take(ctx) {
		return ui.FormReply{State: ui.Withdrawn}
	}
	defer func() { p.free <- struct{}{} }()
	return p.questioner.AskUser(ctx, f)
}
