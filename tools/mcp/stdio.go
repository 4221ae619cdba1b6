package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mini-me/mm/internal/clip"
	"github.com/mini-me/mm/internal/proc"
)

// maxQueued bounds what waits for a server that doesn't read, in bytes.
const maxQueued = 32 << 20

// stdio is the SDK's transport over a process that runs through internal/proc. The SDK's own starts
// no process group, and ends with the first line that isn't JSON; servers do print banners.
type stdio struct {
	process *proc.Process
	max     int // bytes of a message
	lists   *lists
	out     *proc.Outbox

	incoming chan jsonrpc.Message
	closing  sync.Once
	closed   chan struct{} // Close was called
	ended    chan struct{} // closed when nothing more is read
	err      error         // why, set before ended is closed

	mu    sync.Mutex
	noise string // guarded by mu: the last line that was no message
}

// newStdio begins to read and to write. The process's stdout is read until its end, also after
// Close: a process that can't write doesn't end.
func newStdio(p *proc.Process, max int, l *lists) *stdio {
	s := &stdio{process: p, max: max, lists: l, incoming: make(chan jsonrpc.Message),
		closed: make(chan struct{}), ended: make(chan struct{})}
	s.out = proc.NewOutbox(p.Stdin, maxQueued, nil) // that it has ended its stdout tells
	go s.out.Run()
	go s.read()
	return s
}

// Connect implements sdk.Transport.
func (s *stdio) Connect(context.Context) (sdk.Connection, error) { return s, nil }

// SessionID implements sdk.Connection.
func (s *stdio) SessionID() string { return "" }

// Read implements sdk.Connection.
func (s *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.closed:
		return nil, io.EOF
	case m := <-s.incoming:
		return m, nil
	case <-s.ended:
		return nil, s.err
	}
}

// Write implements sdk.Connection. It doesn't wait for a server that doesn't read.
func (s *stdio) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.Method == "tools/list" {
		s.lists.asked(r.ID)
	}
	return s.out.Push(append(text, '\n'))
}

// Close implements sdk.Connection. The process is ended by whoever started it.
func (s *stdio) Close() error {
	s.closing.Do(func() {
		close(s.closed)
		s.out.Stop()
	})
	return nil
}

// read reads lines until stdout ends. It is a goroutine of its own.
func (s *stdio) read() {
	defer close(s.ended)
	r := bufio.NewReaderSize(s.process.Stdout, 64<<10)
	for {
		line, long, err := readLine(r, s.max)
		switch {
		case long:
			s.deliver(tooLong(line, s.max))
		case len(line) > 0:
			for _, m := range s.decode(line) {
				s.deliver(m)
			}
		}
		if err != nil {
			s.err = err
			return
		}
	}
}

func (s *stdio) deliver(m jsonrpc.Message) {
	if m == nil {
		return
	}
	select {
	case s.incoming <- m:
	case <-s.closed:
	}
}

// decode reads the messages of a line: one, or a batch as revision 2025-03-26 had it. Lines that
// are none are noted for the reason of a failure; notifications that nothing here uses are dropped,
// since the SDK's queue for them has no bound.
func (s *stdio) decode(line []byte) []jsonrpc.Message {
	parts := []json.RawMessage{line}
	if line[0] == '[' && json.Unmarshal(line, &parts) != nil {
		parts = nil
	}
	var list []jsonrpc.Message
	for _, part := range parts {
		m, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			continue
		}
		if r, ok := m.(*jsonrpc.Response); ok {
			s.lists.answered(r)
		}
		if r, ok := m.(*jsonrpc.Request); ok && !r.IsCall() && !heard(r.Method) {
			continue
		}
		list = append(list, m)
	}
	if len(parts) == 0 || len(list) == 0 && line[0] != '{' {
		s.mu.Lock()
		s.noise = clip.To(string(bytes.ToValidUTF8(line[:min(len(line), 400)], []byte("\uFFFD"))), 200)
		s.mu.Unlock()
	}
	return list
}

// heard names the notifications that are used.
func heard(method string) bool {
	switch method {
	case "notifications/progress", "notifications/tools/list_changed", "notifications/cancelled":
		return true
	}
	return false
}

// lastNoise is the last line that was no message.
func (s *stdio) lastNoise() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.noise
}

// readLine reads a line without its end. Of one longer than max only both ends are kept.
func readLine(r *bufio.Reader, max int) (line []byte, long bool, err error) {
	const kept = 512
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > max {
			long = true
		}
		if long && len(line) > 2*kept {
			line = append(line[:kept:kept], line[len(line)-kept:]...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), long, err
		}
	}
}
