package llm

import (
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// Image is a picture in a user's message.
type Image struct {
	MimeType string // image/png, …
	Data     string // base64
}

// String says what the image is, for where it can't be shown.
func (i Image) String() string {
	return fmt.Sprintf("image: %s, %d bytes", i.MimeType, base64.StdEncoding.DecodedLen(len(i.Data)))
}

// WithoutImages is the message with texts in the place of its images, which say what was there.
func (m Message) WithoutImages() Message {
	for _, i := range m.Images {
		m.Content += "\n[" + i.String() + "]"
	}
	m.Content = strings.TrimPrefix(m.Content, "\n")
	m.Images, m.enc = nil, nil
	return m
}

func hasImages(list []Message) bool {
	return slices.ContainsFunc(list, func(m Message) bool { return len(m.Images) > 0 })
}

// appendImages appends images as parts of a content, behind one of text.
func appendImages(b []byte, images []Image) []byte {
	for _, i := range images {
		b = append(b, `,{"type":"image_url","image_url":{"url":`...)
		b = appendString(b, "data:"+i.MimeType+";base64,"+i.Data)
		b = append(b, `}}`...)
	}
	return b
}

// images is what is known about a model and images.
type images struct {
	asked   bool
	refused bool
}

// refusesImages reports whether the server says that the model takes no images. Where it doesn't
// say, they are sent: an answer or a refusal will show. It is asked beforehand since Ollama drops
// the images of a model without eyes, which then makes the picture up.
func (c *Client) refusesImages(ctx context.Context) bool {
	t := c.target()
	if t.kind == Scripted {
		return false
	}
	if t.images.asked {
		return t.images.refused
	}
	ctx, cancel := context.WithTimeout(ctx, windowTime)
	defer cancel()
	t, err := c.resolve(ctx)
	if err != nil {
		return false
	}
	s, err := c.inspect(ctx, t)
	if err != nil {
		return false
	}
	return c.update(func(t *target) {
		t.images = images{asked: true, refused: s.Images != nil && !*s.Images}
	}).images.refused
}

// noImages is the error of a request with images for a model that takes none.
func (c *Client) noImages() *Error {
	return c.explain(&Error{Kind: KindNoImages, Message: c.Name() + " takes no images", Hint: "choose a model that does, or say in words what they show"})
}

// aboutImages reports whether a refusal is about images, by the words of servers: llama.cpp without
// a projector, vLLM, LM Studio, gateways, and those that know no parts but text.
func aboutImages(e *Error) bool {
	if e.Status < 400 || e.Kind == KindAuth || e.Kind == KindRateLimit || e.Kind == KindLoading {
		return false
	}
	text := strings.ToLower(e.Message + " " + e.Detail)
	return slices.ContainsFunc([]string{
		"image input", "support image", "image_url", "image(s) may be provided", "multimodal", "multi-modal", "mmproj", "vision",
	}, func(words string) bool { return strings.Contains(text, words) })
}
