package window

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mini-me/mm/internal/engine"
)

// turn is what runs: at most one line that uses the conversation.
type turn struct {
	cancel  context.CancelFunc // nil when idle
	began   time.Time
	phase   string // what is waited for
	next    string // a line that waits for the turn to end
	stopped time.Time
}

func (t *turn) running() bool { return t.cancel != nil }

// again is how soon a second Ctrl-C has to come to quit.
const again = time.Second

// submit takes a line that was typed. It reports whether mm is to end.
func (m *model) submit(line string) (end bool) {
	name, _, command := engine.Parse(line)
	switch {
	case strings.TrimSpace(line) == "":
	case command && name == "quit":
		return true
	case command && name == "abort":
		if !m.turn.running() {
			m.log.Say("nothing runs", false)
		}
		m.stop()
	case command && name == "skip":
		m.log.Say("nothing to skip: Esc declines a form", false)
	case m.turn.running() && m.session.StartsTurn(line):
		m.turn.next = line // a new question cancels the running turn
		m.cancel()
	default:
		m.start(line)
	}
	return false
}

// start carries out a line. One that doesn't use the conversation runs beside a turn.
func (m *model) start(line string) {
	m.log.Typed(line)
	if !m.session.StartsTurn(line) {
		m.run.do(m.run.ctx, m.session, line, false)
		return
	}
	ctx, cancel := context.WithCancel(m.run.ctx)
	m.turn.cancel, m.turn.began, m.turn.phase = cancel, m.o.Now(), ""
	m.team.reset()
	m.run.do(ctx, m.session, line, true)
}

// stop cancels the running turn and what was to follow it.
func (m *model) stop() {
	m.turn.next = ""
	m.cancel()
}

func (m *model) cancel() {
	if m.turn.cancel != nil {
		m.turn.cancel()
	}
}

// lineDone takes the end of a line.
func (m *model) lineDone(d lineDone) {
	if d.done.Text != "" {
		m.log.Say(d.done.Text, d.done.Failed)
	}
	if !d.turn {
		return
	}
	m.turn.cancel()
	m.turn.cancel, m.turn.phase = nil, ""
	m.team.over()
	if s := d.done.Session; s != nil {
		m.session.Close()
		m.session = s
		m.resumed()
	}
	if line := m.turn.next; line != "" {
		m.turn.next = ""
		m.start(line)
	}
}

// interrupt is Ctrl-C: it cancels the turn, or clears the input; twice within a second it ends mm.
func (m *model) interrupt() (end bool) {
	if !m.turn.running() && m.focus == onInput && !m.input.buf.Empty() {
		m.input.buf.Set("")
		return false
	}
	now := m.o.Now()
	if !m.turn.stopped.IsZero() && now.Sub(m.turn.stopped) < again {
		return true
	}
	m.turn.stopped = now
	if !m.turn.running() {
		m.flash("Ctrl-C again, Ctrl-D or /quit ends mm")
	}
	m.stop()
	return false
}

// resumed shows a conversation that goes on.
func (m *model) resumed() {
	for r := range m.session.Replay {
		if r.Event == nil {
			m.log.Typed(r.User)
		} else {
			m.log.Event(r.Event)
		}
	}
	i := m.session.Info()
	m.log.Say(fmt.Sprintf("[session %s goes on: %s · %d messages · %s]", i.ID, i.Title, i.Count, i.Cwd), false)
}
