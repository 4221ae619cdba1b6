package watchdog_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/mini-me/mm/watchdog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// alive fails unless the turn still runs.
func alive(t *testing.T, ctx context.Context, when string) {
	t.Helper()
	synctest.Wait()
	if ctx.Err() != nil {
		t.Fatalf("%s: the turn was stopped: %v", when, context.Cause(ctx))
	}
}

func silence(t *testing.T, ctx context.Context) *watchdog.Silence {
	t.Helper()
	synctest.Wait()
	var s *watchdog.Silence
	if !errors.As(context.Cause(ctx), &s) {
		t.Fatalf("the turn goes on, or ended otherwise: %v", context.Cause(ctx))
	}
	return s
}

func TestSilenceEndsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, dog := watchdog.New(t.Context(), 3*time.Minute)
		defer dog.Stop()
		time.Sleep(3*time.Minute - time.Nanosecond)
		alive(t, ctx, "just before the timeout")
		time.Sleep(time.Nanosecond)
		const want = "[error: no sign of life for 3m0s (waiting for the first token) — turn stopped by the watchdog]"
		if got := silence(t, ctx).Error(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	})
}

func TestPhaseIsNamed(t *testing.T) {
	for _, phase := range []string{watchdog.BetweenTokens, watchdog.AtWork("jan"), watchdog.Running("bash")} {
		synctest.Test(t, func(t *testing.T) {
			ctx, dog := watchdog.New(t.Context(), time.Minute)
			defer dog.Stop()
			time.Sleep(50 * time.Second)
			dog.Phase(phase)
			time.Sleep(50 * time.Second)
			alive(t, ctx, "a phase feeds")
			time.Sleep(10 * time.Second)
			if got := silence(t, ctx).Phase; got != phase {
				t.Errorf("phase %q, want %q", got, phase)
			}
		})
	}
}

func TestFeedKeepsTheTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, dog := watchdog.New(t.Context(), time.Minute)
		defer dog.Stop()
		for range 100 {
			time.Sleep(59 * time.Second)
			dog.Feed()
		}
		alive(t, ctx, "fed in time")
		time.Sleep(time.Minute)
		silence(t, ctx)
	})
}

func TestHoldWaitsForTheHuman(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, dog := watchdog.New(t.Context(), time.Minute)
		defer dog.Stop()
		first, second := dog.Hold(), dog.Hold()
		time.Sleep(24 * time.Hour)
		first()
		first() // a second release must not undo the other hold
		time.Sleep(24 * time.Hour)
		alive(t, ctx, "one still holds")
		second()
		time.Sleep(59 * time.Second)
		alive(t, ctx, "silence counts from the release")
		time.Sleep(time.Second)
		silence(t, ctx)
	})
}

func TestGraceDuringAnAsk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, dog := watchdog.New(t.Context(), time.Minute)
		defer dog.Stop()
		long, short := dog.Grace(5*time.Second), dog.Grace(2*time.Second)
		defer short()
		time.Sleep(64 * time.Second)
		alive(t, ctx, "the longest grace counts")
		long()
		long()
		time.Sleep(61 * time.Second)
		alive(t, ctx, "the other grace stands")
		time.Sleep(time.Second)
		if got := silence(t, ctx).After; got != 62*time.Second {
			t.Errorf("After = %v, want the time that was waited", got)
		}
	})
}

func TestGraceEndsAfterAllWereUndone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, dog := watchdog.New(t.Context(), time.Minute)
		defer dog.Stop()
		dog.Grace(5 * time.Second)()
		time.Sleep(time.Minute)
		if got := silence(t, ctx).After; got != time.Minute {
			t.Errorf("After = %v", got)
		}
	})
}

func TestZeroIsOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, dog := watchdog.New(t.Context(), 0)
		dog.Hold()()
		dog.Grace(time.Second)()
		dog.Phase(watchdog.BetweenTokens)
		time.Sleep(1000 * time.Hour)
		alive(t, ctx, "off")
		dog.Stop()
		if context.Cause(ctx) != context.Canceled {
			t.Errorf("cause %v", context.Cause(ctx))
		}
	})
}

func TestStopKeepsTheFirstCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		abort := errors.New("abort")
		parent, cancel := context.WithCancelCause(t.Context())
		ctx, dog := watchdog.New(parent, time.Minute)
		cancel(abort)
		time.Sleep(2 * time.Minute) // the turn takes its time to end
		dog.Stop()
		dog.Stop()
		release := dog.Hold()
		release()
		dog.Feed()
		if context.Cause(ctx) != abort {
			t.Errorf("cause %v, want the user's", context.Cause(ctx))
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, dog := watchdog.New(t.Context(), time.Second)
		defer dog.Stop()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 200 {
					dog.Phase(watchdog.BetweenTokens)
					dog.Hold()()
					dog.Grace(time.Second)()
					time.Sleep(time.Millisecond)
					dog.Feed()
				}
			})
		}
		all.Wait()
		alive(t, ctx, "after the storm")
		time.Sleep(time.Second)
		if got := silence(t, ctx).After; got != time.Second {
			t.Errorf("After = %v: a grace was left behind", got)
		}
	})
}

func BenchmarkFeed(b *testing.B) {
	_, dog := watchdog.New(b.Context(), time.Hour)
	defer dog.Stop()
	b.ReportAllocs()
	for b.Loop() {
		dog.Phase(watchdog.BetweenTokens)
	}
}
