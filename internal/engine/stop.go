package engine

// Stop begins to end every agent below and returns at once; Close waits for it. A front end calls it
// when its own end begins, so that a turn which waits for an agent isn't what all wait for.
func (e *Engine) Stop() { e.team().Stop() }
