package window

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/internal/ui/edit"
)

// finding reports whether a search is being typed.
func (m *model) finding() bool { return m.search != nil }

// find begins to type a search.
func (m *model) find() { m.search = edit.NewLine("") }

// searching takes the keys of a search that is being typed.
func (m *model) searching(k tea.KeyPressMsg) bool {
	if m.search == nil {
		return false
	}
	switch k.String() {
	case "enter":
		query := m.search.Text()
		m.search = nil
		n := m.log.Search(query)
		switch {
		case query == "":
		case n == 0:
			m.flash("not found: " + query)
		default:
			m.flash(fmt.Sprintf("%d found · n next · N before", n))
		}
	case "esc", "ctrl+c":
		m.search = nil
	default:
		if !editKey(m.search, k) {
			return false
		}
	}
	return true
}

// copyEntry copies the entry that stands out to the clipboard.
func (m *model) copyEntry() tea.Cmd { return m.copy(m.log.Copy()) }

// copy hands a text to the terminal's clipboard (OSC 52). It works through ssh, and in tmux with
// "set -g set-clipboard on".
func (m *model) copy(text string) tea.Cmd {
	if text == "" {
		m.flash("nothing to copy")
		return nil
	}
	m.flash(fmt.Sprintf("copied %s characters", thousands(len([]rune(text)))))
	return tea.SetClipboard(text)
}
