package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/llm"
	"github.com/mini-me/mm/internal/turn"
	"github.com/mini-me/mm/tools"
)

// Command is a slash command.
type Command struct {
	Name string // without the slash
	Args string // what may follow, for help and completion
	Help string
	// Turn marks commands that use the conversation: a running turn is cancelled first.
	Turn bool

	run func(ctx context.Context, s *Session, args string) Done
}

// Done is what came of a line of input.
type Done struct {
	// Text is a command's output for the person, "" for none.
	Text string
	// Failed says that Text says what was wrong.
	Failed bool
	// Turn is set when a turn ran; its events have been emitted.
	Turn *turn.Outcome
	// Session is one that takes the place of this one (/resume): the front end goes on with it and
	// closes this one. Only where SessionOptions.CanSwitch is set.
	Session *Session
}

// Commands lists the slash commands of this session, in the order of /help. It is the caller's to read.
func (s *Session) Commands() []Command { return s.commands() }

func (s *Session) listCommands() []Command {
	list := []Command{
		{Name: "help", Help: "show the commands", run: func(_ context.Context, s *Session, _ string) Done { return Done{Text: s.help()} }},
		{Name: "ask", Args: "AGENT PROMPT", Help: "give a task to another agent", Turn: true, run: askCommand},
	}
	for _, a := range s.engine.Agents() {
		list = append(list, Command{Name: "ask-" + a.Name, Args: "PROMPT", Help: "ask " + a.Name + ": " + a.Role, Turn: true,
			run: func(ctx context.Context, s *Session, args string) Done { return s.ask(ctx, a.Name, args) }})
	}
	list = append(list,
		Command{Name: "agents", Help: "list the agents that can be asked", run: agentsCommand},
		Command{Name: "tools", Help: "list the tools of the model, and which of them ask", run: toolsCommand},
		Command{Name: "skills", Help: "list the skills that the model can read", run: skillsCommand},
		Command{Name: "model", Args: "[NAME]", Help: "list the server's models, or let another one answer", Turn: true, run: modelCommand},
		Command{Name: "permissions", Args: "[forget KEY|all]", Help: "show what is remembered and what waits, or forget it", run: permissionsCommand},
		Command{Name: "compact", Help: "shorten the conversation to a summary", Turn: true, run: compactCommand},
		Command{Name: "context", Help: "show what fills the context window", run: contextCommand},
		Command{Name: "plan", Args: "[clear]", Help: "show the plan", run: planCommand},
		Command{Name: "new", Help: "start a new conversation; the one so far is kept", Turn: true, run: newCommand},
		Command{Name: "sessions", Args: "[all]", Help: "list the conversations of this folder, or all", run: sessionsCommand},
	)
	if s.o.CanSwitch {
		list = append(list, Command{Name: "resume", Args: "[ID]", Help: "go on with another conversation", Turn: true, run: resumeCommand})
	}
	return append(list, s.o.Commands...)
}

// Parse splits a line into a command's name and its arguments. ok is false for other input.
func Parse(line string) (name, args string, ok bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "/") {
		return "", "", false
	}
	name, args, _ = strings.Cut(line[1:], " ")
	if i := strings.IndexByte(name, '\n'); i >= 0 {
		name, args = name[:i], name[i+1:]+" "+args
	}
	if strings.Contains(name, "/") {
		return "", "", false // a path, or a comment
	}
	return name, strings.TrimSpace(args), true
}

// StartsTurn reports whether a line uses the conversation, so that a running turn must end first.
func (s *Session) StartsTurn(line string) bool {
	name, args, ok := Parse(line)
	if !ok {
		return true
	}
	if name == "model" && args == "" {
		return false // only a list
	}
	c, found := s.command(name)
	return found && c.Turn
}

// Do carries out a line of input: a slash command, or a question for the model with its images.
func (s *Session) Do(ctx context.Context, line string, images ...llm.Image) Done {
	name, args, ok := Parse(line)
	if !ok {
		out := s.Ask(ctx, line, images...)
		return Done{Turn: &out}
	}
	if len(images) > 0 {
		return Done{Failed: true, Text: "commands take no images: send the images with a question"}
	}
	c, found := s.command(name)
	if !found || c.run == nil {
		return s.unknown(name)
	}
	return c.run(ctx, s, args)
}

func (s *Session) command(name string) (Command, bool) {
	list := s.Commands()
	i := slices.IndexFunc(list, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return Command{}, false
	}
	return list[i], true
}

// unknown suggests the nearest command; nothing is sent to the model.
func (s *Session) unknown(name string) Done {
	if agent, ok := strings.CutPrefix(name, "ask-"); ok {
		return s.unknownAgent(agent)
	}
	text := fmt.Sprintf("unknown command /%s", name)
	best, least := "", 3
	for _, c := range s.Commands() {
		if d := distance(name, c.Name); d < least {
			best, least = c.Name, d
		}
	}
	if best != "" {
		text += fmt.Sprintf(" — did you mean /%s?", best)
	} else {
		text += " — /help lists them"
	}
	return Done{Text: text, Failed: true}
}

