package markdown

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/mini-me/mm/internal/ui"
)

// show draws a text with its styles as letters: "‹b:bold›".
func show(text string, width int) string {
	var d Doc
	d.Write(text)
	return d.show(width)
}

func (d *Doc) show(width int) string {
	var b strings.Builder
	for _, p := range d.Parts() {
		if p.Gap {
			b.WriteString("\n")
		}
		for _, l := range p.Layout(width, ansi.WcWidth) {
			for _, s := range l {
				b.WriteString(mark(s))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

func mark(s Span) string {
	names := ""
	for i, n := range "bis`luT-KSCN" {
		if s.Style&(1<<i) != 0 {
			names += string(n)
		}
	}
	if names == "" || names == "-" {
		return s.Text
	}
	return "‹" + names + ":" + s.Text + "›"
}

// TestGolden lays out testdata/*.md; MM_UPDATE=1 writes what comes out.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{60, 24} {
			golden := strings.TrimSuffix(f, ".md") + fmt.Sprintf(".%d.txt", width)
			got := show(string(src), width)
			if os.Getenv("MM_UPDATE") != "" {
				if err := os.WriteFile(golden, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, _ := os.ReadFile(golden)
			if got != string(want) {
				t.Errorf("%s at %d: got\n%s\nwant\n%s", f, width, got, want)
			}
		}
	}
}

func TestInline(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                            "plain",
		"**bold** and *it* and ***both***": "‹b:bold› and ‹i:it› and ‹bi:both›",
		"snake_case_name and _it_":         "snake_case_name and ‹i:it›",
		"2 * 3 * 4":                        "2 * 3 * 4",
		"~~gone~~ ~kept~":                  "‹s:gone› ~kept~",
		"`a*b*c` ``x`y``":                  "‹`:a*b*c› ‹`:x`y›",
		"`open":                            "`open",
		"[docs](https://x.org)":            "‹l:docs›‹u: (https://x.org)›",
		"[https://x.org](https://x.org)":   "‹l:https://x.org›",
		"see https://x.org/a_b_c.":         "see ‹l:https://x.org/a_b_c›.",
		"(https://x.org/a)":                "(‹l:https://x.org/a›)",
		"![cat](cat.png)":                  "🖼 ‹l:cat›‹u: (cat.png)›",
		"<https://x.org>":                  "‹l:https://x.org›",
		"a<br>b":                           "a\nb",
		"a < b && c > d":                   "a < b && c > d",
		"&lt;tag&gt; &nbsp;|&amp;":         "<tag> \u00a0|&",
		"&#27;[2J &#x202e;":                "&#27;[2J &#x202e;",
		`\*not\* \# \x`:                    `*not* # \x`,
		"a  \nb":                           "a\nb",
		"a\nb":                             "a\nb",
		"**open":                           "**open",
		"[x] and [y]":                      "[x] and [y]",
		"**a *b** c*":                      "‹i:a b c›",
	} {
		got := ""
		for _, s := range inline(in, 0) {
			got += mark(s)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestStreams: a text that comes in pieces looks as it does whole, at every moment.
func TestStreams(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.md")
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(2) {
			r := rand.New(rand.NewPCG(seed, 1))
			var d Doc
			for at := 0; at < len(src); {
				n := min(1+r.IntN(9), len(src)-at)
				d.Write(string(src[at : at+n]))
				at += n
				if got, want := d.show(40), show(string(src[:at]), 40); got != want {
					t.Fatalf("%s after %d bytes: got\n%s\nwant\n%s", f, at, got, want)
				}
			}
		}
	}
}

// TestEarlierPartsStay: what was laid out before the last part isn't touched by what comes.
func TestEarlierPartsStay(t *testing.T) {
	var d Doc
	src := strings.Repeat("- item **one**\n\npara\n\n```go\nx := 1\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n\n", 20)
	type seen struct {
		part *Part
		rev  int
	}
	var before []seen
	for _, r := range src {
		d.Write(string(r))
		for i, s := range before {
			if d.Parts()[i] != s.part || s.part.Rev != s.rev {
				t.Fatalf("part %d of %d has changed", i, len(d.Parts()))
			}
		}
		before = before[:0]
		if n := d.beforeLen; n > 1 {
			for _, p := range d.Parts()[:n-1] {
				before = append(before, seen{p, p.Rev})
			}
		}
	}
}

func FuzzLayout(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.md")
	for _, name := range files {
		src, _ := os.ReadFile(name)
		f.Add(string(src), 20, 7)
	}
	f.Fuzz(func(t *testing.T, src string, width, cut int) {
		src = ui.Clean(src)
		width = 8 + (width%200+200)%200
		whole := show(src, width)
		var d Doc
		if len(src) > 0 {
			cut = (cut%len(src) + len(src)) % len(src)
		} else {
			cut = 0
		}
		d.Write(src[:cut])
		d.Write(src[cut:])
		if len(src) < maxPart && d.show(width) != whole {
			t.Fatalf("in two pieces %q looks else: got\n%s\nwant\n%s", src, d.show(width), whole)
		}
		for _, p := range d.Parts() {
			if p.Kind == Table {
				continue // columns have a least width
			}
			for _, l := range p.Layout(width, ansi.WcWidth) {
				if w := spansWidth(l, ansi.WcWidth); w > width {
					t.Fatalf("a line of %d cells at width %d: %v", w, width, l)
				}
			}
		}
	})
}

// TestLongTexts: no part is large, whatever comes.
func TestLongTexts(t *testing.T) {
	for name, src := range map[string]string{
		"words":  strings.Repeat("word ", 100_000),
		"stars":  strings.Repeat("*", 100_000),
		"ticks":  strings.Repeat("`a``", 50_000),
		"lines":  strings.Repeat("line\n", 100_000),
		"code":   "```\n" + strings.Repeat("x := 1\n", 50_000),
		"table":  "|a|b|\n|-|-|\n" + strings.Repeat("|1|2|\n", 50_000),
		"quotes": strings.Repeat(">", 10_000) + "x",
		"links":  strings.Repeat("[", 50_000),
	} {
		var d Doc
		d.Write(src)
		for _, p := range d.Parts() {
			if n := len(p.Source()); n > 2*maxPart {
				t.Errorf("%s: a part of %d bytes", name, n)
			}
			p.Layout(80, ansi.WcWidth)
		}
	}
}

// BenchmarkWrite takes an answer in as it streams, five bytes at a time.
func BenchmarkWrite(b *testing.B) {
	src, err := os.ReadFile("testdata/all.md")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		var d Doc
		for at := 0; at < len(src); at += 5 {
			d.Write(string(src[at:min(at+5, len(src))]))
		}
	}
}

// BenchmarkLayout lays an answer out for a terminal.
func BenchmarkLayout(b *testing.B) {
	src, err := os.ReadFile("testdata/all.md")
	if err != nil {
		b.Fatal(err)
	}
	var d Doc
	d.Write(string(src))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range d.Parts() {
			p.Layout(80, ansi.WcWidth)
		}
	}
}
