package orchestrator

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mini-me/mm/internal/ui"
)

// withContext puts the asker's conversation before the prompt (supplement 4): whole entries, the
// newest kept, at most max characters between the markers.
func withContext(a ui.Ask, max int) string {
	if a.Context == nil {
		return a.Prompt
	}
	var kept []string
	left := max
	for _, s := range slices.Backward(a.Context) {
		entry := s.Who + ": " + s.Text + "\n"
		n := utf8.RuneCountInString(entry)
		if n > left {
			break
		}
		left -= n
		kept = append(kept, entry)
	}
	slices.Reverse(kept)
	return "[conversation so far]\n" + strings.Join(kept, "") + "[end of the conversation]\n\n" + a.Prompt
}
