package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/mini-me/mm/internal/proc"
)

// maxMessage bounds a message of a server, in bytes.
const maxMessage = 64 << 20

// maxHeader bounds a line between messages, in bytes.
const maxHeader = 4 << 10

// frames is the jsonrpc2.ObjectStream to a server. It writes as the package's VSCodeObjectCodec
// does, but reads with more patience: that codec ends the connection at a line that a server prints
// between its messages, at headers in lower case and at line ends without \r, and takes messages
// of any size. Ids of the server's requests travel through jsonrpc2 as strings that hold the id as
// it was sent, since jsonrpc2 takes only some ids.
type frames struct {
	r     *bufio.Reader
	out   *proc.Outbox
	close func() error
	ended chan struct{} // closed when there is nothing more to read
	err   error         // why; set before ended is closed
	log   func(format string, args ...any)
}

// envelope is any message.
type envelope struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  *string         `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   json.RawMessage `json:"error,omitempty"`
}

// ReadObject reads the next message into v. What is no message is logged and skipped.
func (f *frames) ReadObject(v any) error {
	for {
		body, err := f.read()
		if err != nil {
			f.err = err
			close(f.ended)
			return err
		}
		message, err := received(body)
		if err == nil {
			err = json.Unmarshal(message, v)
		}
		if err == nil {
			return nil
		}
		f.log("a message of the server is skipped: %v", err)
	}
}

// read reads one body.
func (f *frames) read() ([]byte, error) {
	length := -1
	for {
		line, err := f.header()
		if err != nil {
			return nil, err
		}
		if line == "" && length >= 0 {
			break
		}
		if n, ok := contentLength(line); ok {
			length = n
		}
	}
	if length > maxMessage {
		return nil, fmt.Errorf("it sent a message of %d MiB, the limit is %d MiB", length>>20, maxMessage>>20)
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(f.r, body); err != nil {
		return nil, err
	}
	return body, nil
}

// header reads a line without its line end, or the beginning of a long one.
func (f *frames) header() (string, error) {
	var line []byte
	for {
		part, err := f.r.ReadSlice('\n')
		if room := maxHeader - len(line); room > 0 {
			line = append(line, part[:min(len(part), room)]...)
		}
		switch {
		case err == nil:
			return string(bytes.TrimRight(line, "\r\n")), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return "", err
		}
	}
}

// contentLength reads the one header that counts. Text before it on its line was printed without
// a line end.
func contentLength(line string) (n int, ok bool) {
	const name = "content-length:"
	for at := len(line) - len(name); at >= 0; at-- {
		if strings.EqualFold(line[at:at+len(name)], name) {
			n, err := strconv.Atoi(strings.TrimSpace(line[at+len(name):]))
			return n, err == nil && n >= 0
		}
	}
	return 0, false
}

// received brings a message into the form that jsonrpc2 takes.
func received(body []byte) ([]byte, error) {
	var m envelope
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	m.JSONRPC = "2.0"
	hasID := len(m.ID) > 0 && string(m.ID) != "null"
	switch {
	case m.Method != nil && hasID:
		id, err := json.Marshal(string(m.ID))
		if err != nil {
			return nil, err
		}
		m.ID, m.Result, m.Error = id, nil, nil
	case m.Method != nil:
		m.ID, m.Result, m.Error = nil, nil, nil
	case !hasID:
		return nil, errors.New("it has neither a method nor an id")
	default:
		m.Params = nil
		m.answer()
	}
	return json.Marshal(m)
}

// answer gives a response its one outcome, as an error of the right shape or a result.
func (m *envelope) answer() {
	if len(m.Error) == 0 || string(m.Error) == "null" {
		m.Error = nil
		if len(m.Result) == 0 {
			m.Result = json.RawMessage("null")
		}
		return
	}
	m.Result = nil
	var e jsonrpc2.Error
	if json.Unmarshal(m.Error, &e) == nil {
		return
	}
	e = jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: string(m.Error)}
	if fixed, err := json.Marshal(e); err == nil {
		m.Error = fixed
	}
}

// WriteObject queues a message. It never blocks: jsonrpc2 holds a lock meanwhile, and the reading
// goroutine answers requests of a server that may not be reading.
func (f *frames) WriteObject(obj any) error {
	data, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	if data, err = sent(data); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := (jsonrpc2.VSCodeObjectCodec{}).WriteObject(&b, json.RawMessage(data)); err != nil {
		return err
	}
	return f.out.Push(b.Bytes())
}

// sent gives a response the id that its request had on the wire.
func sent(data []byte) ([]byte, error) {
	var m envelope
	if err := json.Unmarshal(data, &m); err != nil || m.Method != nil {
		return data, err
	}
	var id string
	if err := json.Unmarshal(m.ID, &id); err != nil {
		return nil, err
	}
	m.ID = json.RawMessage(id)
	return json.Marshal(m)
}

// Close closes the streams, which ends a Read that is under way.
func (f *frames) Close() error { return f.close() }
