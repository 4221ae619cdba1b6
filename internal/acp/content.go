package acp

// The types of content blocks. Agents take text and resource_link always, the others when they
// announced them.
const (
	ContentText         = "text"
	ContentImage        = "image"
	ContentAudio        = "audio"
	ContentResourceLink = "resource_link"
	ContentResource     = "resource"
)

// ContentBlock is a piece of a message. Which fields count depends on Type; blocks of another type
// are refused.
type ContentBlock struct {
	Type        string            `json:"type" acp:"required"`
	Text        string            `json:"text,omitempty" acp:"strict"`     // text
	Data        string            `json:"data,omitempty" acp:"strict"`     // image, audio: base64
	MimeType    string            `json:"mimeType,omitempty"`              // image, audio, resource_link
	URI         string            `json:"uri,omitempty"`                   // image, resource_link
	Name        string            `json:"name,omitempty" acp:"strict"`     // resource_link
	Title       string            `json:"title,omitempty"`                 // resource_link
	Description string            `json:"description,omitempty"`           // resource_link
	Size        *int64            `json:"size,omitempty"`                  // resource_link, in bytes
	Resource    *ResourceContents `json:"resource,omitempty" acp:"strict"` // resource
	Annotations *Annotations      `json:"annotations,omitempty"`
	Meta        Meta              `json:"_meta,omitempty"`
}

// Annotations say for whom a block is and how much it matters.
type Annotations struct {
	Audience     []string `json:"audience,omitempty"`
	LastModified string   `json:"lastModified,omitempty"`
	Priority     *float64 `json:"priority,omitempty"`
	Meta         Meta     `json:"_meta,omitempty"`
}

// ResourceContents is an embedded resource: text, or a blob in base64.
type ResourceContents struct {
	URI      string  `json:"uri" acp:"required"`
	MimeType string  `json:"mimeType,omitempty"`
	Text     *string `json:"text,omitempty" acp:"strict"`
	Blob     *string `json:"blob,omitempty" acp:"strict"`
	Meta     Meta    `json:"_meta,omitempty"`
}

// Text makes a text block.
func Text(s string) ContentBlock { return ContentBlock{Type: ContentText, Text: s} }

// needs names the fields that a block of a type must have; ok reports whether the type is known.
func needs(kind string) (fields []string, ok bool) {
	switch kind {
	case ContentText:
		return []string{"text"}, true
	case ContentImage, ContentAudio:
		return []string{"data", "mimeType"}, true
	case ContentResourceLink:
		return []string{"name", "uri"}, true
	case ContentResource:
		return []string{"resource"}, true
	}
	return nil, false
}

// UnmarshalJSON reads a block and checks that it has what its type needs.
func (c *ContentBlock) UnmarshalJSON(b []byte) error {
	type plain ContentBlock
	if err := decodeObject(b, (*plain)(c)); err != nil {
		return err
	}
	fields, ok := needs(c.Type)
	if !ok {
		return &fieldError{"type", "unknown type of content " + c.Type}
	}
	for _, name := range fields {
		val := field(b, name)
		if isNull(val) {
			return &fieldError{name, "is missing"}
		}
		if name != "resource" && val[0] != '"' {
			return &fieldError{name, "expected a string, found " + valueKind(val)}
		}
	}
	if r := c.Resource; c.Type == ContentResource && r.Text == nil && r.Blob == nil {
		return &fieldError{"resource.text", "is missing"}
	}
	return nil
}

// MarshalJSON writes the block with all that its type needs, also when it is empty.
func (c ContentBlock) MarshalJSON() ([]byte, error) {
	type plain ContentBlock
	out, err := encode(nil, plain(c))
	if err != nil {
		return nil, err
	}
	fields, _ := needs(c.Type)
	for _, name := range fields {
		if field(out, name) == nil && name != "resource" {
			out = addField(nil, out, name, []byte(`""`))
		}
	}
	return out, nil
}
