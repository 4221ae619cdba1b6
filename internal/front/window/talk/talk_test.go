package talk

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func log(width int, events ...ui.Event) *Log {
	l := New("/w")
	l.Now(noon)
	l.Layout(width, ansi.WcWidth)
	for _, e := range events {
		l.Event(e)
	}
	return l
}

// screen is what View shows, without styles.
func screen(l *Log, height int) string {
	var out []string
	for _, line := range l.View(height) {
		out = append(out, strings.TrimRight(ansi.Strip(line.Text), " "))
	}
	return strings.Join(out, "\n")
}

func bash(id, agent, ask, command string) ui.ToolCall {
	return ui.ToolCall{Call: consent.Call{ID: id, Agent: agent, Tool: "bash", Title: command, Kind: consent.KindExecute}, Ask: ask, Status: ui.Pending}
}

func done(t ui.ToolCall, output string, d time.Duration) ui.ToolCall {
	t.Status, t.Output, t.Duration = ui.Completed, output, d
	return t
}

func TestDelegation(t *testing.T) {
	l := log(60)
	l.Typed("let jan look")
	ask := bash("c1", "", "", "x")
	ask.Tool, ask.Title = "ask_agent", "jan — let jan look"
	ls := bash("c2", "jan", "a1", "ls -1 | head -n 12")
	for _, e := range []ui.Event{
		ui.Thought{Message: "m1", Text: "That is something for jan."},
		ui.Text{Message: "m1", Text: "\n\n"},
		ui.Text{Message: "m1", Text: "I'll ask **jan**. "},
		ask,
		ui.AskStarted{Agent: "jan", Ask: "a1", Call: "c1", Title: "reviewer", Model: "qwen3:4b", Provider: "ollama", Prompt: "let jan look"},
		ui.Text{Agent: "jan", Ask: "a1", Message: "1", Text: "Let me look. "},
		ls,
		done(ls, "a.go\nb.go\n", 1200*time.Millisecond),
		ui.Text{Agent: "jan", Ask: "a1", Message: "2", Text: "Two files."},
		ui.AskEnded{Agent: "jan", Ask: "a1", Call: "c1"},
		done(ask, "jan answered (10 characters)", 3*time.Second),
		ui.Text{Message: "m2", Text: "jan says: two files."},
		ui.TurnEnded{Reason: "end_turn", Summary: "🗣 1 ask · 3.0 s"},
	} {
		l.Event(e)
	}
	want := `┃ let jan look

▸ thought · That is something for jan.

I'll ask jan.

‣ ask_agent jan — let jan look  ✓ 3.0 s ▸ 1 line
‣ mm [reviewer] · qwen3:4b @ ollama
▎ Let me look.

▎ ‣ bash jan · ls -1 | head -n 12  ✓ 1.2 s ▸ 2 lines

▎ Two files.

jan says: two files.

🗣 1 ask · 3.0 s`
	if got := screen(l, 40); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	l.Choose("a1")
	if got := screen(l, 40); strings.Contains(got, "jan says") || !strings.Contains(got, "Two files.") {
		t.Errorf("chosen:\n%s", got)
	}
	l.Choose("")
	l.cur = l.entries[6] // jan's call
	if !l.Toggle() || !strings.Contains(screen(l, 40), "▾ 2 lines\n▎   a.go\n▎   b.go") {
		t.Errorf("unfolded:\n%s", screen(l, 40))
	}
	if l.Copy() != "a.go\nb.go" {
		t.Errorf("copied %q", l.Copy())
	}
}

// TestSideBySide: what agents that work side by side say is told apart.
func TestSideBySide(t *testing.T) {
	l := log(40,
		ui.AskStarted{Agent: "jan", Ask: "a1", Call: "c1"},
		ui.AskStarted{Agent: "homer", Ask: "a2", Call: "c2"},
		ui.Text{Agent: "jan", Ask: "a1", Message: "1", Text: "one "},
		ui.Text{Agent: "homer", Ask: "a2", Message: "1", Text: "eins "},
		ui.Text{Agent: "jan", Ask: "a1", Message: "1", Text: "two"},
		ui.Text{Agent: "homer", Ask: "a2", Message: "1", Text: "zwei"},
	)
	want := `‣ mm [jan]
‣ mm [homer]

‣ mm [jan]
▎ one two

‣ mm [homer]
▎ eins zwei`
	if got := screen(l, 20); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if l.Ask("a1").Colour == l.Ask("a2").Colour {
		t.Error("two agents have one colour")
	}
}

