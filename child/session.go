package child

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mini-me/mm/internal/acp"
)

// open makes the session of an ask and returns what came for it already. When the asker cancels
// meanwhile it returns at once, and the session that is being made is closed beside that.
func (a *ask) open() ([]item, error) {
	o, early, there := a.takeSpare()
	if there {
		return early, nil
	}
	if o == nil {
		o = a.c.opens(a.task, false)
	}
	if o == nil {
		return nil, acp.ErrClosed
	}
	select {
	case s := <-o.made:
		defer a.c.opened()
		switch {
		case s.err != nil && o.ahead: // it was asked for some time ago
			return a.open()
		case s.err != nil:
			return nil, s.err
		}
		return a.begin(s)
	case <-a.caller.Done():
		a.c.drop(o, func(made <-chan newSession) { a.c.abandon(made, a.task.StopAfter) })
		return nil, a.caller.Err()
	}
}

// begin takes a session for the ask; one of another agent is put into the mode in which it asks.
func (a *ask) begin(s newSession) ([]item, error) {
	a.id = s.SessionID
	a.agents[a.id] = a.c.cmd.Name
	early, err := a.c.adopt(a)
	if err != nil {
		return nil, err
	}
	if !a.c.cmd.MM {
		if early, err = a.settleReading(early, s.NewSessionResponse); err != nil {
			a.drain(early...)
			a.c.release(a)
			return nil, err
		}
	}
	return early, nil
}

// maxSettling bounds what is kept while an agent is put into its mode, in bytes and what items cost.
const maxSettling = 8 << 20

// settleReading settles, and keeps what the agent says meanwhile behind early: its answer comes last.
func (a *ask) settleReading(early []item, s acp.NewSessionResponse) ([]item, error) {
	done := make(chan error, 1)
	a.work.Go(func() { done <- a.settle(a.caller, s) })
	for room := int64(maxSettling); ; {
		items := a.inbox.items
		if room <= 0 {
			items = nil
		}
		select {
		case it := <-items:
			early = append(early, *it)
			a.inbox.free(*it)
			room -= it.cost()
		case err := <-done:
			return early, err
		}
	}
}

// newSession is what came of a session/new.
type newSession struct {
	acp.NewSessionResponse
	err error
}

func (c *Client) newSession(ctx context.Context, t Task) newSession {
	req := acp.NewSessionRequest{Cwd: t.Cwd}
	if c.info.AgentCapabilities.SessionCapabilities.AdditionalDirectories != nil {
		req.AdditionalDirectories = t.Dirs
	}
	if t.Parent != "" {
		req.Meta = acp.MetaOf(acp.MetaKey, acp.SessionMeta{Parent: t.Parent})
	}
	var s newSession
	err := c.conn.Call(ctx, acp.MethodNewSession, req, &s.NewSessionResponse)
	switch {
	case err != nil:
		s.err = c.loginError(err)
	case s.SessionID == "":
		s.err = errors.New("answered session/new without a session id")
	}
	return s
}

// abandon closes the session of an ask that was cancelled once it is there. An agent that doesn't make
// it in the time that a cancel may take hangs, and would hang at the next ask: it is killed.
func (c *Client) abandon(made <-chan newSession, limit time.Duration) {
	defer c.opened()
	s, came := await(&c.slow, limit, made)
	switch {
	case !came:
		c.kill(fmt.Sprintf("did not answer session/new within %v of a cancel and was killed", limit))
	case s.err == nil:
		c.closeSession(s.SessionID)
	}
}

// closeWait is how long the answer to session/close is waited for, beside the next work.
const closeWait = 5 * time.Second

func (c *Client) closeSession(id string) {
	if c.info.AgentCapabilities.SessionCapabilities.Close == nil || !c.Alive() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	_ = c.conn.Call(ctx, acp.MethodCloseSession, acp.SessionRequest{SessionID: id}, nil)
}
