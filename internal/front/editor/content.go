package editor

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/llm"
)

// content is what a prompt brings: a text, and images behind it.
type content struct {
	parts  []string
	images []llm.Image
}

func (c *content) text() string { return strings.Join(c.parts, "\n") }

// readPrompt reads a prompt's blocks. What wasn't offered, and what can't be read, is refused by its
// place.
func readPrompt(blocks []acp.ContentBlock) (*content, error) {
	var c content
	for i, b := range blocks {
		if err := c.add(b); err != nil {
			return nil, acp.InvalidParams("prompt[%d]: %v", i, err)
		}
	}
	if strings.TrimSpace(c.text()) == "" && len(c.images) == 0 {
		return nil, acp.InvalidParams("the prompt is empty: this agent reads text, links, embedded files and images")
	}
	return &c, nil
}

func (c *content) add(b acp.ContentBlock) error {
	switch b.Type {
	case acp.ContentText:
		c.parts = append(c.parts, b.Text)
	case acp.ContentResourceLink:
		c.parts = append(c.parts, "["+b.Name+"]("+path(b.URI)+")")
	case acp.ContentResource:
		return c.resource(b.Resource)
	case acp.ContentImage:
		if !strings.HasPrefix(b.MimeType, "image/") {
			return fmt.Errorf("mimeType %q is no image", b.MimeType)
		}
		data, err := decode(b.Data)
		if err != nil {
			return err
		}
		c.image(b.MimeType, data)
	default:
		return fmt.Errorf("this agent takes no %s", b.Type)
	}
	return nil
}

// resource adds an embedded file: its text, its image, or what it is when it is neither.
func (c *content) resource(r *acp.ResourceContents) error {
	name := path(r.URI)
	if r.Text != nil {
		c.file(name, *r.Text)
		return nil
	}
	data, err := decode(*r.Blob)
	if err != nil {
		return err
	}
	switch kind := strings.ToLower(r.MimeType); {
	case utf8.Valid(data) && !strings.Contains(string(data), "\x00"):
		c.file(name, string(data))
	case strings.HasPrefix(kind, "image/"):
		c.parts = append(c.parts, "[image: "+name+"]")
		c.image(r.MimeType, data)
	default:
		if kind == "" {
			kind = "unknown type"
		}
		c.parts = append(c.parts, fmt.Sprintf("[file: %s, %s, %d bytes: not text]", name, kind, len(data)))
	}
	return nil
}

func (c *content) file(name, text string) {
	c.parts = append(c.parts, "<file path=\""+name+"\">\n"+text+"\n</file>")
}

func (c *content) image(mimeType string, data []byte) {
	c.images = append(c.images, llm.Image{MimeType: mimeType, Data: base64.StdEncoding.EncodeToString(data)})
}

// decode reads base64, also without its padding.
func decode(data string) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		b, err = base64.RawStdEncoding.DecodeString(data)
	}
	if err != nil {
		return nil, fmt.Errorf("its data isn't base64: %w", err)
	}
	if len(b) == 0 {
		return nil, fmt.Errorf("its data is empty")
	}
	return b, nil
}

// path is the path of a file: URI as a tool takes it; other URIs stay.
func path(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Path == "" {
		return uri
	}
	p := u.Path
	if len(p) > 2 && p[0] == '/' && p[2] == ':' {
		p = p[1:] // file:///C:/x
	}
	if u.Fragment != "" {
		p += "#" + u.Fragment // lines of a mention
	}
	return p
}
