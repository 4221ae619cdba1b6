package line

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/ui"
)

// printer draws events, one after the other, whoever emits them. Everything shown passes ui.Clean.
type printer struct {
	o Options

	mu      sync.Mutex
	w       *bufio.Writer
	open    bool              // the last line isn't ended
	speaker string            // whose text stands on it: ask and kind
	seen    map[string]bool   // calls whose line was printed
	asks    map[string]string // agents at work, and who asked them: Ask to Parent
	held    map[string]string // texts of agents at work side by side, up to their next line end
}

func newPrinter(o Options) *printer {
	return &printer{o: o, w: bufio.NewWriter(o.Out), seen: map[string]bool{}, asks: map[string]string{}, held: map[string]string{}}
}

// Emit draws one event.
func (p *printer) Emit(e ui.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	switch e := e.(type) {
	case ui.Text:
		p.text(e, ui.Clean(e.Text))
	case ui.Thought:
		p.thought(e)
	case ui.ToolCall:
		p.call(e)
	case ui.AskStarted:
		p.asks[e.Ask] = e.Parent
		p.askStarted(e)
	case ui.AskEnded:
		p.release(e)
		delete(p.asks, e.Ask)
		p.endLine()
	case ui.Notice:
		p.line(p.dim(ui.Clean(e.Text)))
	case ui.Plan:
		p.plan(e)
	case ui.TurnEnded:
		p.turnEnded(e)
	}
}

// text draws a piece of somebody's answer. While several agents work side by side their texts are
// held back to whole lines and marked with the agent's name, so that they don't run into each other.
func (p *printer) text(e ui.Text, s string) {
	if e.Ask != "" && p.several() {
		s = p.held[e.Ask] + s
		i := strings.LastIndexByte(s, '\n')
		p.held[e.Ask] = s[i+1:]
		for l := range strings.Lines(s[:i+1]) {
			p.line(p.mark(e.Agent) + strings.TrimSuffix(l, "\n"))
		}
		return
	}
	p.speak(e.Ask)
	p.write(s)
}

// several reports whether agents work side by side: more than one that isn't waiting for another.
func (p *printer) several() bool {
	waiting := map[string]bool{}
	for _, parent := range p.asks {
		waiting[parent] = true
	}
	busy := 0
	for ask := range p.asks {
		if !waiting[ask] {
			busy++
		}
	}
	return busy > 1
}

func (p *printer) release(e ui.AskEnded) {
	if s := p.held[e.Ask]; s != "" {
		p.line(p.mark(e.Agent) + s)
	}
	delete(p.held, e.Ask)
}

func (p *printer) thought(e ui.Thought) {
	if !p.o.Colour || p.several() {
		return
	}
	p.speak(e.Ask + "\x00thought")
	p.write(p.dim(ui.Clean(e.Text)))
}

// speak begins a new line when somebody else's text stands on this one.
func (p *printer) speak(who string) {
	if p.speaker != who {
		p.endLine()
	}
	p.speaker = who
}

func (p *printer) askStarted(e ui.AskStarted) {
	if e.Call != "" && !strings.Contains(e.Agent, "/") {
		return // the call's own line says so
	}
	who := strings.ReplaceAll(e.Agent, "/", " · ")
	if e.Provider != "" || e.Model != "" {
		who += " (" + strings.Trim(e.Provider+"/"+e.Model, "/") + ")"
	}
	p.line(ui.CleanLine("🗣 ask_agent: " + who + " — " + firstLine(e.Prompt)))
}

func (p *printer) call(e ui.ToolCall) {
	if !p.seen[e.ID] {
		p.seen[e.ID] = true
		line := e.Line
		if e.Agent != "" {
			line = "‣ " + strings.ReplaceAll(e.Agent, "/", " · ") + " · " + e.Title
		}
		p.line(ui.Clean(line))
	}
	if !e.Done() {
		return
	}
	delete(p.seen, e.ID)
	if e.Quiet && e.Status == ui.Completed {
		return
	}
	p.preview(ui.Clean(e.Output))
}

// preview draws the first lines of a tool's output, indented.
func (p *printer) preview(output string) {
	output = strings.TrimRight(output, "\n")
	if strings.TrimSpace(output) == "" {
		output = "(no output)"
	}
	lines := strings.Split(output, "\n")
	more := len(lines) - p.o.Preview
	if more > 0 {
		lines = lines[:p.o.Preview]
	}
	for _, l := range lines {
		p.line(p.dim("  " + l))
	}
	if more > 0 {
		p.line(p.dim(fmt.Sprintf("  … %d more line(s)", more)))
	}
}

