package proc

import (
	"errors"
	"io"
	"os"
	"sync"
	"time"
)

// outPipe is the end of a process's stdout that mm reads. Once the process has ended, a Read that
// waits for holdTime in vain is at the end: whoever still holds the pipe isn't waited for. A slow
// reader loses nothing, since only the wait for more counts.
type outPipe struct {
	file *os.File
	once sync.Once
	err  error // of Close
}

// exited says that the process has ended. A blocked Read wakes up and waits once more.
func (o *outPipe) exited() { _ = o.file.SetReadDeadline(time.Unix(1, 0)) }

// Read implements io.Reader. The pipe closes itself at its end.
func (o *outPipe) Read(p []byte) (int, error) {
	n, err := o.file.Read(p)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		_ = o.file.SetReadDeadline(time.Now().Add(holdTime))
		n, err = o.file.Read(p)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = io.EOF
		}
	}
	if err != nil && n == 0 {
		_ = o.Close()
	}
	return n, err
}

// Close implements io.Closer.
func (o *outPipe) Close() error {
	o.once.Do(func() { o.err = o.file.Close() })
	return o.err
}
