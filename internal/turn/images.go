package turn

import (
	"errors"

	"github.com/mini-me/mm/internal/llm"
)

// onlyImages is the text of a question that is nothing but images: servers refuse an empty one.
const onlyImages = "(see the image)"

// question makes the message of a person's question.
func question(text string, images []llm.Image) llm.Message {
	m := llm.Message{Role: llm.RoleUser, Content: notEmpty(text), Images: images}
	if len(images) > 0 && m.Content == notEmpty("") {
		m.Content = onlyImages
	}
	return m
}

// blind deals with a model that takes no images: from now on texts stand in their place, or each
// later request would fail as well. It reports whether asking again makes sense. It doesn't when the
// question at hand has an image: the model would make the picture up.
func (r *running) blind(err error) (again bool) {
	var e *llm.Error
	if !errors.As(err, &e) || e.Kind != llm.KindNoImages || r.ctx.Err() != nil {
		return false
	}
	history := r.History()
	for i, m := range history {
		if len(m.Images) > 0 {
			history[i] = m.WithoutImages()
		}
	}
	r.replace(history)
	return !r.pictures
}

// noImages reports whether a model call failed because of images.
func noImages(err error) bool {
	var e *llm.Error
	return errors.As(err, &e) && e.Kind == llm.KindNoImages
}
