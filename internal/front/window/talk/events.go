package talk

import (
	"strings"

	"github.com/mini-me/mm/internal/front/window/paint"
	"github.com/mini-me/mm/internal/ui"
)

// Typed shows what the person typed.
func (l *Log) Typed(text string) {
	l.add(newQuestion(text))
	l.Choose("")
	l.End()
}

// Say shows a text of mm's own: a command's output, or what was wrong.
func (l *Log) Say(text string, failed bool) {
	st := paint.Plain
	if failed {
		st = paint.Red
	}
	l.add(newRemark("", text, st))
}

// Banner shows the lines at the start.
func (l *Log) Banner(lines []string) {
	l.add(newRemark("", strings.Join(lines, "\n"), paint.Faint))
}

// Event takes what a session emits.
func (l *Log) Event(e ui.Event) {
	switch e := e.(type) {
	case ui.Text:
		l.piece(e.Ask, e.Message, e.Text, answer)
	case ui.Thought:
		l.piece(e.Ask, e.Message, e.Text, thinking)
	case ui.ToolCall:
		l.call(e)
	case ui.AskStarted:
		l.begun(e)
	case ui.AskEnded:
		l.ended(e)
	case ui.Notice:
		l.notice(e)
	case ui.Plan:
		l.plan(e)
	case ui.TurnEnded:
		l.turnEnded(e)
	}
}

// piece appends to the text or thought of an ask, or begins one.
func (l *Log) piece(ask, message, text string, k kind) {
	b := l.open[ask]
	if b != nil && (b.kind != k || b.message != message) {
		l.close(ask)
		b = nil
	}
	if b == nil {
		if strings.TrimSpace(text) == "" {
			return // models begin with line ends before they call a tool
		}
		b = newBlock(ask, message, k, l.now)
		l.open[ask] = b
		l.add(b)
	}
	b.write(text)
}

// close ends the text or thought of an ask.
func (l *Log) close(ask string) {
	if b := l.open[ask]; b != nil {
		b.ended = l.now
		delete(l.open, ask)
	}
}

func (l *Log) call(e ui.ToolCall) {
	t := l.calls[e.ID]
	if t == nil {
		l.close(e.Ask)
		t = &call{base: base{ask: e.Ask, kind: calling, folded: true}}
		t.waits = l.waits[e.ID]
		l.calls[e.ID] = t
		l.add(t)
	}
	t.update(e, l.now, l.cwd)
	if e.Done() {
		delete(l.calls, e.ID)
		delete(l.waits, e.ID)
	}
}

// Waits marks a call as waiting for the person's answer, or not any more.
func (l *Log) Waits(id string, yes bool) {
	if !yes {
		delete(l.waits, id)
	} else {
		l.waits[id] = true
	}
	if t := l.calls[id]; t != nil {
		t.waits = yes
	}
}

func (l *Log) begun(e ui.AskStarted) {
	l.close(e.Parent)
	n, known := l.colours[e.Agent]
	if !known {
		n = len(l.colours)
		l.colours[e.Agent] = n
	}
	a := Ask{Agent: ui.CleanLine(e.Agent), Title: ui.CleanLine(e.Title), Parent: e.Parent, Colour: paint.Agent(n)}
	l.asks[e.Ask] = a
	l.add(&begun{
		base: base{ask: e.Ask, kind: handover}, style: a.Colour, prompt: e.Prompt,
		head: "‣ mm [" + a.Name() + "]", model: ui.CleanLine(Model(e.Model, e.Provider)),
	})
}

// Model is how a model is named: "qwen3:8b @ ollama".
func Model(model, provider string) string {
	if model == "" || provider == "" {
		return model + provider
	}
	return model + " @ " + provider
}

func (l *Log) ended(e ui.AskEnded) {
	l.close(e.Ask)
	if e.Reason != "" && e.Call == "" {
		l.add(newRemark(e.Ask, lastName(e.Agent)+" stopped: "+e.Reason, paint.Yellow))
	}
}

func (l *Log) notice(e ui.Notice) {
	st := paint.Faint
	switch e.Level {
	case ui.Warning:
		st = paint.Yellow
	case ui.Error:
		st = paint.Red
	}
	text := e.Text
	if e.Agent != "" {
		text = path(e.Agent) + " · " + text
	}
	l.add(newRemark("", text, st))
}

// plan shows a plan where the agent's last one stands, if nobody has asked anything since.
func (l *Log) plan(e ui.Plan) {
	p := l.plans[e.Ask]
	if p == nil {
		p = &plan{base: base{ask: e.Ask, kind: note}}
		l.plans[e.Ask] = p
		l.add(p)
	}
	p.steps = e.Entries
	p.count++
}

func (l *Log) turnEnded(e ui.TurnEnded) {
	for ask := range l.open {
		l.close(ask)
	}
	clear(l.plans)
	switch {
	case e.Error != "":
		l.add(newRemark("", e.Error, paint.Red))
	case e.Reason == "cancelled":
		l.add(newRemark("", "[cancelled]", paint.Faint))
	}
	l.add(newRemark("", e.Summary, paint.Faint))
}
