package orchestrator

import (
	"context"
	"errors"

	"github.com/mini-me/mm/child"
)

// errEnding is why nobody can be asked any more.
var errEnding = errors.New("mm is ending")

// agent is a named agent and its child, if one runs.
type agent struct {
	Agent
	// lock has one entry, which belongs to whoever starts or ends the child. It isn't a mutex since
	// a start may take long and who waits for it can be cancelled.
	lock   chan struct{}
	client *child.Client // guarded by lock
	closed bool          // guarded by lock
}

func newAgent(a Agent) *agent { return &agent{Agent: a, lock: make(chan struct{}, 1)} }

// start returns the agent's running child, or starts one. Starting is tried once for each ask.
func (ag *agent) start(ctx context.Context) (*child.Client, error) {
	select {
	case ag.lock <- struct{}{}:
		defer func() { <-ag.lock }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if ag.closed {
		return nil, errEnding
	}
	if ag.client != nil {
		if ag.client.Alive() {
			return ag.client, nil
		}
		ag.client.Close()
		ag.client = nil
	}
	c, err := child.Start(ctx, ag.Command)
	if err != nil {
		return nil, err
	}
	ag.client = c
	return c, nil
}

// close ends the child and waits until it is gone.
func (ag *agent) close() {
	ag.lock <- struct{}{}
	defer func() { <-ag.lock }()
	ag.closed = true
	if ag.client != nil {
		ag.client.Close()
		ag.client = nil
	}
}