func (s *Session) unknownAgent(name string) Done {
	names := s.engine.team().Names()
	if len(names) == 0 {
		return Done{Failed: true, Text: "this agent has nobody to ask: name agents under mmConfigs in its file"}
	}
	return Done{Failed: true, Text: tools.UnknownAgent(name, names)}
}

func askCommand(ctx context.Context, s *Session, args string) Done {
	name, prompt, _ := strings.Cut(args, " ")
	if name == "" {
		return Done{Failed: true, Text: "say whom to ask: /ask AGENT PROMPT — agents: " + strings.Join(s.engine.team().Names(), ", ")}
	}
	return s.ask(ctx, name, strings.TrimSpace(prompt))
}

func (s *Session) ask(ctx context.Context, name, prompt string) Done {
	if _, ok := s.engine.team().Lookup(name); !ok {
		return s.unknownAgent(name)
	}
	if prompt == "" {
		return Done{Failed: true, Text: fmt.Sprintf("[ask_agent: the prompt is empty — say what %s must do]", name)}
	}
	_, out := s.Relay(ctx, name, prompt)
	return Done{Turn: &out}
}

func agentsCommand(_ context.Context, s *Session, _ string) Done {
	return Done{Text: s.engine.DescribeAgents()}
}

// DescribeAgents lists the agents that can be asked, with model, role and yolo.
func (e *Engine) DescribeAgents() string {
	agents := e.Agents()
	if len(agents) == 0 {
		return "no agents: name some under mmConfigs in the agent file"
	}
	var b strings.Builder
	for _, a := range agents {
		fmt.Fprintf(&b, "%s — %s", e.label(a.Name), a.Role)
		if a.Yolo != nil {
			fmt.Fprintf(&b, " · yolo: %v", *a.Yolo)
		}
		if a.Skips || !a.Command.MM && newKnown(e.file).skips(a.Command) {
			b.WriteString("\n  acts without asking: mm can't hold what it doesn't submit")
		}
		if a.Broken != "" {
			fmt.Fprintf(&b, "\n  can't be asked: %s", a.Broken)
		} else if err := a.Command.Check(); err != nil {
			fmt.Fprintf(&b, "\n  can't be asked: %v", err)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func permissionsCommand(_ context.Context, s *Session, args string) Done {
	policy := s.gate.Policy()
	if what, ok := strings.CutPrefix(args, "forget"); ok {
		return forget(policy, strings.TrimSpace(what))
	}
	if args != "" {
		return Done{Failed: true, Text: "use /permissions, /permissions forget KEY or /permissions forget all"}
	}
	var b strings.Builder
	for _, o := range s.gate.Open() {
		fmt.Fprintf(&b, "waits since %s: %s: %s\n", o.Since.Format("15:04:05"), o.Key(), o.Title)
	}
	for _, r := range policy.List() {
		word := "never"
		if r.Allow {
			word = "allowed"
		}
		fmt.Fprintf(&b, "%s in this session: %s\n", word, r.Key)
	}
	if b.Len() == 0 {
		return Done{Text: "nothing is remembered and nothing waits"}
	}
	return Done{Text: b.String() + "forget with /permissions forget KEY or /permissions forget all"}
}

func forget(p *consent.Policy, what string) Done {
	switch {
	case what == "":
		return Done{Failed: true, Text: "say what to forget: /permissions forget KEY or /permissions forget all"}
	case what == "all":
		return Done{Text: fmt.Sprintf("forgot %d answer(s)", p.ForgetAll())}
	case p.Forget(what):
		return Done{Text: "forgot " + what}
	}
	return Done{Failed: true, Text: fmt.Sprintf("nothing is remembered for %s — /permissions shows what is", what)}
}

func compactCommand(ctx context.Context, s *Session, _ string) Done {
	out, err := s.conv.Compact(ctx)
	if err != nil && ctx.Err() == nil {
		return Done{Failed: true, Text: "not compacted: " + err.Error()}
	}
	return Done{Turn: &out}
}

func contextCommand(ctx context.Context, s *Session, _ string) Done {
	x := s.conv.Context(s.Model().Window(ctx))
	about := "about "
	if x.Told {
		about = ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "context: %s%d of %d tokens (%d %%)", about, x.Used, x.Window, x.Used*100/max(x.Window, 1))
	for _, part := range []struct {
		name string
		n    int
	}{{"instructions", x.Instructions}, {"tools", x.Tools}, {"questions", x.Questions}, {"answers", x.Answers}, {"thoughts", x.Thoughts}, {"tool calls", x.Calls}, {"tool results", x.Results}} {
		fmt.Fprintf(&b, "\n  %-13s about %d", part.name, part.n)
	}
	return Done{Text: b.String()}
}

// help is the list of commands as /help shows it.
func (s *Session) help() string {
	var b strings.Builder
	for _, c := range s.Commands() {
		name := strings.TrimSpace("/" + c.Name + " " + c.Args)
		fmt.Fprintf(&b, "%-32s %s\n", name, c.Help)
	}
	return strings.TrimRight(b.String(), "\n")
}

// distance is the edit distance between two short words.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		last := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := last
			if a[i-1] != b[j-1] {
				cost = 1 + min(last, row[j], row[j-1])
			}
			last, row[j] = row[j], cost
		}
	}
	return row[len(b)]
}
