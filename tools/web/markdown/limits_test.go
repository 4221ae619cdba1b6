package markdown

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// hostile are pages made to cost more than their size, as a function of about how many bytes they
// have.
var hostile = []struct {
	name string
	page func(size int) string
}{
	{"nested div", func(n int) string { return nested("<div>", "text", "</div>", n) }},
	{"nested div, open", func(n int) string { return strings.Repeat("<div>", n/5) + "text" }},
	{"open b", func(n int) string { return strings.Repeat("<b>", n/3) + "text" }},
	{"open b in paragraphs", func(n int) string { return strings.Repeat("<b><p>x", n/7) }},
	{"different open b, many paragraphs", func(n int) string {
		var b strings.Builder
		for i := range 400 {
			fmt.Fprintf(&b, "<b id=%d>", i)
		}
		return b.String() + strings.Repeat("<p>x", n/4)
	}},
	{"different open tags, hidden and not", func(n int) string {
		var b strings.Builder
		for _, tag := range []string{"b", "i", "u", "s", "em", "font", "big", "small", "tt", "code", "strong", "strike"} {
			for _, attr := range []string{"", " hidden", " class=ad"} {
				b.WriteString(strings.Repeat("<"+tag+attr+">", 5))
			}
		}
		return b.String() + strings.Repeat("<p>x", n/4)
	}},
	{"closed where it doesn't count", func(n int) string {
		return strings.Repeat("<b><i><table><tr><td></i></b></table>", 200) + strings.Repeat("<p>x", n/4)
	}},
	{"misnested", func(n int) string { return strings.Repeat("<b><i>x</b>y</i>", n/16) }},
	{"nested quotes", func(n int) string { return strings.Repeat("<blockquote>", 200) + strings.Repeat("<p>x", n/4) }},
	{"nested lists", func(n int) string {
		return strings.Repeat("<ol start=99999999><li>", 200) + strings.Repeat("<p>x", n/4)
	}},
	{"nested tables", func(n int) string { return nested("<table><tr><td>", "text", "</td></tr></table>", n) }},
	{"merged cells", func(n int) string {
		return strings.Repeat("<table><tr><td colspan=1000 rowspan=60000>x<tr><tr></table>", n/57)
	}},
	{"one merged cell", func(n int) string {
		return "<table><tr><td colspan=1000 rowspan=1000>" + strings.Repeat("x", n/2) + strings.Repeat("<tr>", n/8)
	}},
	{"rows below merged cells", func(n int) string {
		return "<table><tr><td colspan=1000 rowspan=65534>x" + strings.Repeat("<tr>", n/4)
	}},
	{"long header", func(n int) string { return "<table><tr>" + strings.Repeat("<td>", n/8) + strings.Repeat("<tr>", n/8) }},
	{"nested pointed at", func(n int) string {
		return strings.Repeat("<div class=ad>", 200) + strings.Repeat("<p>x", n/4) + "<h1>t</h1>"
	}},
	{"one tag of attributes", func(n int) string { return "<p" + strings.Repeat(" a", n/2) + ">x" }},
	{"one attribute", func(n int) string { return "<a href='" + strings.Repeat("((", n/2) + "'>x</a>" }},
	{"long href, many links", func(n int) string { return strings.Repeat("<a href=../../../../x>y</a>", n/27) }},
	{"backticks", func(n int) string { return "<code>" + strings.Repeat("`x", n/2) + "</code>" }},
	{"marks", func(n int) string { return strings.Repeat("<b>.</b>x", n/9) }},
	{"moved marks", func(n int) string { return strings.Repeat("<b>y<i>.</i>!</b>x", n/18) }},
	{"one mark taken back", func(n int) string { return "<b>" + strings.Repeat(".", n) + "</b>x" }},
	{"breaks", func(n int) string { return "x" + strings.Repeat("<br>", n/4) + "y" }},
	{"blanks with marks", func(n int) string { return "x" + strings.Repeat("<b> </b><i> </i>", n/16) + "y" }},
	{"unended comment", func(n int) string { return strings.Repeat("<!--", n/4) }},
	{"unended scripts", func(n int) string { return strings.Repeat("<script><!--<script>", n/20) }},
	{"stray end tags", func(n int) string { return strings.Repeat("<div>", 400) + strings.Repeat("</x>", n/4) }},
	{"drawing", func(n int) string { return "<svg>" + strings.Repeat("<g>", n/8) + strings.Repeat("</x>", n/8) }},
	{"invisible", func(n int) string { return strings.Repeat("\u200b\u200d\ufe0f", n/9) + "x" }},
	{"options", func(n int) string { return "<select>" + strings.Repeat("<option>x", n/9) }},
	{"frames", func(n int) string { return strings.Repeat("<frameset>", n/10) }},
	{"templates", func(n int) string { return strings.Repeat("<template>", n/10) }},
	{"empty links", func(n int) string { return strings.Repeat("<a href=x></a>", n/14) }},
	{"open headings", func(n int) string { return strings.Repeat("<h1><ul><li>", n/12) }},
	{"pre in pre", func(n int) string { return strings.Repeat("<pre><p>", n/8) }},
	{"digits", func(n int) string { return strings.Repeat("1<b>1</b>", n/9) + "." }},
	{"underscores", func(n int) string { return strings.Repeat("_", n) }},
}

func nested(open, text, end string, size int) string {
	n := size / (len(open) + len(end))
	return strings.Repeat(open, n) + text + strings.Repeat(end, n)
}

// No page makes a conversion cost much more than its size. The bounds are wide, since machines
// differ; what they are for are factors of a hundred and more.
func TestHostilePages(t *testing.T) {
	const size = 1 << 18
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			page := h.page(size)
			for _, o := range []Options{{}, {Tables: Flatten, TaskList: true, Strikethrough: true, BaseURL: "https://x.example/a/b"}} {
				best := time.Hour
				for range 3 { // other work on the machine isn't the page's fault
					if best = min(best, cost(t, page, o)); best < 2*time.Second {
						break
					}
				}
				if best > 4*time.Second {
					t.Errorf("took %v", best)
				}
			}
		})
	}
}

// cost converts a page and returns how long it took.
func cost(t *testing.T, page string, o Options) time.Duration {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	md, err := Convert(strings.NewReader(page), o)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	allocated := int(after.TotalAlloc - before.TotalAlloc)
	t.Logf("%d KiB: %v, %d MiB allocated, %d KiB out", len(page)>>10, took.Round(time.Millisecond), allocated>>20, len(md)>>10)
	if allocated > 128<<20+400*len(page) || len(md) > 1<<20+40*len(page) {
		t.Errorf("%d bytes allocated, %d bytes of Markdown", allocated, len(md))
	}
	if !utf8.ValidString(md) {
		t.Error("not UTF-8")
	}
	return took
}

// The text of a page that is nested too deep is there, and what it hides is not.
func TestTooDeep(t *testing.T) {
	for _, open := range []string{"<div>", "<b>", "<span>", "<table><tr><td>", "<font color=1><center>", "<ul><li>", "<x-y>"} {
		page := strings.Repeat(open, 50_000) + "<p hidden>secret</p><nav>menu</nav><p>shown</p>" + "<div style='display:none'><div>secret</div>secret</div>end"
		md, err := Convert(strings.NewReader(page), Options{})
		if err != nil {
			t.Fatalf("%s: %v", open, err)
		}
		if !strings.Contains(md, "shown") || !strings.Contains(md, "end") || strings.Contains(md, "secret") || strings.Contains(md, "menu") {
			t.Errorf("%s: %q", open, md[max(0, len(md)-200):])
		}
	}
}
