package line

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/engine"
	"github.com/mini-me/mm/internal/front/line/prompt"
	"github.com/mini-me/mm/internal/ui"
)

// hostile are texts that would change what a person sees: escape sequences, links and the clipboard
// (OSC 8 and 52), bidirectional overrides, invisible characters, floods of combining marks.
func hostile() []string {
	return []string{
		"\x1b[2J\x1b[Hgone", "\x1b]8;;http://evil\x1b\\link\x1b]8;;\x1b\\", "\x1b]52;c;aGk=\a", "\x9b31m\u009b2J", "safe\rrm -rf /",
		"a\u202egnp.exe\u202c", "\u2066x\u2069", "zero\u200bwidth\ufeff", "e" + strings.Repeat("\u0301", 400), "\x1bP1$r\x1b\\", "\b\b\b\x7f", "\u2028\u2029\U000E0041",
		"**bold\x1b[31m**", "`code\x1b[0m`", "```\n\x1b[2J\n```\n", "| a\x1b[2J | \u202e |\n|---|---|\n| \x1b]8;;x\a | y |\n", "[text\x1b](http://x\x1b[2J)",
	}
}

// own are the sequences that line mode writes itself.
var own = regexp.MustCompile(`\x1b\[(\?2026[hl]|\?25[hl]|\?7[hl]|[0-9]*[ABCJK]|H|2J|[0-9;]*m)`)

// unsafe returns what in an output could steer a terminal, "" for nothing.
func unsafe(out string, raw bool) string {
	out = own.ReplaceAllString(out, "")
	if raw {
		out = strings.ReplaceAll(out, "\r\n", "\n")
		out = strings.ReplaceAll(out, "\r", "")
	}
	marks := 0
	for _, r := range out {
		if unicode.Is(unicode.M, r) {
			if marks++; marks > 20 {
				return "a flood of combining marks"
			}
			continue
		}
		marks = 0
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff\u2028\u2029", r) || r >= 0xe0000 && r <= 0xe007f {
			return fmt.Sprintf("%U", r)
		}
	}
	return ""
}

// events are all that a turn can tell, with a text wherever one is.
func events(s string) []ui.Event {
	call := consent.Call{ID: "1", Agent: s, Tool: s, Title: s, Diffs: []consent.Diff{{Path: s, Old: &s, New: s + s}}}
	own := consent.Call{ID: "2", Tool: s, Title: s}
	code := 1
	return []ui.Event{
		ui.Phase{Text: s},
		ui.Thought{Text: s}, ui.Text{Text: s}, ui.Text{Text: s + "\n"},
		ui.ToolCall{Call: call, Line: s, Status: ui.InProgress}, ui.ToolCall{Call: call, Line: s, Status: ui.Failed, Output: s, Refused: s},
		ui.ToolCall{Call: own, Line: s, Status: ui.InProgress}, ui.ToolCall{Call: own, Line: s, Status: ui.Completed, Output: s, ExitCode: &code},
		ui.AskStarted{Agent: s, Ask: "1", Title: s, Provider: s, Model: s, Prompt: s},
		ui.Text{Agent: s, Ask: "1", Text: s}, ui.Thought{Agent: s, Ask: "1", Text: s},
		ui.AskStarted{Agent: s + "2", Ask: "2", Provider: s, Prompt: s}, ui.Text{Agent: s + "2", Ask: "2", Text: s + "\n" + s}, ui.Text{Agent: s, Ask: "1", Text: s},
		ui.AskEnded{Agent: s + "2", Ask: "2", Answer: s, Reason: s}, ui.AskEnded{Agent: s, Ask: "1"},
		ui.Notice{Text: s}, ui.Plan{Agent: s, Ask: "1", Entries: []ui.PlanEntry{{Text: s, Status: s}}},
		ui.Usage{}, ui.TurnEnded{Reason: "error", Error: s, Summary: s},
	}
}

// printers are all ways to draw: lines as they come, and the editor; with colours and without.
func printers(out *bytes.Buffer) map[string]*printer {
	list := map[string]*printer{}
	for _, colour := range []bool{false, true} {
		for _, columns := range []int{0, 20, 80} {
			o := Options{Out: out, Colour: colour, Terminal: true, Preview: 8, Now: func() time.Time { return time.Unix(0, 0) }}
			p := newPrinter(o)
			if columns > 0 {
				p.live = &live{s: newScreen(out, columns, 24, colour), size: func() (int, int) { return columns, 24 }}
			}
			list[fmt.Sprintf("columns %d colour %v", columns, colour)] = p
		}
	}
	return list
}

// TestNothingSteersTheTerminal puts hostile texts into every place where text is shown.
func TestNothingSteersTheTerminal(t *testing.T) {
	for _, s := range hostile() {
		s = strings.ToValidUTF8(s, "\ufffd")
		var out bytes.Buffer
		for name, p := range printers(&out) {
			check := func(place string) {
				t.Helper()
				if bad := unsafe(out.String(), p.live != nil); bad != "" {
					t.Errorf("%s, %q in %s: %s is shown:\n%q", name, s, place, bad, out.String())
				}
				out.Reset()
			}
			for _, e := range events(s) {
				p.Emit(e)
				check(fmt.Sprintf("%T", e))
			}
			p.done(engine.Done{Text: s})
			check("a command's text")
			p.say(s)
			p.form(ui.Question{Text: s, Type: ui.Choice, Options: []string{s, s + "2"}, Default: s})
			check("a form")
			p.typed(s, false)
			p.typed(s, true)
			check("what was typed")
			if p.live != nil {
				ed := prompt.New(&prompt.History{}, func(string, bool) ([]prompt.Candidate, int) {
					return []prompt.Candidate{{Text: s, Help: s}, {Text: s + "2", Help: s}}, 0
				})
				for _, k := range []prompt.Key{{Text: s, Pasted: true}, {Text: s}, {Name: "tab"}, {Name: "tab"}, {Name: "ctrl+r"}, {Text: s}} {
					ed.Key(k)
					p.show(askQuestion, ed.View(askQuestion, p.live.s.columns, 10, ansi.WcWidth), false)
					check("the editor")
				}
				p.leave()
				check("the end")
			}
		}
	}
}

// TestAPermissionQuestionIsSafe asks about hostile calls.
func TestAPermissionQuestionIsSafe(t *testing.T) {
	for _, s := range hostile() {
		var out bytes.Buffer
		for name, p := range printers(&out) {
			gate := consent.NewGate(consent.Options{Asker: asker(func(q *consent.Question) { p.question(q) })})
			old := s
			gate.Decide(t.Context(), consent.Request{Call: consent.Call{ID: "1", Agent: "jan/" + s, Tool: s, Title: s, Diffs: []consent.Diff{{Path: s, Old: &old, New: s + "\n" + s}}}, Asks: consent.Always})
			if !strings.Contains(out.String(), "🔐") {
				t.Fatal("nothing was asked")
			}
			if bad := unsafe(strings.ToValidUTF8(out.String(), ""), p.live != nil); bad != "" {
				t.Errorf("%s, %q: %s is shown:\n%q", name, s, bad, out.String())
			}
			out.Reset()
		}
	}
}

// asker shows a question and rejects it.
type asker func(q *consent.Question)

// AskPermission shows the question.
func (a asker) AskPermission(_ context.Context, q *consent.Question) (consent.Reply, error) {
	a(q)
	return consent.Reply{}, nil
}
