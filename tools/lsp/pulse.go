package lsp

import "time"

// pulse calls alive each second until the function that it returns is called: every wait of a call
// has its own limit, which says more than the watchdog.
func pulse(alive func()) (stop func()) {
	ticker := time.NewTicker(time.Second)
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-ticker.C:
				alive()
			case <-over:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(over)
		<-done
	}
}
