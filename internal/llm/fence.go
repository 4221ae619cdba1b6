package llm

import (
	"bytes"
	"slices"
)

// fenced finds out whether a fenced block is one call: a JSON object with the name of a tool that
// is on offer first, and nothing behind the block. It is given the text from the fence on again and
// again, and looks at each byte once, apart from the first few.
type fenced struct {
	fence byte
	len   int
	head  int // where the object begins, 0 while not known
	tail  int // where it ends
	shut  int // where the closing fence ends
	obj   brackets
}

// infos are what may stand behind a fence that holds a call.
func infos() []string { return []string{"", "json", "tool_call", "tool"} }

// scan reports found only when nothing more will come: text behind the block makes it an example.
func (f *fenced) scan(b []byte, final bool, offered func(name string) bool) verdict {
	if f.head == 0 {
		if v := f.begin(b, offered); v != found {
			return undecidedAs(v, final)
		}
	}
	if f.tail == 0 {
		end, ok := f.obj.scan(b, "")
		if !ok {
			return undecided(final)
		}
		f.tail = end
	}
	if f.shut == 0 {
		at := skipSpace(b, f.tail)
		n := runLength(b[at:], f.fence)
		switch {
		case at == len(b):
			return foundIf(final)
		case n == 0:
			return failed
		case at+n == len(b) && !final:
			return more
		case n < f.len || bytes.IndexByte(b[f.tail:at], '\n') < 0:
			return failed
		}
		f.shut = at + n
	}
	f.shut = skipSpace(b, f.shut)
	if f.shut < len(b) {
		return failed
	}
	return foundIf(final)
}

func foundIf(final bool) verdict {
	if final {
		return found
	}
	return more
}

func undecidedAs(v verdict, final bool) verdict {
	if v == more {
		return undecided(final)
	}
	return v
}

// maxHead is how much may stand before the object and up to the end of its name.
const maxHead = 300

// begin reads the fence's line and the beginning of the object.
func (f *fenced) begin(b []byte, offered func(string) bool) verdict {
	tooLong := more
	if len(b) > maxHead {
		b, tooLong = b[:maxHead], failed
	}
	f.fence = b[0]
	f.len = runLength(b, f.fence)
	line := bytes.IndexByte(b, '\n')
	if line < 0 {
		return tooLong
	}
	if !slices.Contains(infos(), string(bytes.ToLower(bytes.TrimSpace(b[f.len:line])))) {
		return failed
	}
	at := skipSpace(b, line)
	name, v := firstName(b[at:])
	switch {
	case v == more:
		return tooLong
	case v == failed || !offered(name):
		return failed
	}
	f.head, f.obj = at, brackets{off: at}
	return found
}

// firstName reads {"name": "NAME".
func firstName(b []byte) (string, verdict) {
	at := 0
	for _, word := range []string{"{", `"name"`, ":", `"`} {
		at = skipSpace(b, at)
		if v := starts(b[at:], word); v != found {
			return "", v
		}
		at += len(word)
	}
	name, _, ok := bytes.Cut(b[at:], []byte{'"'})
	if !ok {
		return "", more
	}
	return string(name), found
}

func runLength(b []byte, c byte) int {
	n := 0
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}
