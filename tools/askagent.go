package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// Asker asks a named agent; the Supervisor is one.
type Asker interface {
	Ask(ctx context.Context, a ui.Ask, host ui.Host) ui.Answer
}

// Agent is an askable agent as the tool's description lists it.
type Agent struct{ Name, Role string }

// AskPatience lets the asked agent's own watchdog end its turn first, so that its reason arrives
// (supplement 16).
const AskPatience = 5 * time.Second

// AskAgentOptions configure the ask_agent tool.
type AskAgentOptions struct {
	Agents    []Agent // at least one
	Asker     Asker
	MaxOutput int // characters of an answer
	// History returns the conversation as of the start of the turn, for with_context.
	History func() []ui.Said
	// Line returns "<agent> (<provider>/<model>)" for the terminal.
	Line func(agent string) string
	// Workplace is where the asked agents work.
	Workplace ui.Workplace
}

// AskAgent hands a task to another agent and returns its answer.
type AskAgent struct {
	o     AskAgentOptions
	spec  Spec
	names []string
}

// NewAskAgent returns the ask_agent tool. Agents are listed by name.
func NewAskAgent(o AskAgentOptions) *AskAgent {
	agents := slices.Clone(o.Agents)
	slices.SortFunc(agents, func(a, b Agent) int { return strings.Compare(a.Name, b.Name) })
	var b strings.Builder
	b.WriteString("Give a task to another agent and get its answer. It can't see this conversation: say everything it needs in prompt, or set with_context. Several calls in one step run side by side.\nAgents:")
	t := &AskAgent{o: o}
	for _, a := range agents {
		fmt.Fprintf(&b, "\n  %s — %s", a.Name, a.Role)
		t.names = append(t.names, a.Name)
	}
	t.spec = Spec{
		Name:        "ask_agent",
		Description: b.String(),
		Parameters:  json.RawMessage(`{"type":"object","properties":{"agent":{"type":"string"},"prompt":{"type":"string","description":"The whole task"},"with_context":{"type":"boolean","description":"Also send this conversation"}},"required":["agent","prompt"]}`),
		Counter:     Counter{"🗣", "ask"},
		SideBySide:  true,
	}
	return t
}

// Spec declares the tool.
func (t *AskAgent) Spec() Spec { return t.spec }

// Prepare checks the agent's name and the prompt. Names are never guessed.
func (t *AskAgent) Prepare(_ context.Context, c Call) Plan {
	var in struct {
		Agent       string `json:"agent"`
		Prompt      string `json:"prompt"`
		WithContext Bool   `json:"with_context"`
	}
	if err := json.Unmarshal(c.Args, &in); err != nil {
		return Plan{Title: "ask_agent", Kind: consent.KindOther, Refused: BadArguments("ask_agent", err)}
	}
	p := Plan{Title: in.Agent + " — " + FirstLine(in.Prompt), Kind: consent.KindOther, Asks: consent.UnlessYolo, Quiet: true,
		Phase: in.Agent + " is working", AtWork: in.Agent + " at work", Patience: AskPatience}
	switch {
	case !slices.Contains(t.names, in.Agent):
		p.Refused = UnknownAgent(in.Agent, t.names)
		return p
	case strings.TrimSpace(in.Prompt) == "":
		p.Refused = fmt.Sprintf("[ask_agent: the prompt is empty — say what %s must do]", in.Agent)
		return p
	}
	p.Line = fmt.Sprintf("🗣 ask_agent: %s — %s", t.label(in.Agent), FirstLine(in.Prompt))
	p.Run = func(ctx context.Context, host ui.Host) Result {
		ask := ui.Ask{Agent: in.Agent, Prompt: in.Prompt, Input: c.Args, Cwd: c.Cwd, Call: c.ID, Session: c.Session, Workplace: t.o.Workplace}
		if in.WithContext && t.o.History != nil {
			ask.Context = t.o.History()
		}
		return t.result(in.Agent, t.o.Asker.Ask(ctx, ask, host))
	}
	return p
}

func (t *AskAgent) label(agent string) string {
	if t.o.Line == nil {
		return agent
	}
	return t.o.Line(agent)
}

// result words an answer for the model and for the screen, where it has streamed by already
// (tools.fr.md, Résultat).
func (t *AskAgent) result(agent string, a ui.Answer) Result {
	n := utf8.RuneCountInString(a.Text)
	cut := a
	cut.Text = Truncate(a.Text, t.o.MaxOutput) // never why it isn't whole, which comes after it
	r := Result{Text: AnswerText(agent, cut)}
	switch why := AskNote(agent, a); {
	case why != "":
		r.Failed, r.Output = true, why
	case a.Replaced:
		r.Output = fmt.Sprintf("%s answered; a hook replaced the answer (%d characters)", agent, n)
	default:
		r.Output = fmt.Sprintf("%s answered (%d characters)", agent, n)
	}
	return r
}

// AnswerText is an answer as a model or a person's history has it: what was said, why it isn't
// whole, and what a hook adds.
func AnswerText(agent string, a ui.Answer) string {
	var parts []string
	if a.Denied == "" && strings.TrimSpace(a.Text) != "" {
		parts = append(parts, a.Text)
	}
	if why := AskNote(agent, a); why != "" {
		parts = append(parts, why)
	}
	text := strings.Join(parts, "\n")
	if a.Context != "" {
		text += "\n\n" + AddedByHook + "\n" + a.Context
	}
	return text
}

// AskNote says why an answer isn't whole, "" when it is. Empty is never success.
func AskNote(agent string, a ui.Answer) string {
	said := strings.TrimSpace(a.Text) != ""
	switch {
	case a.Denied != "":
		return fmt.Sprintf("[ask denied by a hook: %s]", a.Denied)
	case a.Reason != "" && said:
		return fmt.Sprintf("[ask_agent: %s stopped before finishing: %s]", agent, a.Reason)
	case a.Reason != "":
		return fmt.Sprintf("[ask_agent: %s failed: %s]", agent, a.Reason)
	case !said:
		return fmt.Sprintf("[ask_agent: %s gave no answer]", agent)
	}
	return ""
}

// AddedByHook stands before the text that a hook adds for the model.
const AddedByHook = "[context added by a hook]"

// UnknownAgent is the text for a name that isn't in mmConfigs.
func UnknownAgent(name string, names []string) string {
	return fmt.Sprintf("[ask_agent: unknown agent %q — agents: %s]", name, strings.Join(names, ", "))
}
