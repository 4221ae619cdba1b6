package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// The commands that only show something.

// asksFor says what of a tool's calls needs permission, "" for none of it (permissions.fr.md: only
// what changes something asks). Tools that aren't built in ask for everything.
func asksFor(tool string) string {
	switch tool {
	case "read_file", "read_skill", "ask_user":
		return ""
	case "bash":
		return "every command"
	case "write_file", "edit_file":
		return "every change"
	case "fetch_content":
		return "saving a page"
	case "lsp":
		return "rename"
	case "plan":
		return "changes of the plan"
	case "ask_agent":
		return "every ask"
	}
	return "every call"
}

// toolsCommand lists what is declared to the model, and what asks.
func toolsCommand(ctx context.Context, s *Session, _ string) Done {
	list := s.toolset(ctx).All()
	if len(list) == 0 {
		return Done{Text: "no tools are declared: turn some on in the agent file (bashTool, editTools, …)"}
	}
	remembered := map[string]string{}
	for _, r := range s.gate.Policy().List() {
		remembered[r.Key] = "never in this session"
		if r.Allow {
			remembered[r.Key] = "allowed in this session"
		}
	}
	var b strings.Builder
	for _, t := range list {
		name := t.Spec().Name
		fmt.Fprintf(&b, "%-14s %s\n", name, s.asks(name, remembered[name]))
	}
	yolo := "yolo: off (tools ask)"
	if s.gate.Yolo() {
		yolo = "yolo: on"
	}
	return Done{Text: b.String() + yolo}
}

func (s *Session) asks(tool, remembered string) string {
	what := asksFor(tool)
	switch {
	case what == "":
		return "never asks"
	case remembered != "":
		return remembered
	case s.gate.Yolo():
		return "runs without asking (would ask: " + what + ")"
	}
	return "asks: " + what
}

func skillsCommand(_ context.Context, s *Session, _ string) Done {
	dir := s.engine.file.SkillsDir
	if dir == "" {
		return Done{Text: "no skills: name their folder with skillsDir in the agent file"}
	}
	list := tools.Skills(dir)
	if len(list) == 0 {
		return Done{Text: "no skills in " + dir + ": a skill is <name>.md or <name>/SKILL.md there"}
	}
	var b strings.Builder
	for _, k := range list {
		fmt.Fprintf(&b, "%s — %s\n", k.Name, k.Description)
	}
	return Done{Text: b.String() + "the model reads one when it suits; or say: use the skill " + list[0].Name}
}

// planCommand shows the plan, or clears it.
func planCommand(_ context.Context, s *Session, args string) Done {
	title, steps := s.plan.Snapshot()
	switch args {
	case "":
		if len(steps) == 0 && !s.engine.file.PlanTool {
			return Done{Text: "no plan: with planTool: true in the agent file the model keeps one"}
		}
		return Done{Text: tools.Checklist(title, steps)}
	case "clear":
		s.clearPlan()
		return Done{Text: "the plan is gone"}
	}
	return Done{Failed: true, Text: "use /plan or /plan clear"}
}

// clearPlan drops the plan and tells the front end, if there is one.
func (s *Session) clearPlan() {
	title, steps := s.plan.Snapshot()
	if title == "" && len(steps) == 0 {
		return
	}
	s.plan.Restore("", nil)
	if s.o.Sink != nil {
		s.o.Sink.Emit(ui.Plan{})
	}
	if s.keeper != nil {
		s.keeper.plan()
	}
}
