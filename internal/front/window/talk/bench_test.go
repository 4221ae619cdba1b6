package talk

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/mini-me/mm/internal/ui"
)

// large is a conversation of 50,000 lines at 100 cells: answers with code and lists, and calls with
// their output unfolded.
func large(tb testing.TB) *Log {
	l := log(100)
	answer := "Some **text** about `things`, long enough to be wrapped once at the width that is used here, I hope.\n\n" +
		strings.Repeat("- an item with *stress*\n", 10) + "\n```go\n" + strings.Repeat("func f(x int) string { return \"text\" } // note\n", 20) + "```\n"
	output := strings.Repeat("some line of output with figures 12345\n", 80)
	for i := range 440 {
		l.Event(ui.Text{Message: fmt.Sprint(i), Text: answer})
		l.Event(done(bash(fmt.Sprint(i), "", "", "make test"), output, time.Second))
	}
	l.ToggleAll()
	return l
}

func TestLargeIsLarge(t *testing.T) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l := large(t)
	runtime.GC()
	runtime.ReadMemStats(&after)
	fresh := after.HeapAlloc - before.HeapAlloc
	n := len(l.View(1 << 20))
	if n < 50_000 {
		t.Errorf("%d lines", n)
	}
	l.View(40)
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(l)
	t.Logf("%d lines: %d KiB before they are shown, %d KiB after", n, fresh>>10, (after.HeapAlloc-before.HeapAlloc)>>10)
}

func BenchmarkView(b *testing.B) {
	l := large(b)
	b.Run("same", func(b *testing.B) {
		for b.Loop() {
			l.View(40)
		}
	})
	b.Run("scroll", func(b *testing.B) {
		l.End()
		for b.Loop() {
			l.Page(-1)
			l.View(40)
			if l.Percent() == 0 {
				l.End()
			}
		}
	})
	b.Run("resize", func(b *testing.B) {
		l.End()
		w := 60
		for b.Loop() {
			if w++; w > 180 {
				w = 60
			}
			l.Layout(w, ansi.WcWidth)
			l.View(40)
		}
	})
	b.Run("stream", func(b *testing.B) {
		l.Layout(100, ansi.WcWidth)
		i := 0
		for b.Loop() {
			i++
			l.Event(ui.Text{Message: "new", Text: [...]string{"word ", "**bold** ", "`code` ", "\n", "- item "}[i%5]})
			l.View(40)
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			l.Search("nowhere to be found")
		}
	})
}
