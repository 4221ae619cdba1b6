package proc

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	tailBytes = 8 << 10
	tailLines = 40
	// holdTime is how long a pipe is read on after its process has ended: what was written is
	// there at once, and a process left behind may keep it open for ever.
	holdTime = 200 * time.Millisecond
)

// tail keeps the last part of what a process writes to stderr.
type tail struct {
	read *os.File      // nil when stderr goes elsewhere
	done chan struct{} // closed when nothing more is read

	mu    sync.Mutex
	kept  []byte // guarded by mu: at most 2*tailBytes
	line  []byte // guarded by mu: the beginning of the current line
	panic string // guarded by mu
}

func newTail(read *os.File) *tail {
	t := &tail{read: read, done: make(chan struct{})}
	if read == nil {
		close(t.done)
	}
	return t
}

// drain reads until the pipe is closed at the other end or by finish.
func (t *tail) drain() {
	defer close(t.done)
	defer t.read.Close()
	buf := make([]byte, 4<<10)
	for {
		n, err := t.read.Read(buf)
		t.add(buf[:n])
		if err != nil {
			return
		}
	}
}

// finish waits until all was read, or for holdTime if somebody else holds the pipe open.
func (t *tail) finish() {
	if t.read != nil {
		_ = t.read.SetReadDeadline(time.Now().Add(holdTime))
	}
	<-t.done
}

func (t *tail) add(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watchLocked(p)
	t.kept = append(t.kept, p...)
	if len(t.kept) > 2*tailBytes {
		n := copy(t.kept, t.kept[len(t.kept)-tailBytes:])
		t.kept = t.kept[:n]
	}
}

// watchLocked looks for the line that begins a Go panic: a long trace would push it out.
func (t *tail) watchLocked(p []byte) {
	const enough = 400 // bytes of a line that are looked at and shown
	for len(p) > 0 && t.panic == "" {
		part, rest, ended := bytes.Cut(p, []byte{'\n'})
		t.line = append(t.line, part[:min(len(part), max(0, enough-len(t.line)))]...)
		if !ended {
			return
		}
		if s := strings.TrimSpace(string(t.line)); isPanic(s) {
			t.panic = s
		}
		t.line, p = t.line[:0], rest
	}
}

func isPanic(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}

// Panic returns the line that began a Go panic.
func (t *tail) Panic() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.panic
}

// String returns the tail.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept, cut := t.kept, false
	if len(kept) > tailBytes {
		kept, cut = kept[len(kept)-tailBytes:], true
	}
	text := strings.TrimRight(strings.ToValidUTF8(string(kept), "\uFFFD"), "\r\n\t ")
	lines := strings.Split(text, "\n")
	if cut && len(lines) > 1 {
		lines = lines[1:] // its beginning is missing
	}
	lines = lines[max(0, len(lines)-tailLines):]
	text = strings.Join(lines, "\n")
	if t.panic != "" && !strings.Contains(text, t.panic) {
		return t.panic + "\n[...]\n" + text
	}
	return text
}
