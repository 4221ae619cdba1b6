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
	"github.com/mini-me/mm/internal/front/line/prompt"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/cells"
)

// printer draws events, one after the other, whoever emits them. Everything shown passes ui.Clean.
type printer struct {
	o Options

	mu      sync.Mutex
	live    *live // with the editor; else lines are written as they come:
	w       *bufio.Writer
	open    bool              // the last line isn't ended
	speaker string            // whose text stands on it: ask and kind
	seen    map[string]bool   // calls whose line was printed
	asks    map[string]string // agents at work, and who asked them: Ask to Parent
	held    map[string]string // texts of agents at work side by side, up to their next line end
}

func newPrinter(o Options) *printer {
	p := &printer{o: o, w: bufio.NewWriter(o.Out), seen: map[string]bool{}, asks: map[string]string{}, held: map[string]string{}}
	if o.TTY != nil {
		columns, rows := o.TTY.Size()
		p.live = &live{s: newScreen(o.TTY.Out, columns, rows, o.Colour), size: o.TTY.Size}
	}
	return p
}

// Emit draws one event.
func (p *printer) Emit(e ui.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flush()
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
		p.own(ui.Clean(e.Text), faint)
	case ui.Phase:
		p.phase(e)
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
	if p.live != nil {
		if e.Ask == "" {
			p.live.wait("", p.o.Now())
		}
		if p.o.Colour {
			p.live.text(s)
			return
		}
	}
	p.write(s, "")
}

// phase notes what is waited for: only where something can turn meanwhile.
func (p *printer) phase(e ui.Phase) {
	if p.live != nil && e.Agent == "" {
		p.live.wait(e.Text, p.o.Now())
	}
}

// spin draws the next moment of waiting.
func (p *printer) spin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.frame++
	p.flush()
}

// show draws what is being typed. hidden says that a person is waited for.
func (p *printer) show(ask string, v prompt.View, hidden bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.prompt, p.live.input, p.live.hidden = ask, v, hidden
	p.flush()
}

// remind notes what a person is asked, for the row above the prompt. It is shown when other output
// has come since the question, or at once with now.
func (p *printer) remind(text string, now bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.asked = text
	p.live.pushed = p.live.pushed || now
}

// size is the terminal's.
func (p *printer) size() (columns, rows int, m cells.Measure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.fit()
	return p.live.s.columns, p.live.s.rows, p.live.s.m
}

// clear empties the terminal.
func (p *printer) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.s.clear()
}

// leave ends what is drawn: the next program writes where the live region stood.
func (p *printer) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.live.endLine()
	p.live.input, p.live.phase = prompt.View{}, ""
	p.flush()
}

