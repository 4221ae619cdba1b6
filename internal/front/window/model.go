package window

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/front/window/talk"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
	"github.com/mini-me/mm/internal/ui/edit"
)

// model is the window's state. It routes messages to the parts of the screen and puts their lines
// together; what a part does is in the part's file.
type model struct {
	o       Options
	engine  *engine.Engine
	session *engine.Session
	run     *runner

	width, height int
	measure       cells.Measure
	now           time.Time

	log     *talk.Log
	input   input
	turn    turn
	team    team
	usage   ui.Usage
	asking  []*asking // the first is shown
	zone    *zone     // it, when it is a permission
	form    *asked    // it, when it is a form
	search  *edit.Buffer
	recall  *recall
	help    bool
	helpTop int
	focus   focus
	note    string    // a line of the moment in the status line
	places  places    // where the parts were drawn last
	last    time.Time // when something was typed into the input
	mouse   bool
	over    bool // the end has begun
	picker  completion
}

// focus is the part that keys go to.
type focus int

const (
	onInput focus = iota
	onTalk        // the conversation: to scroll, fold, search, copy
	onZone        // the permission question
)

func newModel(e *engine.Engine, s *engine.Session, r *runner, o Options) *model {
	m := &model{o: o, engine: e, session: s, run: r, width: 80, height: 24, log: talk.New(s.Cwd()), input: newInput(o.History), mouse: true, now: o.Now()}
	m.log.Now(m.now)
	m.log.Banner(append(e.Banner(), "F1 shows the keys, /help the commands"))
	for _, w := range e.Warnings() {
		m.log.Event(ui.Notice{Level: ui.Warning, Text: "[warning: " + w + "]"})
	}
	return m
}

// Init starts nothing: the pump and the session's goroutines send what happens.
func (m *model) Init() tea.Cmd { return nil }

// Update takes a message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.o.Now()
	m.log.Now(m.now)
	cmd := m.take(msg)
	m.run.busy.Store(m.turn.running() || m.log.Running() || m.guarded())
	return m, cmd
}

func (m *model) take(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.ModeReportMsg:
		if msg.Mode == ansi.ModeUnicodeCore && msg.Value != ansi.ModeNotRecognized && msg.Value != ansi.ModePermanentlyReset {
			m.measure = ansi.GraphemeWidth // as the renderer does
		}
	case batch:
		return m.batch(msg)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.PasteMsg:
		m.paste(msg.Content)
	case tea.MouseMsg:
		return m.mouseEvent(msg)
	}
	return nil
}

// batch takes what the session told since the last frame.
func (m *model) batch(items batch) tea.Cmd {
	var cmd tea.Cmd
	for _, item := range items {
		switch item := item.(type) {
		case ui.Event:
			m.event(item)
		case *asking:
			m.asking = append(m.asking, item)
			m.next()
		case withdrawn:
			m.withdrawn(item.asking)
		case lineDone:
			m.lineDone(item)
		case quit:
			cmd = m.quit()
		}
	}
	return cmd
}

func (m *model) event(e ui.Event) {
	m.log.Event(e)
	m.team.event(e, m.now)
	switch e := e.(type) {
	case ui.Phase:
		if e.Agent == "" {
			m.turn.phase = e.Text
		}
	case ui.Usage:
		if e.Agent == "" {
			m.usage = e
		}
	}
}

// next shows the first question that waits, if none is shown.
func (m *model) next() {
	if m.zone != nil || m.form != nil || len(m.asking) == 0 {
		return
	}
	a := m.asking[0]
	m.help, m.search, m.recall = false, nil, nil
	if a.form != nil {
		m.form = newAsked(*a.form, m.now)
		m.log.Waits(a.form.Call, true)
		return
	}
	m.zone = newZone(a.permission, m.session.Cwd(), m.now)
	m.log.Waits(a.permission.ID, true)
	if m.focus == onInput && m.input.buf.Blank() {
		m.focus = onZone // what is typed before it is armed goes to the input
	}
}

// quiet reports whether nobody has just been typing.
func (m *model) quiet(at time.Time) bool { return at.Sub(m.last) >= guard }

// armed reports whether a key may answer the question.
func (m *model) armed() bool {
	since := m.now
	switch {
	case m.zone != nil:
		since = m.zone.since
	case m.form != nil:
		since = m.form.since
	}
	return m.now.Sub(since) >= guard && m.quiet(m.now)
}

// guarded reports whether a question is shown that will be armed by time alone.
func (m *model) guarded() bool { return (m.zone != nil || m.form != nil) && !m.armed() }

// withdrawn takes a question back that nobody waits for any more.
func (m *model) withdrawn(a *asking) {
	i := slices.Index(m.asking, a)
	if i < 0 {
		return // it was answered at the same time
	}
	m.asking = slices.Delete(m.asking, i, i+1)
	if i == 0 {
		m.settled(a)
	}
}

// settled takes the question off the screen.
func (m *model) settled(a *asking) {
	if a.form != nil {
		m.log.Waits(a.form.Call, false)
	} else {
		m.log.Waits(a.permission.ID, false)
	}
	m.zone, m.form = nil, nil
	if m.focus == onZone {
		m.focus = onInput
	}
	m.next()
}

// allow answers the permission question.
func (m *model) allow(a consent.Answer) { m.reply(answer{permission: a}) }

// reply answers the question that is shown.
func (m *model) reply(r answer) {
	a := m.asking[0]
	m.asking = m.asking[1:]
	a.reply <- r
	m.settled(a)
}

// quit ends the window. The last frame is empty: tmux 3.3 would leave lines of a screen that was
// resized on the one below.
func (m *model) quit() tea.Cmd {
	m.over = true
	return tea.Quit
}

// flash shows a line in the status line until the next key.
func (m *model) flash(text string) { m.note = text }
