package llm

import (
	"bytes"
	"errors"
	"io"
)

// maxEvent is how many bytes one event may have. A plain JSON answer is one event.
const maxEvent = 32 << 20

var errEventTooLarge = errors.New("an event of the stream is larger than 32 MiB")

// events reads a body as server-sent events.
//
// openai-go's decoder isn't used: it splits lines at LF only, keeps a byte order mark, drops the
// last event when no empty line follows it, and gives up on lines over 32 MiB with bufio's error.
// Servers do all of that, and answer with one plain JSON document where a stream was asked for.
type events struct {
	r      io.Reader
	buf    []byte
	start  int  // first byte that isn't consumed
	look   int  // first byte that wasn't searched for a line end
	end    int  // end of what was read
	skipLF bool // the last line ended with CR: a LF that follows belongs to it
	began  bool // the byte order mark is dealt with
	eof    error

	data  []byte // of the event that is being read
	has   bool   // it has a data line
	isErr bool   // it is named error
}

func newEvents(r io.Reader) *events {
	return &events{r: r, buf: make([]byte, 16<<10)}
}

// next returns the data of the next event, valid until the next call, and whether the event is
// named error. wait is called before each read that may block. The end of the body is io.EOF,
// after its last event; any other error of the body comes after the events before it, and an event
// that it cut is dropped.
func (e *events) next(wait func() error) (data []byte, isErr bool, err error) {
	if !e.began {
		plain, err := e.begin(wait)
		if err != nil || plain != nil {
			return plain, false, err
		}
	}
	e.data, e.has, e.isErr = e.data[:0], false, false
	for {
		line, ok := e.line()
		switch {
		case ok && len(line) == 0:
			if e.has {
				return e.data, e.isErr, nil
			}
			e.isErr = false
		case ok:
			e.field(line)
			if len(e.data) > maxEvent {
				return nil, false, errEventTooLarge
			}
		case e.eof != nil:
			return e.last()
		default:
			if err := e.fill(wait); err != nil {
				return nil, false, err
			}
		}
	}
}

// last ends the event that the end of the stream ended: its last line may lack a line end.
func (e *events) last() ([]byte, bool, error) {
	if e.eof != io.EOF {
		return nil, false, e.eof
	}
	if rest := e.buf[e.start:e.end]; len(rest) > 0 {
		e.start, e.look = e.end, e.end
		e.field(rest)
	}
	if e.has {
		e.has = false
		return e.data, e.isErr, nil
	}
	return nil, false, io.EOF
}

const bom = "\xef\xbb\xbf"

// begin drops a byte order mark, and reads the body as one document when it begins like JSON.
func (e *events) begin(wait func() error) ([]byte, error) {
	for e.eof == nil && e.end < 3 && (e.end == 0 || e.buf[0] == bom[0]) {
		if err := e.fill(wait); err != nil {
			return nil, err
		}
	}
	if bytes.HasPrefix(e.buf[:e.end], []byte(bom)) {
		e.start = 3
	}
	e.look, e.began = e.start, true
	for {
		rest := bytes.TrimLeft(e.buf[e.start:e.end], " \t\r\n")
		switch {
		case len(rest) > 0 && rest[0] == '{':
			return e.document(wait)
		case len(rest) > 0 || e.eof != nil:
			return nil, nil
		}
		if err := e.fill(wait); err != nil {
			return nil, err
		}
	}
}

func (e *events) document(wait func() error) ([]byte, error) {
	for e.eof == nil {
		if err := e.fill(wait); err != nil {
			return nil, err
		}
	}
	if e.eof != io.EOF {
		return nil, e.eof
	}
	doc := e.buf[e.start:e.end]
	e.start, e.look = e.end, e.end
	return doc, nil
}

// line returns the next whole line without its end: LF, CR, CRLF, and nothing else.
func (e *events) line() ([]byte, bool) {
	if e.skipLF && e.start < e.end {
		if e.buf[e.start] == '\n' {
			e.start++
			e.look = max(e.look, e.start)
		}
		e.skipLF = false
	}
	for e.look < e.end {
		// A window, so that a line costs its own length and not that of the buffer.
		window := e.buf[e.look:min(e.look+512, e.end)]
		i := bytes.IndexByte(window, '\n')
		if i < 0 {
			i = len(window)
		}
		if j := bytes.IndexByte(window[:i], '\r'); j >= 0 {
			i, e.skipLF = j, true
		}
		e.look += i
		if i < len(window) {
			line := e.buf[e.start:e.look]
			e.look++
			e.start = e.look
			return line, true
		}
	}
	return nil, false
}

// field takes one line of an event. A line that starts with a colon is a comment.
func (e *events) field(line []byte) {
	name, value, _ := bytes.Cut(line, []byte{':'})
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:] // one blank and no more
	}
	switch string(name) {
	case "data":
		if e.has {
			e.data = append(e.data, '\n')
		}
		e.data = append(e.data, value...)
		e.has = true
	case "event":
		e.isErr = string(value) == "error"
	}
}

// fill reads once more. It returns an error of wait or of the size; those of the body are kept in
// eof, since whole lines may stand before them.
func (e *events) fill(wait func() error) error {
	if err := wait(); err != nil {
		return err
	}
	if e.start > 0 && (e.start == e.end || e.end == len(e.buf)) {
		n := copy(e.buf, e.buf[e.start:e.end])
		e.look -= e.start
		e.start, e.end = 0, n
	}
	if e.end == len(e.buf) {
		if len(e.buf) > maxEvent {
			return errEventTooLarge
		}
		e.buf = append(e.buf, make([]byte, len(e.buf))...)
	}
	n, err := e.r.Read(e.buf[e.end:])
	e.end += n
	e.eof = err
	return nil
}
