package line

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxLine bounds one line of input, in bytes, give or take a buffer. What is beyond is left out, which
// the line says.
const maxLine = 16 << 20

// input is the lines that are typed or piped in.
type input struct {
	lines <-chan string // closed at the end
	ended bool          // Run's own: the end has been seen
}

// readLines reads lines in a goroutine. A line that nobody takes holds up the reading: piped input
// isn't read ahead of the turns. The goroutine ends with the input; one that blocks in a read of a
// terminal ends with the process, since such a read can't be stopped.
func readLines(r io.Reader) *input {
	c := make(chan string)
	go func() {
		defer close(c)
		br := bufio.NewReader(r)
		for {
			line, err := readLine(br)
			if line != "" || err == nil {
				c <- line
			}
			if err != nil {
				return
			}
		}
	}()
	return &input{lines: c}
}

func readLine(br *bufio.Reader) (string, error) {
	var b strings.Builder
	left := 0
	for {
		part, err := br.ReadSlice('\n')
		if b.Len() < maxLine {
			b.Write(part)
		} else {
			left += len(part)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		line := strings.ToValidUTF8(strings.TrimRight(b.String(), "\r\n"), "\ufffd")
		if left > 0 {
			line += fmt.Sprintf("\n[... %d more bytes of the line left out]", left)
		}
		return line, err
	}
}
