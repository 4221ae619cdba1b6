package acp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

const (
	// readBuffer is the size of the buffer of a connection; a longer line gets its own.
	readBuffer = 32 << 10
	// longHead is how much is kept of a line that is too long, to find its id in.
	longHead = 4 << 10
)

// lineReader reads lines of bounded length. bufio.Scanner won't do: it gives up on a long line for
// good.
type lineReader struct {
	r   *bufio.Reader
	max int
}

func newLineReader(r io.Reader, limit int) *lineReader {
	return &lineReader{bufio.NewReaderSize(r, readBuffer), limit}
}

// next returns the next line that isn't blank, without white space around it, in memory of its
// own. Of a line over the maximum only the head is returned, and long is true. The last line
// needs no newline.
func (l *lineReader) next() (line []byte, long bool, err error) {
	for {
		line, long, err = l.read()
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, long, nil
		}
		if err != nil {
			return nil, false, err
		}
	}
}

func (l *lineReader) read() ([]byte, bool, error) {
	var line []byte
	for {
		part, err := l.r.ReadSlice('\n')
		n := len(line) + len(part)
		if err == nil {
			n-- // the newline
		}
		if n > l.max {
			return l.skip(append(line, part...), err)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, false, err
		}
	}
}

// skip reads on to the end of a line that is too long and keeps its head.
func (l *lineReader) skip(line []byte, err error) ([]byte, bool, error) {
	head := bytes.Clone(line[:min(len(line), longHead)])
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = l.r.ReadSlice('\n')
	}
	return head, true, err
}