func TestCalls(t *testing.T) {
	code := 2
	old := "a\n"
	long := bash("1", "", "", "echo one &&\necho two")
	failed := bash("2", "", "", "make")
	failed.Status, failed.Output, failed.ExitCode, failed.Duration = ui.Failed, "l1\nl2\nl3\nl4", &code, time.Second
	refused := bash("3", "", "", "rm -rf /")
	refused.Status, refused.Refused, refused.Output = ui.Failed, "rejected by the user", "[command rejected by the user]"
	edit := ui.ToolCall{Call: consent.Call{ID: "4", Tool: "edit_file", Title: "a.txt", Diffs: []consent.Diff{{Path: "/w/a.txt", Old: &old, New: "b\n"}}}, Status: ui.Completed, Duration: time.Millisecond}
	running := bash("5", "", "", "sleep 9")
	running.Status = ui.InProgress
	waiting := bash("6", "", "", "true")
	nasty := done(bash("7", "", "", "echo \x1b[2J\u202e"), "\x1b[31mred\x07", 0)
	l := log(50, long, failed, refused, edit, running, waiting, nasty)
	l.Waits("6", true)
	l.Now(noon.Add(1500 * time.Millisecond))
	want := `‣ bash echo one && …  …
‣ bash make  ✗ exit 2 · 1.0 s ▸ 4 lines
  l1
  l2
  l3
‣ bash rm -rf /  ✗ rejected by the user ▸ 1 line
‣ edit_file a.txt  ✓ 0.0 s ▾ +1 -1
  --- a.txt
  +++ a.txt
  @@ -1 +1 @@
  -a
  +b
‣ bash sleep 9  ` + Spinner(l.now) + ` 1.5 s
‣ bash true  … waiting for your answer
‣ bash echo ␛[2J⟨U+202E⟩  ✓ 0.0 s ▸ 1 line`
	if got := screen(l, 40); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestPlanStaysInPlace(t *testing.T) {
	steps := func(a, b string) ui.Plan {
		return ui.Plan{Entries: []ui.PlanEntry{{Text: "look", Status: a}, {Text: "write", Status: b}}}
	}
	l := log(30, steps("in_progress", "pending"), ui.Text{Message: "1", Text: "x"}, steps("completed", "in_progress"))
	want := "plan\n  ☑ look\n  ▶ write\n\nx"
	if got := screen(l, 20); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSearch(t *testing.T) {
	l := log(40)
	for i := range 200 {
		l.Event(ui.Text{Message: fmt.Sprint(i), Text: fmt.Sprintf("answer %d with a Needle%d", i, i%10)})
	}
	l.Event(done(bash("1", "", "", "ls"), "first\nneedle3 in output\n", 0))
	screen(l, 10)
	if n := l.Search("needle3"); n != 21 {
		t.Errorf("%d found", n)
	}
	if got := screen(l, 10); !strings.Contains(got, "needle3 in output") {
		t.Errorf("the folded output isn't unfolded:\n%s", got)
	}
	for _, want := range []string{"answer 193", "answer 183"} {
		if l.FindNext(-1); !strings.HasPrefix(strings.TrimLeft(screen(l, 10), "\n"), want) {
			t.Errorf("want %s first:\n%s", want, screen(l, 10))
		}
	}
	if l.FindNext(1); !strings.Contains(screen(l, 2), "answer 193") {
		t.Errorf("not back:\n%s", screen(l, 2))
	}
	if !strings.Contains(l.View(10)[0].Text, "\x1b[1;7mNeedle3") {
		t.Errorf("not marked: %q", l.View(10)[0].Text)
	}
	if n := l.Search("Needle3"); n != 20 {
		t.Errorf("%d found with a capital", n)
	}
	if n := l.Search("nowhere"); n != 0 {
		t.Errorf("%d found", n)
	}
}

func TestSelect(t *testing.T) {
	l := log(40, ui.Text{Message: "1", Text: "first line\n\nsecond line\n\nthird"})
	screen(l, 10)
	l.Press(6, 0)
	l.Drag(5, 2)
	if got := l.Release(5, 2); got != "line\n\nsecond" {
		t.Errorf("%q", got)
	}
	if !strings.Contains(l.View(10)[2].Text, "\x1b[7msecond") {
		t.Errorf("not marked: %q", l.View(10)[2].Text)
	}
	l.Deselect()
	l.Press(2, 2)
	if got := l.Release(2, 2); got != "" {
		t.Errorf("a click selected %q", got)
	}
	l = log(40, done(bash("1", "", "", "ls"), "out\n", 0))
	screen(l, 5)
	l.Press(3, 0)
	l.Release(3, 0)
	if got := screen(l, 5); !strings.Contains(got, "  out") {
		t.Errorf("a click doesn't unfold:\n%s", got)
	}
}

func TestLongQuestionIsFolded(t *testing.T) {
	l := log(40)
	l.Typed(strings.Repeat("pasted\n", 40_000))
	got := screen(l, 20)
	if strings.Count(got, "pasted") != longQuestion || !strings.HasSuffix(got, "┃ ▸ 40001 lines") {
		t.Errorf("got\n%s", got)
	}
	l.Toggle()
	if got := screen(l, 20); strings.Count(got, "pasted") != 20 {
		t.Errorf("unfolded\n%s", got)
	}
}

// TestScrolling: going through a conversation by lines, whatever its entries and the width, shows
// every line once and in order, down and up.
func TestScrolling(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 7))
		l := random(r, 60)
		l.Layout(12+r.IntN(60), ansi.WcWidth)
		all := strings.Split(screen(l, 1<<20), "\n")
		const h = 7
		if len(all) <= h {
			continue
		}
		l.Home()
		for i := 0; i+h <= len(all); i++ {
			if got, want := screen(l, h), strings.Join(all[i:i+h], "\n"); got != want {
				t.Fatalf("seed %d, line %d down: got\n%s\nwant\n%s", seed, i, got, want)
			}
			l.Scroll(1)
		}
		if screen(l, h); !l.Following() {
			t.Error("the end doesn't follow")
		}
		for i := len(all) - h; i >= 0; i-- {
			if got, want := screen(l, h), strings.Join(all[i:i+h], "\n"); got != want {
				t.Fatalf("seed %d, line %d up: got\n%s\nwant\n%s", seed, i, got, want)
			}
			l.Scroll(-1)
		}
	}
}

