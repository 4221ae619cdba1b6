package acptest

import (
	"bytes"
	"context"
	"io"
	"sync"
)

// Tap returns r and w with every line that goes through them checked. agent says whether they are
// the agent's: it writes to w what the client reads.
func (c *Checker) Tap(r io.Reader, w io.Writer, agent bool) (io.Reader, io.Writer) {
	return &tapReader{r: r, lines: lines{c: c, fromAgent: !agent}}, &tapWriter{w: w, lines: lines{c: c, fromAgent: agent}}
}

// lines cuts a stream into lines.
type lines struct {
	c         *Checker
	fromAgent bool
	mu        sync.Mutex
	rest      []byte // guarded by mu
}

func (l *lines) add(b []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, b...)
	for {
		i := bytes.IndexByte(l.rest, '\n')
		if i < 0 {
			return
		}
		if line := bytes.TrimRight(l.rest[:i], "\r"); len(line) > 0 {
			l.c.Check(line, l.fromAgent)
		}
		l.rest = l.rest[i+1:]
	}
}

type tapReader struct {
	r io.Reader
	lines
}

// Read reads and checks.
func (t *tapReader) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	t.add(p[:n])
	return n, err
}

type tapWriter struct {
	w io.Writer
	lines
}

// Write checks and writes.
func (t *tapWriter) Write(p []byte) (int, error) {
	t.add(p)
	return t.w.Write(p)
}

// Wait waits until a frame satisfies f and returns it. When ctx ends first it ends the test.
func (c *Checker) Wait(ctx context.Context, f func(Frame) bool) Frame {
	c.t.Helper()
	for seen := 0; ; {
		c.mu.Lock()
		frames, changed := c.frames, c.changed
		c.mu.Unlock()
		for ; seen < len(frames); seen++ {
			if f(frames[seen]) {
				return frames[seen]
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			c.t.Fatalf("acptest: the awaited frame didn't come: %v", ctx.Err())
		}
	}
}
