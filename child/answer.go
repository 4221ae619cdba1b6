package child

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxAnswer bounds the text that is kept of one ask, in bytes. What is shown as it comes isn't cut.
const maxAnswer = 8 << 20

// answer is what an agent has written in an ask. Its answer is what it wrote after its last tool
// call, or all that it wrote if that is empty.
type answer struct{ before, last clipped }

func (a *answer) add(text string) { a.last.add(text) }

// call notes that a tool call begins.
func (a *answer) call() {
	a.before.add(string(a.last.kept))
	a.before.more += a.last.more
	a.last = clipped{}
}

func (a *answer) String() string {
	if strings.TrimSpace(string(a.last.kept)) != "" {
		return a.last.String()
	}
	a.call()
	return a.before.String()
}

// clipped is a text of which no more than maxAnswer is kept.
type clipped struct {
	kept []byte
	more int // characters that weren't kept
}

func (c *clipped) add(text string) {
	room := max(0, maxAnswer-len(c.kept))
	if c.more > 0 {
		room = 0 // else a hole would be in it
	}
	if len(text) > room {
		for room > 0 && !utf8.RuneStart(text[room]) {
			room--
		}
		c.more += utf8.RuneCountInString(text[room:])
		text = text[:room]
	}
	c.kept = append(c.kept, text...)
}

func (c *clipped) String() string {
	if c.more == 0 {
		return string(c.kept)
	}
	return fmt.Sprintf("%s\n[... %d more characters]", c.kept, c.more)
}
