package child

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAwait: what an agent owes is waited for as long as the agent could be heard, and no longer.
func TestAwait(t *testing.T) {
	for name, c := range map[string]struct {
		before func(*slow, chan<- int)
		want   time.Duration
		came   bool
	}{
		"it comes":            {func(_ *slow, came chan<- int) { time.Sleep(3 * time.Second); came <- 1 }, 3 * time.Second, true},
		"it doesn't":          {func(*slow, chan<- int) {}, 5 * time.Second, false},
		"nobody listened":     {func(s *slow, _ chan<- int) { end := s.begin(); time.Sleep(7 * time.Second); end() }, 12 * time.Second, false},
		"nobody did, it came": {func(s *slow, came chan<- int) { s.begin(); time.Sleep(7 * time.Second); came <- 1 }, 7 * time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var s slow
				ch := make(chan int)
				go c.before(&s, ch)
				start := time.Now()
				if _, came := await(&s, 5*time.Second, ch); came != c.came || time.Since(start) != c.want {
					t.Errorf("came %v after %v, want %v after %v", came, time.Since(start), c.came, c.want)
				}
			})
		})
	}
}

// TestATimerThatIsLate: an agent that had followed a cancel was killed when mm went on after a Ctrl-Z that
// lasted longer than it may take: the timer was over before anything could be read.
func TestATimerThatIsLate(t *testing.T) {
	var s slow
	for took, want := range map[time.Duration]time.Duration{5 * time.Second: 0, 5*time.Second + late: 0, time.Minute: 5 * time.Second} {
		if got := s.more(5*time.Second, 5*time.Second, took); got != want {
			t.Errorf("after %v: %v more, want %v", took, got, want)
		}
	}
}
