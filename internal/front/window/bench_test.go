package window

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
)

// large fills a window with a conversation of 50,000 lines: answers with lists and code, a team, calls
// whose output is unfolded.
func large(tb testing.TB, width, height int) *person {
	p := sit(tb, width, height, "", "- reply: hello")
	answer := "Some **text** about `things`, long enough to be wrapped once at the width that is used here, I hope.\n\n" +
		strings.Repeat("- an item with *stress*\n", 10) + "\n```go\n" + strings.Repeat("func f(x int) string { return \"text\" } // note\n", 20) + "```\n"
	output := strings.Repeat("some line of output with figures 12345\n", 80)
	p.emit(ui.AskStarted{Agent: "jan", Ask: "a1", Model: "small", Provider: "ollama"})
	for i := range 440 {
		ask, agent := "", ""
		if i%2 == 1 {
			ask, agent = "a1", "jan"
		}
		id := fmt.Sprint(i)
		call := consent.Call{ID: id, Agent: agent, Tool: "bash", Title: "make test", Kind: consent.KindExecute}
		p.emit(ui.Text{Ask: ask, Agent: agent, Message: id, Text: answer},
			ui.ToolCall{Call: call, Ask: ask, Status: ui.Completed, Output: output, Duration: time.Second})
	}
	p.m.log.ToggleAll()
	p.m.log.End()
	p.screen()
	return p
}

func (p *person) emit(events ...ui.Event) {
	for _, e := range events {
		p.q.Emit(e)
	}
	p.send(p.q.take())
}

// frames are the times of what a window did.
type frames []time.Duration

// frame does something, draws the screen, and notes how long both took.
func (f *frames) frame(p *person, do func()) {
	begun := time.Now()
	do()
	p.m.View()
	*f = append(*f, time.Since(begun))
}

func (f frames) report(b *testing.B) {
	slices.Sort(f)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(f[len(f)*99/100]), "p99-ms")
	b.ReportMetric(ms(f[len(f)-1]), "max-ms")
}

// work is what is measured: one step each time it is called.
func work(p *person) map[string]func(i int) {
	pieces := []string{"word ", "**bold** ", "`code`, ", "more\n", "- item ", "\n\n", "a longer piece of text "}
	return map[string]func(i int){
		"stream": func(i int) { p.emit(ui.Text{Message: fmt.Sprint("new", i/2000), Text: pieces[i%len(pieces)]}) },
		"scroll": func(i int) {
			if p.m.log.Percent() < 5 {
				p.m.log.End()
			}
			p.send(tea.KeyPressMsg(keyOf("pgup")))
		},
		"wheel": func(i int) { p.send(tea.MouseWheelMsg{X: 5, Y: 10, Button: tea.MouseWheelUp}) },
		"resize": func(i int) {
			p.send(tea.WindowSizeMsg{Width: 60 + i%100, Height: 20 + i%30})
		},
		"top and end": func(i int) { p.send(tea.KeyPressMsg(keyOf([]string{"ctrl+home", "ctrl+end"}[i%2]))) },
		"choose":      func(i int) { p.send(tea.KeyPressMsg(keyOf("ctrl+g"))) },
		"type":        func(i int) { p.send(tea.KeyPressMsg(keyOf("x"))) },
		"search":      func(i int) { p.m.log.Search([]string{"nowhere to be found", "12345"}[i%2]) },
	}
}

// BenchmarkFrame is Update and View in a conversation of 50,000 lines at 120×40.
func BenchmarkFrame(b *testing.B) {
	p := large(b, 120, 40)
	list := work(p)
	for _, name := range slices.Sorted(maps(list)) {
		b.Run(name, func(b *testing.B) {
			p.send(tea.WindowSizeMsg{Width: 120, Height: 40})
			p.m.log.Choose("")
			p.m.log.Search("")
			p.m.log.End()
			p.m.View()
			var f frames
			i := 0
			for b.Loop() {
				f.frame(p, func() { list[name](i) })
				i++
			}
			f.report(b)
		})
	}
}

func maps(m map[string]func(int)) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// TestNoFrameIsSlow: in 50,000 lines, no frame takes 50 ms of the window's time.
func TestNoFrameIsSlow(t *testing.T) {
	p := large(t, 120, 40)
	if n := len(p.m.log.View(1 << 20)); n < 50_000 {
		t.Fatalf("the conversation has %d lines", n)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for name, do := range work(p) {
		worst := time.Duration(0)
		for i := range 400 {
			if name == "search" && i == 10 {
				break
			}
			begun := threadTime()
			do(i)
			p.m.View()
			worst = max(worst, threadTime()-begun)
		}
		t.Logf("%s: %v at most", name, worst)
		if worst > 50*time.Millisecond && !raceEnabled {
			t.Errorf("%s: a frame of %v", name, worst)
		}
	}
}

// BenchmarkMemory tells what 50,000 lines take: as they came, and with what was drawn of them.
func BenchmarkMemory(b *testing.B) {
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for b.Loop() {
		before := heap()
		p := large(b, 120, 40)
		b.ReportMetric(float64(heap()-before)/(1<<20), "MiB")
		for range 3000 {
			p.keys("pgup")
		}
		b.ReportMetric(float64(heap()-before)/(1<<20), "MiB-scrolled")
		runtime.KeepAlive(p)
	}
}

// BenchmarkProgram is the whole program with bubbletea's renderer: 200 updates a second in 50,000 lines,
// and what that takes of one processor.
func BenchmarkProgram(b *testing.B) {
	p := large(b, 120, 40)
	ctx, cancel := context.WithCancel(b.Context())
	keys, typed := io.Pipe()
	p.m.run.ctx = ctx
	screen, err := os.Create(os.DevNull)
	if err != nil {
		b.Fatal(err)
	}
	var show sync.WaitGroup
	show.Go(func() {
		if err := p.m.run.show(p.m, Options{In: keys, Out: screen, Colour: true, Env: []string{"TERM=xterm-256color"}, Width: 120, Height: 40}); err != nil {
			b.Error(err)
		}
	})
	used, begun, n := processTime(), time.Now(), 0
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	b.ResetTimer()
	for b.Loop() {
		<-tick.C
		p.q.Emit(ui.Text{Message: fmt.Sprint("s", n/1000), Text: "word and **more** "})
		n++
	}
	b.StopTimer()
	b.ReportMetric(100*float64(processTime()-used)/float64(time.Since(begun)), "cpu-%")
	b.ReportMetric(float64(n)/time.Since(begun).Seconds(), "updates/s")
	cancel()
	_ = typed.Close()
	show.Wait()
}
