package line

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
)

func TestALineThatIsTooLong(t *testing.T) {
	in := bufio.NewReader(strings.NewReader(strings.Repeat("x", 2*maxLine) + "\nnext\n"))
	line, err := readLine(in)
	text, note, cut := strings.Cut(line, "\n")
	want := fmt.Sprintf("[... %d more bytes of the line left out]", 2*maxLine+1-len(text))
	if err != nil || !cut || len(text) < maxLine || note != want {
		t.Errorf("%d bytes, %q, want %q: %v", len(text), note, want, err)
	}
	if line, err := readLine(in); line != "next" || err != nil {
		t.Errorf("%q, %v", line, err)
	}
}