// TestNothingIsWiderThanTheScreen at any width and with any fold.
func TestNothingIsWiderThanTheScreen(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 9))
		l := random(r, 40)
		for range 20 {
			width := 16 + r.IntN(80)
			l.Layout(width, ansi.WcWidth)
			if r.IntN(3) == 0 {
				l.ToggleAll()
			}
			for _, line := range l.View(1 << 20) {
				if w := ansi.StringWidthWc(line.Text); w != line.Width || w > width && !strings.Contains(line.Text, "│") {
					t.Fatalf("seed %d: %d cells, said %d, at width %d: %q", seed, w, line.Width, width, line.Text)
				}
			}
		}
	}
}

// TestTextThatGrowsAboveDoesNotMoveTheView: a person who has scrolled up goes on reading.
func TestTextThatGrowsAboveDoesNotMoveTheView(t *testing.T) {
	l := log(40, ui.AskStarted{Agent: "jan", Ask: "a1"}, ui.Text{Agent: "jan", Ask: "a1", Message: "1", Text: "jan begins\n\n"})
	for i := range 50 {
		l.Event(ui.Text{Message: "m", Text: fmt.Sprintf("line %d\n\n", i)})
	}
	screen(l, 10)
	l.Scroll(-20)
	before := screen(l, 10)
	for range 30 {
		l.Event(ui.Text{Agent: "jan", Ask: "a1", Message: "1", Text: "more\n\n"})
		l.Event(ui.Text{Message: "m", Text: "more\n\n"})
	}
	if got := screen(l, 10); got != before {
		t.Errorf("got\n%s\nwant\n%s", got, before)
	}
}

// TestStreamedLooksLikeWhole: what was drawn while a text came is never left on the screen.
func TestStreamedLooksLikeWhole(t *testing.T) {
	const text = "Some *text*:\n- a → b\n- c → d e f\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```go\nx := 1\n```\nend of it"
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		l := log(30)
		for at := 0; at < len(text); {
			n := min(1+r.IntN(6), len(text)-at)
			for at+n < len(text) && text[at+n]&0xc0 == 0x80 {
				n++
			}
			l.Event(ui.Text{Message: "1", Text: text[at : at+n]})
			at += n
			if want := screen(log(30, ui.Text{Message: "1", Text: text[:at]}), 40); screen(l, 40) != want {
				t.Fatalf("seed %d, %q: got\n%s\nwant\n%s", seed, text[:at], screen(l, 40), want)
			}
		}
	}
}

// random is a conversation with some of everything.
func random(r *rand.Rand, n int) *Log {
	l := log(80)
	words := strings.Fields("lorem **ipsum** `dolor` sit amet 日本語 e\u0301 [link](http://x) consectetur - # | > ~~a~~ 👩‍💻")
	text := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString([]string{" ", " ", " ", "\n", "\n\n", "\n- ", "\n```go\n"}[r.IntN(7)])
		}
		return b.String()
	}
	asks := []string{""}
	for i := range n {
		ask := asks[r.IntN(len(asks))]
		agent := l.Ask(ask).Agent
		switch r.IntN(8) {
		case 0:
			l.Typed(text(30))
		case 1, 2:
			l.Event(ui.Text{Agent: agent, Ask: ask, Message: fmt.Sprint(r.IntN(3)), Text: text(40)})
		case 3:
			l.Event(ui.Thought{Agent: agent, Ask: ask, Message: "m", Text: text(20)})
		case 4:
			l.Event(bash(fmt.Sprint(i), agent, ask, text(4)))
		case 5:
			l.Event(done(bash(fmt.Sprint(i), agent, ask, text(4)), strings.Repeat(text(10), 20), time.Second))
		case 6:
			l.Event(ui.Notice{Level: ui.Warning, Text: text(10)})
		case 7:
			id := fmt.Sprintf("a%d", i)
			l.Event(ui.AskStarted{Agent: strings.TrimPrefix(agent+"/jan", "/"), Ask: id, Parent: ask})
			asks = append(asks, id)
		}
	}
	return l
}
