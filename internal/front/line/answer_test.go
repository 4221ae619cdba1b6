package line

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/internal/front/line/prompt"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/internal/ui/markdown"
)

const sample = "# Heading\n\nA **bold** and `code` paragraph that is long enough to be wrapped, with 日本語 and 👩‍💻.\n\n" +
	"- one\n- two with *more*\n  - deep\n\n```go\nfunc main() { // x\n\tprintln(\"hi\")\n}\n```\n\n> a quote\n\n1. first\n2. second\n\n" +
	"| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 日本 |\n\nThe end\nof it."

// whole lays a text out at once.
func whole(text string, width int) []string {
	var d markdown.Doc
	d.Write(text)
	var out []string
	for i, p := range d.Parts() {
		if p.Gap && i > 0 {
			out = append(out, "")
		}
		for _, l := range p.Layout(width, ansi.WcWidth) {
			out = append(out, render(l))
		}
	}
	return out
}

// TestStreamedAnswers: however an answer is cut into pieces, what is printed in the end is what the
// whole text looks like, and what is open never takes more rows than it may.
func TestStreamedAnswers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 100 {
		width, room := 20+r.IntN(80), 3+r.IntN(20)
		var a answer
		var printed []string
		for rest := sample; rest != ""; {
			n := min(1+r.IntN(12), len(rest))
			for n < len(rest) && rest[n]&0xc0 == 0x80 {
				n++
			}
			got, open := a.write(rest[:n], width, room, ansi.WcWidth)
			rest = rest[n:]
			printed = append(printed, got...)
			if len(open) > room {
				t.Fatalf("%d rows are open, there is room for %d", len(open), room)
			}
		}
		printed = append(printed, a.end(width, ansi.WcWidth)...)
		if room < 8 {
			continue // a table or code that was printed row by row may be laid out otherwise
		}
		if d := cmp.Diff(whole(sample, width), printed); d != "" {
			t.Fatalf("width %d, room %d (-want +got):\n%s", width, room, d)
		}
	}
}

// TestNothingIsLost: the words of an answer are all printed, also where there is little room.
func TestNothingIsLost(t *testing.T) {
	var out bytes.Buffer
	o := Options{Out: &out, Colour: true, Terminal: true, Now: time.Now}
	p := newPrinter(o)
	p.live = &live{s: newScreen(&out, 30, 8, true), size: func() (int, int) { return 30, 8 }}
	p.show("> ", prompt.New(nil, nil).View("> ", 30, 4, ansi.WcWidth), false)
	out.Reset()
	var words []string
	for i := range 2000 {
		w := "w" + strings.Repeat("x", i%7) + string(rune('a'+i%26))
		words = append(words, w)
		p.Emit(ui.Text{Text: w + " "})
	}
	p.Emit(ui.TurnEnded{Summary: "end"})
	p.leave()
	// What scrolled away plus what stands at the end, read from the lines that were printed above.
	shown := ansi.Strip(out.String())
	at := 0
	for _, w := range words {
		i := strings.Index(shown[at:], w)
		if i < 0 {
			t.Fatalf("%q isn't shown in its place", w)
		}
		at += i
	}
}

// BenchmarkStream is a piece of a long answer, drawn with all that is open.
func BenchmarkStream(b *testing.B) {
	var out bytes.Buffer
	p := newPrinter(Options{Out: &out, Colour: true, Terminal: true, Now: time.Now})
	p.live = &live{s: newScreen(&out, 80, 40, true), size: func() (int, int) { return 80, 40 }}
	pieces := strings.SplitAfter(strings.Repeat(sample+"\n\n", 50), " ")
	n := 0
	for b.Loop() {
		p.Emit(ui.Text{Text: pieces[n%len(pieces)]})
		n++
		if out.Len() > 1<<20 {
			out.Reset()
		}
	}
	b.ReportMetric(float64(len(pieces)), "pieces")
}
