package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	_ "image/gif"  // so that an image's size can be told
	_ "image/jpeg" // the same
	_ "image/png"  // the same
	"mime"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxFollowed is how many resources that a result links to are read with it.
const maxFollowed = 3

// text words a result for a model: texts as they are, what isn't text by what it is. A resource that
// is only linked to is read where it is text, since a model has no other way to it.
func (c *conn) text(ctx context.Context, r *sdk.CallToolResult, limit int) string {
	var parts []string
	var links []*sdk.ResourceLink
	texts := false
	for _, content := range r.Content {
		switch v := content.(type) {
		case *sdk.TextContent:
			parts, texts = append(parts, v.Text), true
		case *sdk.ImageContent:
			parts = append(parts, binary("image", "", v.MIMEType, v.Data))
		case *sdk.AudioContent:
			parts = append(parts, binary("audio", "", v.MIMEType, v.Data))
		case *sdk.EmbeddedResource:
			parts = append(parts, resource(v.Resource))
		case *sdk.ResourceLink:
			parts, links = append(parts, link(v)), append(links, v)
		default:
			parts = append(parts, fmt.Sprintf("[content of a kind that isn't known: %T]", content))
		}
	}
	if r.StructuredContent != nil && !texts { // else the texts say the same (MCP, structuredContent)
		if raw, err := json.Marshal(r.StructuredContent); err == nil {
			parts = append(parts, string(raw))
		}
	}
	text := strings.ToValidUTF8(strings.Join(parts, "\n"), "\uFFFD")
	for i, l := range links {
		if i == maxFollowed || limit > 0 && utf8.RuneCountInString(text) >= limit || ctx.Err() != nil {
			break
		}
		text += c.follow(ctx, l)
	}
	return text
}

// follow reads a linked resource; "" when that isn't text, or can't be read.
func (c *conn) follow(ctx context.Context, l *sdk.ResourceLink) string {
	if l.MIMEType != "" && !textual(l.MIMEType) {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, c.limits.read)
	defer cancel()
	defer context.AfterFunc(c.ctx, cancel)()
	r, err := c.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: l.URI})
	if err != nil {
		c.log("MCP server %s: reading %s: %v", c.server.Name, l.URI, err)
		return ""
	}
	text := ""
	for _, part := range r.Contents {
		if part != nil && (part.Text != "" || textual(part.MIMEType)) {
			text += "\n\n" + strings.ToValidUTF8(resource(part), "\uFFFD")
		}
	}
	return text
}

// resource words an embedded resource.
func resource(r *sdk.ResourceContents) string {
	switch {
	case r == nil:
		return "[resource without contents]"
	case r.Text != "":
		return "[resource " + r.URI + "]\n" + r.Text
	case textual(r.MIMEType) && utf8.Valid(r.Blob):
		return "[resource " + r.URI + "]\n" + string(r.Blob)
	}
	return binary("resource", r.URI, r.MIMEType, r.Blob)
}

// link words a link to a resource.
func link(l *sdk.ResourceLink) string {
	s := "[resource " + l.URI
	name := l.Title
	if name == "" {
		name = l.Name
	}
	if name != "" {
		s += " — " + name
	}
	if l.MIMEType != "" {
		s += ", " + l.MIMEType
	}
	if l.Size != nil {
		s += fmt.Sprintf(", %d bytes", *l.Size)
	}
	s += "]"
	if l.Description != "" {
		s += " " + l.Description
	}
	return s
}

// binary says what something is that can't be shown: "[image: image/png, 640×480, 12345 bytes]".
func binary(what, uri, kind string, data []byte) string {
	var about []string
	if kind != "" {
		about = append(about, kind)
	}
	if strings.HasPrefix(kind, "image/") {
		if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
			about = append(about, fmt.Sprintf("%d×%d", c.Width, c.Height))
		}
	}
	about = append(about, fmt.Sprintf("%d bytes", len(data)))
	if uri != "" {
		what += " " + uri
	}
	return "[" + what + ": " + strings.Join(about, ", ") + ", which can't be shown as text]"
}

// textual reports whether a media type is text.
func textual(kind string) bool {
	kind, _, err := mime.ParseMediaType(kind)
	if err != nil {
		return false
	}
	switch kind {
	case "application/json", "application/xml", "application/yaml", "application/x-yaml", "application/javascript", "application/toml", "image/svg+xml":
		return true
	}
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}