// plan draws an asked agent's plan; this agent's own stands as the tool's output.
func (p *printer) plan(e ui.Plan) {
	if e.Agent == "" {
		return
	}
	marks := map[string]string{"completed": "x", "in_progress": "~"}
	for _, s := range e.Entries {
		mark := marks[s.Status]
		if mark == "" {
			mark = " "
		}
		p.line(p.dim(ui.CleanLine("  " + strings.ReplaceAll(e.Agent, "/", " · ") + " [" + mark + "] " + s.Text)))
	}
}

func (p *printer) turnEnded(e ui.TurnEnded) {
	p.endLine()
	switch {
	case e.Error != "":
		p.line(p.colour("31", ui.Clean(e.Error)))
	case e.Reason == "cancelled":
		p.line(p.dim("[cancelled]"))
	}
	p.line(p.dim(e.Summary))
}

// done draws what a command had to say.
func (p *printer) done(d engine.Done) {
	if d.Text != "" {
		p.say(d.Text)
	}
}

// say prints lines of mm's own.
func (p *printer) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	p.line(ui.Clean(text))
}

// prompt shows that a question can be typed.
func (p *printer) prompt() {
	if !p.o.Terminal {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	p.endLine()
	p.write("> ")
	p.speaker = "\x00prompt"
}

// typed notes that a line was entered. A terminal has shown it; piped lines are shown here.
func (p *printer) typed(line string, answer bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	if p.o.Terminal {
		p.open = false
		return
	}
	if !answer {
		p.endLine()
		p.write("> ")
	}
	p.write(ui.CleanLine(line))
	p.endLine()
}

// question draws a permission question: what will run in full, and how to answer.
func (p *printer) question(q *consent.Question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	for _, d := range q.Diffs {
		p.diff(d)
	}
	p.line("🔐 " + title(q))
	p.write("  [a]llow once · allow for the [s]ession · [r]eject · [n]ever in this session ? ")
}

// form draws a question of a form and how to answer it (tools.fr.md, ask_user).
func (p *printer) form(q ui.Question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	p.line("❓ " + ui.Clean(q.Text))
	for i, o := range q.Options {
		line := fmt.Sprintf("  %d. %s", i+1, ui.CleanLine(o))
		if o == q.Default {
			line += " (default)"
		}
		p.line(line)
	}
	p.line(p.dim("  " + ui.CleanLine(q.Help())))
	p.write(" ? ")
}

func (p *printer) diff(d consent.Diff) {
	old := ""
	if d.Old != nil {
		old = *d.Old
	}
	for l := range strings.Lines(ui.Clean(udiff.Unified(d.Path, d.Path, old, d.New))) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case strings.HasPrefix(l, "+"):
			l = p.colour("32", l)
		case strings.HasPrefix(l, "-"):
			l = p.colour("31", l)
		}
		p.line("  " + l)
	}
}

// answered ends the question's line.
func (p *printer) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	p.endLine()
}

// withdrawn takes a question off the screen.
func (p *printer) withdrawn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	p.write(p.dim("(withdrawn)"))
	p.endLine()
}

// banner says what is at work here.
func (p *printer) banner(e *engine.Engine) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.w.Flush()
	for _, l := range e.Banner() {
		p.line(ui.CleanLine(l))
	}
	for _, w := range e.Warnings() {
		p.line(p.colour("33", ui.Clean("[warning: "+w+"]")))
	}
}

// write puts text where the cursor is.
func (p *printer) write(s string) {
	if s == "" {
		return
	}
	_, _ = io.WriteString(p.w, s)
	p.open = !strings.HasSuffix(s, "\n")
}

// line puts a whole line on a line of its own.
func (p *printer) line(s string) {
	p.endLine()
	if s == "" {
		return
	}
	p.write(s + "\n")
	p.speaker = ""
}

func (p *printer) endLine() {
	if p.open {
		p.write("\n")
	}
	p.open = false
}

func (p *printer) mark(agent string) string {
	return p.colour("36", strings.ReplaceAll(agent, "/", " · ")+" │ ")
}

func (p *printer) dim(s string) string { return p.colour("2", s) }

func (p *printer) colour(code, s string) string {
	if !p.o.Colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(s)
}
