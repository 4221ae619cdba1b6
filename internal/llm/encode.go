package llm

import (
	"slices"
	"unicode/utf8"
)

// encoded is the JSON of a message beside the fields it was made of, so that a message that was
// changed since is noticed. Comparing is cheap: the strings are usually the very same.
type encoded struct {
	of     Message
	json   []byte // the whole message
	inside []byte // its text with calls and results as text, without the quotes of a JSON string
}

// encode returns the message as JSON. It is made once and kept, so that a step of a long
// conversation costs nothing for old messages but copying their bytes.
func (m *Message) encode() []byte {
	e := m.encoding()
	if e.json == nil {
		e.json = appendMessage(nil, m)
	}
	return e.json
}

// encodeInside returns the message's text as it stands in a JSON string, see asText.
func (m *Message) encodeInside() []byte {
	e := m.encoding()
	if e.inside == nil {
		e.inside = appendInside([]byte{}, m.asText())
	}
	return e.inside
}

func (m *Message) encoding() *encoded {
	if m.enc == nil || !m.enc.of.same(m) {
		of := *m
		of.enc = nil
		of.Calls, of.Images = slices.Clone(m.Calls), slices.Clone(m.Images)
		m.enc = &encoded{of: of}
	}
	return m.enc
}

func (m *Message) same(o *Message) bool {
	return m.Role == o.Role && m.Content == o.Content && m.Thought == o.Thought &&
		m.ThoughtField == o.ThoughtField && m.CallID == o.CallID && slices.Equal(m.Calls, o.Calls) && slices.Equal(m.Images, o.Images)
}

// appendMessage appends the message as JSON, its keys in a fixed order.
//
// "An assistant message with calls and no text leaves content out": templates print a null, and
// Ollama refuses one without calls.
func appendMessage(b []byte, m *Message) []byte {
	b = append(b, `{"role":`...)
	b = appendString(b, string(m.Role))
	if m.CallID != "" {
		b = append(b, `,"tool_call_id":`...)
		b = appendString(b, m.CallID)
	}
	b = appendThought(b, m)
	switch content := m.content(); {
	case len(m.Images) > 0:
		b = append(b, `,"content":[{"type":"text","text":`...)
		b = append(appendString(b, content), '}')
		b = append(appendImages(b, m.Images), ']')
	case content != "" || len(m.Calls) == 0:
		b = append(b, `,"content":`...)
		b = appendString(b, content)
	}
	if len(m.Calls) > 0 {
		b = appendCalls(b, m.Calls)
	}
	return append(b, '}')
}

// appendThought appends reasoning under the name that it came in.
func appendThought(b []byte, m *Message) []byte {
	if m.Thought == "" || m.ThoughtField == ThinkTag || m.ThoughtField == "" {
		return b
	}
	b = append(b, ',')
	b = appendString(b, m.ThoughtField)
	b = append(b, ':')
	return appendString(b, m.Thought)
}

func appendCalls(b []byte, calls []Call) []byte {
	b = append(b, `,"tool_calls":[`...)
	for i, c := range calls {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"id":`...)
		b = appendString(b, c.ID)
		b = append(b, `,"type":"function","function":{"name":`...)
		b = appendString(b, c.Name)
		b = append(b, `,"arguments":`...)
		b = appendString(b, c.Arguments)
		b = append(b, `}}`...)
	}
	return append(b, ']')
}

// ThinkTag is the ThoughtField of reasoning that came in <think> tags inside the content.
const ThinkTag = "think"

// content is the text that is sent: reasoning that came in the text goes back into it.
func (m *Message) content() string {
	if m.Thought == "" || m.ThoughtField != ThinkTag {
		return m.Content
	}
	return "<think>\n" + m.Thought + "\n</think>\n\n" + m.Content
}

const hex = "0123456789abcdef"

// appendString appends s as a JSON string. Only what JSON wants escaped is escaped: encoding/json
// makes six bytes of each <, > and &, which are common in code.
func appendString(b []byte, s string) []byte {
	return append(appendInside(append(b, '"'), s), '"')
}

// appendInside is appendString without the quotes.
func appendInside(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size > 1 {
				i += size
				continue
			}
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, c)
		i++
		start = i
	}
	return append(b, s[start:]...)
}

// appendEscape appends the escape of a byte that can't stand in a JSON string; a byte that belongs
// to no character becomes U+FFFD.
func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	if c < ' ' {
		return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
	}
	return append(b, "\uFFFD"...)
}