// flush shows what was written.
func (p *printer) flush() {
	if p.live != nil {
		p.live.draw(p.o.Now())
		return
	}
	_ = p.w.Flush()
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
	p.write(ui.Clean(e.Text), faint)
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

// The texts before an answer that is to be typed (supplement 5, tools.fr.md).
const (
	askPermission = "  [a]llow once · allow for the [s]ession · [r]eject · [n]ever in this session ? "
	askQuestion   = " ? "
)

func (p *printer) call(e ui.ToolCall) {
	if !p.seen[e.ID] {
		p.seen[e.ID] = true
		line := e.Line
		if e.Agent != "" {
			line = "‣ " + strings.ReplaceAll(e.Agent, "/", " · ") + " · " + e.Named()
		}
		p.line(ui.CleanTitle(line))
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
		p.line(p.styled(ui.Clean(e.Error), red))
	case e.Reason == "cancelled":
		p.own("[cancelled]", faint)
	}
	p.own(ui.CleanLine(e.Summary), faint)
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
	defer p.flush()
	p.own(ui.Clean(text), "")
}

// hint prints a line of mm's own below what is being typed.
func (p *printer) hint(text string) {
	if p.live == nil {
		text = "\n" + text // the terminal shows ^C on the line
	}
	p.say(text)
}

// prompt shows that a question can be typed; the editor shows that itself.
func (p *printer) prompt() {
	if !p.o.Terminal || p.live != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flush()
	p.endLine()
	p.write("> ", "")
	p.speaker = "\x00prompt"
}

// typed notes that a line was entered. A terminal has shown it; piped lines are shown here.
func (p *printer) typed(line string, answer bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flush()
	if p.live != nil {
		p.settled()
		p.echo(line)
		return
	}
	if p.o.Terminal {
		p.open = false
		return
	}
	if !answer {
		p.endLine()
		p.write("> ", "")
	}
	p.write(ui.CleanLine(line), "")
	p.endLine()
}

// echoed is how many lines of what was typed are printed: of a pasted file nobody reads more.
const echoed = 30

// echo prints what was typed in the editor, behind its prompt.
func (p *printer) echo(text string) {
	s := p.live.s
	rows, lead := prompt.Lead(p.live.prompt, s.columns, s.m)
	for _, r := range rows {
		p.line(r)
	}
	hang := strings.Repeat(" ", cells.Width(lead, s.m))
	lines := strings.Split(ui.Clean(text), "\n")
	more := len(lines) - echoed
	if more > 0 {
		lines = lines[:echoed]
	}
	for _, l := range lines {
		p.line(lead + strings.ReplaceAll(l, "\t", "    "))
		lead = hang
	}
	if more > 0 {
		p.line(p.dim(fmt.Sprintf("%s… %d more line(s)", hang, more)))
	}
}

// ask shows what stands before an answer that is to be typed; the editor shows that itself.
func (p *printer) ask(text string) {
	if p.live == nil {
		p.write(text, "")
	}
}

// drawn notes that a question stands right above the prompt.
func (p *printer) drawn() {
	if p.live != nil {
		p.live.pushed = false
	}
}

// settled forgets what was asked: output that comes before the next redraw brings no reminder.
func (p *printer) settled() {
	if p.live != nil {
		p.live.asked = ""
	}
}

// question draws a permission question: what will run in full, and how to answer.
func (p *printer) question(q *consent.Question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flush()
	for _, d := range q.Diffs {
		p.diff(d)
	}
	p.line("🔐 " + title(q))
	p.ask(askPermission)
	p.drawn()
}

// form draws a question of a form and how to answer it (tools.fr.md, ask_user).
func (p *printer) form(q ui.Question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flush()
	p.line("❓ " + ui.Clean(q.Text))
	for i, o := range q.Options {
		line := fmt.Sprintf("  %d. %s", i+1, ui.CleanLine(o))
		if o == q.Default {
			line += " (default)"
		}
		p.line(line)
	}
	p.line(p.dim("  " + ui.CleanLine(q.Help())))
	p.ask(askQuestion)
	p.drawn()
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
			l = p.styled(l, green)
		case strings.HasPrefix(l, "-"):
			l = p.styled(l, red)
		}
		p.line("  " + l)
	}
}

// answered ends the question's line.
func (p *printer) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flush()
	p.settled()
	p.endLine()
}

// withdrawn takes a question off the screen.
func (p *printer) withdrawn() {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flush()
	p.settled()
	p.write("(withdrawn)", faint)
	p.endLine()
}

// banner says what is at work here.
func (p *printer) banner(e *engine.Engine) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.flush()
	for _, l := range e.Banner() {
		p.own(ui.CleanLine(l), "")
	}
	for _, w := range e.Warnings() {
		p.own(ui.Clean("[warning: "+w+"]"), yellow)
	}
}

// write puts text where the cursor is.
func (p *printer) write(s, style string) {
	switch {
	case s == "":
	case p.live != nil:
		p.live.write(s, style)
	default:
		_, _ = io.WriteString(p.w, p.styled(s, style))
		p.open = !strings.HasSuffix(s, "\n")
	}
}

// line puts a whole line on a line of its own.
func (p *printer) line(s string) {
	p.endLine()
	if s == "" {
		return
	}
	p.speaker = ""
	if p.live != nil {
		p.live.line(s)
		return
	}
	p.write(s+"\n", "")
}

// own prints lines of mm's own, broken between words where the terminal would break within them.
func (p *printer) own(text, style string) {
	if p.live == nil {
		p.line(p.styled(text, style))
		return
	}
	for l := range strings.Lines(text) {
		for _, r := range cells.Break(strings.TrimSuffix(l, "\n"), p.live.s.columns, p.live.s.m, true) {
			p.line(p.styled(r, style))
		}
	}
}

func (p *printer) endLine() {
	if p.live != nil {
		p.live.endLine()
		return
	}
	if p.open {
		p.write("\n", "")
	}
	p.open = false
}

func (p *printer) mark(agent string) string {
	return p.styled(ui.CleanLine(strings.ReplaceAll(agent, "/", " · "))+" │ ", cyan)
}

func (p *printer) dim(s string) string { return p.styled(s, faint) }

func (p *printer) styled(s, style string) string {
	if !p.o.Colour || s == "" || style == "" {
		return s
	}
	return style + s + off
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(s)
}
