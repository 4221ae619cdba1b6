package llm

import "unicode/utf8"

// joiner makes valid UTF-8 of the pieces of a text. A character that was cut between two pieces is
// kept until its rest arrives, also one cut between the halves of its surrogate pair; what can't
// become a character is U+FFFD.
type joiner struct {
	rest []byte // the beginning of a character, at most three bytes
}

// add appends piece to dst, apart from a last character that isn't whole yet.
func (j *joiner) add(dst, piece []byte) []byte {
	if len(j.rest) == 0 && utf8.Valid(piece) {
		return append(dst, piece...)
	}
	b := append(j.rest, piece...)
	j.rest = nil
	for len(b) > 0 {
		if half, ok := surrogate(b); ok {
			low, whole := surrogate(b[3:])
			switch {
			case isHigh(half) && whole && isLow(low):
				dst = utf8.AppendRune(dst, pair(half, low))
				b = b[6:]
			case isHigh(half) && mayBeSurrogate(b[3:]):
				j.rest = append(j.rest, b...)
				return dst
			default:
				dst = utf8.AppendRune(dst, utf8.RuneError)
				b = b[3:]
			}
			continue
		}
		if !utf8.FullRune(b) || len(b) < 3 && mayBeSurrogate(b) {
			j.rest = append(j.rest, b...)
			return dst
		}
		r, size := utf8.DecodeRune(b)
		dst = utf8.AppendRune(dst, r)
		b = b[size:]
	}
	return dst
}

// end appends what is left at the end of the text.
func (j *joiner) end(dst []byte) []byte {
	b := j.rest
	j.rest = nil
	for len(b) > 0 {
		size := 1
		if _, ok := surrogate(b); ok {
			size = 3
		}
		dst = utf8.AppendRune(dst, utf8.RuneError)
		b = b[size:]
	}
	return dst
}

// surrogate reads the three bytes of half a surrogate pair, as appendRune writes them.
func surrogate(b []byte) (rune, bool) {
	if len(b) < 3 || b[0] != 0xED || b[1]&0xE0 != 0xA0 || b[2]&0xC0 != 0x80 {
		return 0, false
	}
	return 0xD000 | rune(b[1]&0x3F)<<6 | rune(b[2]&0x3F), true
}

// mayBeSurrogate reports whether b, which is shorter than three bytes, can begin one.
func mayBeSurrogate(b []byte) bool {
	switch len(b) {
	case 0:
		return true
	case 1:
		return b[0] == 0xED
	case 2:
		return b[0] == 0xED && b[1]&0xE0 == 0xA0
	}
	return false
}
