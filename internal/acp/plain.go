package acp

import "slices"

// Nearly every prompt is one block of text, which is read and written here without reflection: on a
// machine whose caches are a model's, the passes of encoding/json took 100 µs of each ask.

// UnmarshalJSON reads the object by the rules of its tags.
func (v *PromptRequest) UnmarshalJSON(b []byte) error {
	if p, ok := plainPrompt(b); ok {
		*v = p
		return nil
	}
	type plain PromptRequest
	return decodeObject(b, (*plain)(v))
}

// plainPrompt reads a prompt that is one block of text and nothing else; ok is false for all others.
func plainPrompt(b []byte) (p PromptRequest, ok bool) {
	whole, ok := only(b, "sessionId", "prompt")
	if !ok || whole[0][0] != '"' {
		return p, false
	}
	block, ok := only(soleItem(whole[1]), "type", "text")
	if !ok || string(block[0]) != `"text"` || block[1][0] != '"' {
		return p, false
	}
	return PromptRequest{SessionID: unquote(whole[0]), Prompt: []ContentBlock{Text(unquote(block[1]))}}, true
}

// only returns the values of an object that has the named members, each once, and no other.
func only(b []byte, names ...string) (values [][]byte, ok bool) {
	values = make([][]byte, len(names))
	known := 0
	whole := eachField(b, func(key, val []byte) bool {
		i := slices.Index(names, string(key))
		if i < 0 || values[i] != nil {
			known = -1
			return false
		}
		values[i] = val
		known++
		return true
	})
	return values, whole && known == len(names)
}

// soleItem is the item of a list of one, nil of other values.
func soleItem(list []byte) []byte {
	if len(list) == 0 || list[0] != '[' {
		return nil
	}
	from := skipSpace(list, 1)
	to := skipValue(list, from)
	if to < 0 {
		return nil
	}
	if end := skipSpace(list, to); end >= len(list) || list[end] != ']' {
		return nil
	}
	return list[from:to]
}

// appendPlain appends a prompt that is one block of text and nothing else; ok is false for all others.
func (v PromptRequest) appendPlain(b []byte) (out []byte, ok bool) {
	if len(v.Prompt) != 1 || v.Meta != nil || !v.Prompt[0].plain() {
		return b, false
	}
	b = appendString(append(b, `{"sessionId":`...), v.SessionID)
	b = appendString(append(b, `,"prompt":[{"type":"text","text":`...), v.Prompt[0].Text)
	return append(b, `}]}`...), true
}

// plain reports whether a block is text and nothing else.
func (c *ContentBlock) plain() bool {
	return c.Type == ContentText && c.Annotations == nil && c.Meta == nil && c.Resource == nil && c.Size == nil &&
		c.Data == "" && c.MimeType == "" && c.URI == "" && c.Name == "" && c.Title == "" && c.Description == ""
}
