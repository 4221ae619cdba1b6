package window

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time of this thread: what the window itself takes, whatever else the
// machine does.
func threadTime() time.Duration { return used(unix.RUSAGE_THREAD) }

func processTime() time.Duration { return used(unix.RUSAGE_SELF) }

func used(who int) time.Duration {
	var r unix.Rusage
	if unix.Getrusage(who, &r) != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
