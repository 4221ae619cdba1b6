package engine

// Stop begins to end every agent and server below and returns at once. A front end calls it when its
// own end begins, so that a turn which waits for an agent isn't what all wait for.
func (e *Engine) Stop() {
	e.stop.Do(func() {
		e.ending.Go(func() { e.team().Close() })
		e.ending.Go(func() { e.lsp().Close() })
		e.ending.Go(func() { e.mcp().Close() })
	})
}

// Close ends every agent and server below and waits until they are gone.
func (e *Engine) Close() {
	e.Stop()
	e.ending.Wait()
}
