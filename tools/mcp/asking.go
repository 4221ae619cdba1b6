package mcp

import "context"

// ask begins a question to the person of the call; ok is false when it can't be asked any more.
// While it waits, the silence of the server doesn't count.
func (k *call) ask(ctx context.Context) (release func(), ok bool) {
	k.mu.Lock()
	if k.done || k.forms >= maxForms {
		k.mu.Unlock()
		return nil, false
	}
	k.forms++
	k.held++
	k.asking.Add(1)
	if k.timer != nil {
		k.timer.Stop()
	}
	k.mu.Unlock()
	got := false
	release = func() {
		if got {
			<-k.turn
		}
		k.mu.Lock()
		k.held--
		if k.timer != nil && k.held == 0 && !k.done {
			k.timer.Reset(k.silence)
		}
		k.mu.Unlock()
		k.asking.Done()
	}
	select {
	case k.turn <- struct{}{}:
		got = true
		return release, true
	case <-ctx.Done():
		release()
		return nil, false
	}
}

// only returns the call under way if there is just one: a question of the server belongs to it.
func (c *conn) only() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.calls) != 1 {
		return nil
	}
	for _, k := range c.calls {
		return k
	}
	return nil
}
