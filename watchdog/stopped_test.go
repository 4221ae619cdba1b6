package watchdog

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAStoppedProcessHearsNothing: after a Ctrl-Z that lasted longer than the timeout, fg ended the turn.
func TestAStoppedProcessHearsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, dog := New(t.Context(), 3*time.Minute)
		defer dog.Stop()
		time.Sleep(time.Minute)
		dog.timer.Stop()
		time.Sleep(time.Hour) // no timer runs while a process is stopped; all are over when it goes on
		dog.look()
		if ctx.Err() != nil {
			t.Fatal("the turn ended before anything could be read")
		}
		time.Sleep(3*time.Minute - time.Second)
		if ctx.Err() != nil {
			t.Error("silence wasn't counted anew")
		}
		time.Sleep(2 * time.Second)
		if ctx.Err() == nil {
			t.Error("silence ends the turn no more")
		}
	})
}
