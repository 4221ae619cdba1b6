package window

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/front/line/prompt"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/edit"
)

// recall is a search in what was typed before (Ctrl-R).
type recall struct {
	buf   *edit.Buffer // what is searched for
	at    int          // the entry found, -1 for none
	found string
}

// recalling takes the keys of a search in the history.
func (m *model) recalling(k tea.KeyPressMsg) bool {
	r := m.recall
	if r == nil {
		return false
	}
	switch k.String() {
	case "ctrl+r":
		r.find(m.input.history, r.at+1)
	case "esc", "ctrl+c", "ctrl+g":
		m.recall = nil
	case "backspace", "ctrl+h", "ctrl+w", "ctrl+u":
		editKey(r.buf, k)
		r.find(m.input.history, 0)
	default:
		if k.Text != "" {
			r.buf.Insert(ui.Clean(k.Text))
			r.find(m.input.history, max(r.at, 0))
			return true
		}
		m.accept()
		return k.String() == "enter" || k.String() == "tab"
	}
	return true
}

// accept puts what was found into the input.
func (m *model) accept() {
	if m.recall.at >= 0 {
		m.input.buf.Set(m.recall.found)
	}
	m.recall = nil
}

// find looks for the newest entry from i on that has the text.
func (r *recall) find(h *prompt.History, i int) {
	text := strings.ToLower(r.buf.Text())
	for ; text != "" && i < h.Len(); i++ {
		if e := h.At(i); strings.Contains(strings.ToLower(e), text) {
			r.at, r.found = i, ui.Clean(e)
			return
		}
	}
	if text == "" {
		r.at, r.found = -1, ""
	}
}

// sign says what is searched for and what was found.
func (r *recall) sign() string { return "search: " + r.buf.Text() + "  →  " }
