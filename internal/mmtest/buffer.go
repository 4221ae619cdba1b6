package mmtest

import (
	"bytes"
	"sync"
)

// Buffer keeps what is written, for several goroutines.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer // guarded by mu
}

// Write keeps p.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// Set replaces all that was written.
func (b *Buffer) Set(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b.Reset()
	b.b.WriteString(s)
}

// String is all that was written.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// Clip leaves out the middle of what is too long for a test's log.
func Clip(s string) string {
	if len(s) > 20000 {
		return s[:5000] + "\n[…]\n" + s[len(s)-15000:]
	}
	return s
}
