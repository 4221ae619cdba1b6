package child

import (
	"context"
	"slices"
)

// opening is a session/new under way, or its session once that is there and no ask has it.
type opening struct {
	cwd, parent string
	dirs        []string
	ahead       bool // no ask waits for it yet
	made        chan newSession
	giveUp      context.CancelFunc
	id          string // guarded by the client's mu: "" until a session made ahead is there
	early       []item // guarded by the client's mu: what came for that session since
}

// opens begins to make a session. It returns nil once the client is closed.
func (c *Client) opens(t Task, ahead bool) *opening {
	o := &opening{cwd: t.Cwd, parent: t.Parent, dirs: t.Dirs, ahead: ahead, made: make(chan newSession, 1)}
	var ctx context.Context
	ctx, o.giveUp = context.WithCancel(context.Background())
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || ahead && c.spare != nil {
		o.giveUp()
		return nil
	}
	if ahead {
		c.spare = o
	}
	c.opening++
	c.background.Go(func() {
		defer o.giveUp()
		s := c.newSession(ctx, t)
		c.ready(o, s)
		o.made <- s
	})
	return o
}

// ready keeps a session that was made ahead, unless an ask waits for it by now.
func (c *Client) ready(o *opening, s newSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.spare != o {
		return
	}
	if s.err != nil || c.asks[s.SessionID] != nil {
		c.spare = nil // the next ask makes its own, and hears why it can't
	} else {
		o.id = s.SessionID
		o.early = slices.DeleteFunc(c.takeEarlyLocked(o.id), item.refuse) // nobody asked it for anything
	}
	c.openedLocked()
}

// Prepare makes the session of the next ask while nobody waits for it: that is most likely of the same
// session in the same folder. Agents of other makes get a session when there is something to do.
func (c *Client) Prepare(t Task) {
	if c.cmd.MM && c.Alive() {
		c.opens(t, true)
	}
}

// takeSpare takes the session that was made ahead. When it is there the ask has it, with what came for
// it (there is true); when it is on its way it is returned. One that doesn't suit is closed.
func (a *ask) takeSpare() (o *opening, early []item, there bool) {
	c := a.c
	c.mu.Lock()
	spare := c.spare
	c.spare = nil
	if spare == nil {
		c.mu.Unlock()
		return nil, nil, false
	}
	id := spare.id
	suits := spare.cwd == a.task.Cwd && spare.parent == a.task.Parent && slices.Equal(spare.dirs, a.task.Dirs)
	if suits && id != "" {
		a.id, early = id, spare.early
		a.agents[id] = c.cmd.Name
		c.asks[id] = a
	}
	c.mu.Unlock()
	switch {
	case suits:
		return spare, early, id != ""
	case id == "":
		c.drop(spare, c.outgrow)
	default:
		c.begin(func() { c.closeSession(id) })
	}
	return nil, nil, false
}

// outgrow closes a session that was made ahead for another folder once it is there. Nobody waits for it, so
// an agent that takes its time isn't ended for it.
func (c *Client) outgrow(made <-chan newSession) {
	defer c.opened()
	if s := <-made; s.err == nil {
		c.closeSession(s.SessionID)
	}
}

// drop lets end close a session that is being made and that nobody wants any more.
func (c *Client) drop(o *opening, end func(made <-chan newSession)) {
	if !c.begin(func() { defer o.giveUp(); end(o.made) }) {
		o.giveUp()
	}
}

// takeEarlyLocked takes what came for a session before it was known.
func (c *Client) takeEarlyLocked(id string) (early []item) {
	kept := c.early[:0]
	for _, it := range c.early {
		if it.session == id {
			early = append(early, it)
			c.earlyBytes -= it.cost()
		} else {
			kept = append(kept, it)
		}
	}
	c.early = kept
	return early
}

// keepLocked keeps what came for a session that no ask has: one that is being made, or was made ahead,
// may tell something already. What asks outside of a turn isn't kept.
func (c *Client) keepLocked(it item) bool {
	if o := c.spare; o != nil && o.id == it.session {
		if it.permission == nil && it.elicit == nil && len(o.early) < maxEarly {
			o.early = append(o.early, it)
			return true
		}
		return false
	}
	if c.opening == 0 || len(c.early) >= maxEarly || c.earlyBytes+it.cost() > maxEarlyBytes {
		return false
	}
	c.early = append(c.early, it)
	c.earlyBytes += it.cost()
	return true
}

// release ends the session of an ask, so that a long-lived agent doesn't keep it.
func (c *Client) release(a *ask) {
	c.forget(a)
	c.Prepare(a.task)
	c.begin(func() { c.closeSession(a.id) })
}
