package line

import (
	"fmt"

	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/ui"
)

// resumed says which conversation goes on, and how it ended.
func (p *printer) resumed(s *engine.Session) {
	i := s.Info()
	p.say(fmt.Sprintf("[session %s goes on: %s · %d messages · %s]", i.ID, ui.CleanLine(i.Title), i.Count, i.Cwd))
	question, answer := "", ""
	for r := range s.Replay {
		switch e := r.Event.(type) {
		case nil:
			question, answer = r.User, ""
		case ui.Text:
			answer = e.Text
		case ui.ToolCall:
			answer = ""
		}
	}
	if question == "" {
		return
	}
	p.say("> " + question)
	p.say(answer)
}
