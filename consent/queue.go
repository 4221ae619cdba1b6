package consent

import (
	"context"
	"slices"
	"time"
)

// waiting is a question in the queue.
type waiting struct {
	q     *Question
	turn  chan struct{} // closed when it is this question's turn to be shown
	early chan Decision // an answer for the session given to another question with this key
}

// Open is a request that is still open: who wants what, since when.
type Open struct {
	Request
	Since time.Time
}

// Open lists the questions that wait, in order of arrival.
func (g *Gate) Open() []Open {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := make([]Open, len(g.queue))
	for i, w := range g.queue {
		out[i] = Open{Request: w.q.Request, Since: w.q.Since}
	}
	return out
}

func (g *Gate) place(q *Question) (n, of int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, w := range g.queue {
		if w.q == q {
			return i + 1, len(g.queue)
		}
	}
	return 1, max(1, len(g.queue))
}

// ask queues the request, shows it when its turn has come, and remembers an answer for the session.
func (g *Gate) ask(ctx context.Context, r Request) Decision {
	w, remembered := g.enqueue(r)
	if w == nil {
		return remembered
	}
	defer g.remove(w)
	select {
	case <-w.turn:
	case d := <-w.early:
		return d
	case <-ctx.Done():
		return Decision{Cancelled: true, Waited: g.opts.Now().Sub(w.q.Since)}
	}
	// Its turn may have come together with an early answer, or with the cancel that took the question
	// before it away: nobody is asked again about what was just answered for the session, and nothing
	// is shown only to be withdrawn.
	select {
	case d := <-w.early:
		return d
	case <-ctx.Done():
		return Decision{Cancelled: true, Waited: g.opts.Now().Sub(w.q.Since)}
	default:
	}
	reply, err := g.opts.Asker.AskPermission(ctx, w.q)
	waited := g.opts.Now().Sub(w.q.Since)
	switch {
	case ctx.Err() != nil:
		return Decision{Cancelled: true, Waited: waited}
	case err != nil, reply.Cancelled:
		return Decision{Cancelled: true, Waited: waited}
	case reply.Denied != "":
		return Decision{By: ByHook, Reason: reply.Denied, Waited: waited}
	}
	if reply.Answer.ForSession() && !g.opts.Asked {
		g.policy.Remember(r.Key(), reply.Answer.Allows())
		g.answerAlike(w, reply.Answer.Allows())
	}
	return Decision{Allow: reply.Answer.Allows(), By: ByUser, Session: reply.Answer.ForSession() && !g.opts.Asked, Waited: waited}
}

// enqueue puts the request at the end of the queue, unless an answer for the session came since the
// memory was looked at: answerAlike reaches only what is in the queue by then.
func (g *Gate) enqueue(r Request) (*waiting, Decision) {
	w := &waiting{
		q:     &Question{Request: r, Since: g.opts.Now(), gate: g},
		turn:  make(chan struct{}),
		early: make(chan Decision, 1),
	}
	g.mu.Lock()
	if d, known := g.remembered(r); known {
		g.mu.Unlock()
		return nil, d
	}
	g.queue = append(g.queue, w)
	if g.opts.Asked || len(g.queue) == 1 {
		close(w.turn)
	}
	g.mu.Unlock()
	g.changed()
	return w, Decision{}
}

// remove takes w from the queue and gives the next one its turn.
func (g *Gate) remove(w *waiting) {
	g.mu.Lock()
	i := slices.Index(g.queue, w)
	g.queue = slices.Delete(g.queue, i, i+1)
	if i == 0 && len(g.queue) > 0 && !g.opts.Asked {
		close(g.queue[0].turn)
	}
	g.mu.Unlock()
	g.changed()
}

// answerAlike answers the questions behind w that have its key.
func (g *Gate) answerAlike(w *waiting, allow bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.opts.Now()
	for _, o := range g.queue {
		if o != w && o.q.Key() == w.q.Key() {
			select {
			case o.early <- Decision{Allow: allow, By: ByMemory, Waited: now.Sub(o.q.Since)}:
			default: // answered already by an earlier answer for the session
			}
		}
	}
}

func (g *Gate) changed() {
	if g.opts.Changed != nil {
		g.opts.Changed()
	}
}
