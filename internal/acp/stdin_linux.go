package acp

import (
	"os"

	"golang.org/x/sys/unix"
)

// PrivateStdin opens the pipe that standard input is once more, for this process alone, in the mode
// in which Go waits for it without a thread: a thread that blocks in a read keeps the goroutine that it
// has just started from running until another thread was woken for it. Descriptor 0 becomes /dev/null,
// so that nothing that runs below reads the protocol's bytes. The mode belongs to the open pipe, which
// others may share: that is why it is opened anew, and why what isn't a pipe stays as it is. It is for
// main, once, before anything reads.
func PrivateStdin(in *os.File) *os.File {
	if st, err := in.Stat(); in != os.Stdin || err != nil || st.Mode()&os.ModeNamedPipe == 0 {
		return in
	}
	null, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return in
	}
	defer func() { _ = unix.Close(null) }()
	fd, err := unix.Open("/proc/self/fd/0", unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return in
	}
	if unix.Dup2(null, 0) != nil {
		_ = unix.Close(fd)
		return in
	}
	return os.NewFile(uintptr(fd), "stdin")
}
