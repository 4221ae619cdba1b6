package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// eachField calls f for each member of the JSON object b, in order, until f returns false. It
// reports whether it came to the object's end (or f ended it). b should be valid JSON; of
// broken or truncated JSON the members before the fault are seen, and nothing worse happens.
func eachField(b []byte, f func(key, val []byte) bool) bool {
	return eachMember(b, func(key []byte, from, to int) bool { return f(key, b[from:to]) })
}

// eachMember is eachField with the place of each value in b. Keys are those of the source between
// their quotes, decoded when they hold an escape.
func eachMember(b []byte, f func(key []byte, from, to int) bool) bool {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return true
	}
	for i < len(b) && b[i] == '"' {
		end := skipString(b, i)
		if end < 0 {
			return false
		}
		key := b[i+1 : end-1]
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(unquote(b[i:end]))
		}
		i = skipSpace(b, end)
		if i >= len(b) || b[i] != ':' {
			return false
		}
		i = skipSpace(b, i+1)
		end = skipValue(b, i)
		if end < 0 {
			return false
		}
		if !f(key, i, end) {
			return true
		}
		i = skipSpace(b, end)
		if i >= len(b) || b[i] != ',' {
			return i < len(b) && b[i] == '}'
		}
		i = skipSpace(b, i+1)
	}
	return false
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the index after the string that begins at b[i], -1 when it has no end.
func skipString(b []byte, i int) int {
	for j := i + 1; ; j++ {
		k := bytes.IndexByte(b[j:], '"')
		if k < 0 {
			return -1
		}
		j += k
		back := j
		for back > i+1 && b[back-1] == '\\' {
			back--
		}
		if (j-back)%2 == 0 {
			return j + 1
		}
	}
}

// skipValue returns the index after the value that begins at b[i], -1 when it has no end. A
// number or literal that runs to the end of b has none: it may have been cut.
func skipValue(b []byte, i int) int {
	depth := 0
	for i >= 0 && i < len(b) {
		switch b[i] {
		case '"':
			i = skipString(b, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return -1
			}
			i++
			continue
		default:
			i = skipLiteral(b, i)
		}
		if depth <= 0 {
			return i
		}
	}
	return -1
}

func skipLiteral(b []byte, i int) int {
	for ; i < len(b); i++ {
		switch b[i] {
		case ',', ':', ' ', '\t', '\n', '\r', '}', ']', '"', '{', '[':
			return i
		}
	}
	return -1
}

// unquote decodes a JSON string; what isn't one gives "".
func unquote(b []byte) string {
	if len(b) >= 2 && b[0] == '"' && bytes.IndexByte(b, '\\') < 0 && utf8.Valid(b) {
		return string(b[1 : len(b)-1])
	}
	var s string
	if json.Unmarshal(b, &s) != nil {
		return ""
	}
	return s
}

// field returns the value of one member of an object, nil when it isn't there. The last one
// counts when there are several, as in encoding/json.
func field(b []byte, name string) json.RawMessage {
	var found []byte
	eachField(b, func(key, val []byte) bool {
		if string(key) == name {
			found = val
		}
		return true
	})
	return found
}

func isNull(b []byte) bool { return len(b) == 0 || string(b) == "null" }

// SetField returns the JSON object obj with one member set to the JSON of val; the rest of it
// stays as it is, byte for byte. A relay uses it to put its own sessionId and toolCallId into a
// frame that it otherwise passes on.
func SetField(obj json.RawMessage, name string, val any) (json.RawMessage, error) {
	enc, err := encode(nil, val)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(obj)+len(enc)+len(name)+4)
	copied := 0
	whole := eachMember(obj, func(key []byte, from, to int) bool {
		if string(key) == name {
			out = append(append(out, obj[copied:from]...), enc...)
			copied = to
		}
		return true
	})
	if !whole {
		return nil, errors.New("setting " + strconv.Quote(name) + ": not a JSON object")
	}
	if copied > 0 {
		return append(out, obj[copied:]...), nil
	}
	return addField(out, obj, name, enc), nil
}

// addField appends the object obj to out, with one more member at its front.
func addField(out, obj []byte, name string, val []byte) []byte {
	out = append(appendString(append(out, '{'), name), ':')
	out = append(out, val...)
	rest := bytes.TrimSpace(obj)[1:]
	if i := skipSpace(rest, 0); rest[i] != '}' {
		out = append(out, ',')
	}
	return append(out, rest...)
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	return append(appendEscaped(append(b, '"'), s), '"')
}

// appendEscaped appends s as it stands inside a JSON string. Bytes that aren't UTF-8 become
// U+FFFD. The results for two strings, joined, are the result for the joined strings.
func appendEscaped(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(append(b, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, `\n`...)
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, `\u00`...)
			b = append(b, hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(b, s[start:]...)
}

// encode appends the JSON of v to b, on one line, in valid UTF-8, without escaping for HTML.
func encode(b []byte, v any) ([]byte, error) {
	buf := bytes.NewBuffer(b)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	out := bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
	if !utf8.Valid(out[len(b):]) {
		// Only a json.RawMessage can have brought them; the wire is UTF-8.
		out = append(b, bytes.ToValidUTF8(out[len(b):], []byte("\uFFFD"))...)
	}
	return out, nil
}
