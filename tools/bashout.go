package tools

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"
)

// bashEnd is how much of each end of a large output is read back, in bytes.
const bashEnd = 1 << 20

// bashGap stands between the two ends (tools.fr.md, bash).
const bashGap = "[... output too large to read back in full ...]"

// bashOutput is the file that a command writes to. Its name is removed at once where the system
// allows it, so that nothing remains however mm ends; background tasks keep the file itself.
type bashOutput struct {
	file  *os.File
	named bool // where an open file's name can't be removed
}

func newBashOutput() (*bashOutput, error) {
	first, err := os.CreateTemp("", "mm-bash-*")
	if err != nil {
		return nil, err
	}
	// A command may open its output once more ("> /dev/stderr"), which empties it; without
	// O_APPEND the rest would follow after a hole as long as what was there.
	file, err := os.OpenFile(first.Name(), os.O_RDWR|os.O_APPEND, 0)
	_ = first.Close()
	named := os.Remove(first.Name()) != nil
	return &bashOutput{file, named}, err
}

func (o *bashOutput) close() {
	_ = o.file.Close()
	if o.named {
		_ = os.Remove(o.file.Name())
	}
}

func (o *bashOutput) size() int64 {
	info, err := o.file.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}

// read returns the output, cut to so many characters in its middle.
func (o *bashOutput) read(limit int) string {
	size := o.size()
	if size <= 2*bashEnd {
		return TruncateMiddle(strings.ToValidUTF8(string(o.part(0, size)), "\uFFFD"), limit)
	}
	head := wholeEnd(o.part(0, bashEnd))
	tail := wholeStart(o.part(size-bashEnd, bashEnd))
	return joinEnds(strings.ToValidUTF8(string(head), "\uFFFD"), strings.ToValidUTF8(string(tail), "\uFFFD"), limit)
}

// part reads n bytes, or what there is of them.
func (o *bashOutput) part(at, n int64) []byte {
	buf := make([]byte, n)
	got, _ := o.file.ReadAt(buf, at)
	return buf[:got]
}

// joinEnds is TruncateMiddle for an output whose middle wasn't read: the number of characters left
// out counts only those that were.
func joinEnds(head, tail string, limit int) string {
	inHead, inTail := utf8.RuneCountInString(head), utf8.RuneCountInString(tail)
	gap := "\n" + bashGap + "\n"
	if limit <= 0 || inHead+inTail <= limit {
		return head + gap + tail
	}
	first := min(limit/2, inHead)
	last := min(limit-first, inTail)
	more := fmt.Sprintf("\n[... %d more characters]", inHead+inTail-first-last)
	return head[:at(head, first)] + more + gap + tail[at(tail, inTail-last):]
}

// wholeEnd drops the beginning of a character that was cut off at the end.
func wholeEnd(b []byte) []byte {
	for i := len(b) - 1; i >= max(0, len(b)-utf8.UTFMax); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}

// wholeStart drops the rest of a character that was cut off at the start.
func wholeStart(b []byte) []byte {
	for i := 0; i < min(utf8.UTFMax, len(b)); i++ {
		if utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	return b
}
