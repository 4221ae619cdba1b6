package mcp_test

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/tools/mcp"
)

func TestDeclaredTools(t *testing.T) {
	b := newFake(t, "", mcp.Options{Names: mcp.NewNames("fake_work")})
	got := b.names()
	if len(got) != 3 || got[0] != "fake_a_b" || !regexp.MustCompile(`^fake_a_b_[0-9a-f]{8}$`).MatchString(got[1]) ||
		!regexp.MustCompile(`^fake_work_[0-9a-f]{8}$`).MatchString(got[2]) {
		t.Errorf("names %q", got)
	}
	list := b.servers.Tools(t.Context())
	spec := list[2].Spec()
	const schema = `{"type":"object","properties":{"zeal":{"type":"string"},"amount":{"type":"integer"}},"required":["zeal"]}`
	if string(spec.Parameters) != schema || spec.Description != "Does <some> work" {
		t.Errorf("%s\nwant %s\n%q", spec.Parameters, schema, spec.Description)
	}
	if spec.Counter.Icon != "🧩" || spec.Counter.Noun != "mcp call" || spec.SideBySide {
		t.Errorf("%+v", spec)
	}
	if d := list[0].Spec().Description; d != "a b, a tool of the MCP server fake" {
		t.Errorf("%q", d)
	}
	again := b.servers.Tools(t.Context())
	if &again[0] != &list[0] || b.servers.Generation() != 1 {
		t.Error("the list was made anew though nothing changed")
	}
	if w := b.servers.Warnings(); len(w) != 1 || w[0] != "MCP server fake: later can only be called as a task, which mm doesn't do: it isn't declared" {
		t.Errorf("%q", w)
	}
	if w := b.servers.Warnings(); len(w) != 0 {
		t.Errorf("told twice: %q", w)
	}
	if s := b.servers.Status(); s[0].String() != "fake (3 tools)" {
		t.Errorf("%v", s)
	}
}

func TestLongNames(t *testing.T) {
	server := strings.Repeat("long", 20)
	b := newBench(t, mcp.Options{Servers: []mcp.Server{fakeServer(server, "", ""), fakeServer("my server", "", "")}})
	seen := map[string]bool{}
	for _, name := range b.names() {
		if !regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`).MatchString(name) || seen[name] {
			t.Errorf("%q", name)
		}
		seen[name] = true
	}
	if !seen["my_server_work"] || len(seen) != 6 {
		t.Errorf("%v", seen)
	}
}

func TestPermission(t *testing.T) {
	ask := fakeServer("careful", "", "")
	ask.Ask, ask.Tools = true, []string{"work", "wrok"}
	b := newBench(t, mcp.Options{Servers: []mcp.Server{ask, fakeServer("free", "", "")}})
	if p := b.plan("careful_work", `{"zeal":"1"}`); p.Asks != consent.Always {
		t.Errorf("%+v", p)
	}
	p := b.plan("free_work", `{ "zeal": "1" }`)
	if p.Asks != consent.UnlessYolo || p.Title != `{"zeal":"1"}` || p.Line != `🧩 free_work: {"zeal":"1"}` || p.Kind != consent.KindOther {
		t.Errorf("%+v", p)
	}
	if p := b.plan("free_a_b", ``); p.Title != "free_a_b" || p.Line != "🧩 free_a_b" {
		t.Errorf("%+v", p)
	}
	if got := b.names(); len(got) != 4 || got[0] != "careful_work" {
		t.Errorf("%q", got)
	}
	if w := b.servers.Warnings(); !slices.Contains(w, `MCP server careful: no tool "wrok" — it has: a b, a.b, later, work`) {
		t.Errorf("%q", w)
	}
}

func TestArgumentsAreCheckedAgainstTheOriginal(t *testing.T) {
	b := newFake(t, "", mcp.Options{})
	for args, text := range map[string]string{
		`{"zeal":"12"}`:              "",
		`{"zeal":"much"}`:            "[fake_work: the arguments don't fit: at /zeal: pattern: \"much\" does not match regular expression \"^\\\\d+$\"]",
		`{"amount":3}`:               `[fake_work: the arguments don't fit: required: missing properties: ["zeal"]]`,
		`{"zeal":"1","amount":"10"}`: `[fake_work: the arguments don't fit: at /amount: type: 10 has type "string", want "integer"]`,
		`["zeal"]`:                   "[fake_work: the arguments must be a JSON object]",
		`{"zeal":`:                   "[fake_work: the arguments must be a JSON object]",
	} {
		if p := b.plan("fake_work", args); p.Refused != text {
			t.Errorf("%s: %q, want %q", args, p.Refused, text)
		}
	}
	want(t, b.call("fake_work", `{ "zeal" : "12" }`), false, `done {"zeal":"12"}`)
}

func TestListChanges(t *testing.T) {
	b := newFake(t, "changes", mcp.Options{})
	before := b.servers.Tools(t.Context())
	for i, tools := range []int{4, 3} {
		want(t, b.call("fake_work", `{"zeal":"1"}`), false, "changed")
		eventually(t, func() string {
			if n := len(b.servers.Tools(t.Context())); n != tools {
				return fmt.Sprintf("%d tools, want %d", n, tools)
			}
			return ""
		})
		if g := b.servers.Generation(); g != 2+i {
			t.Errorf("generation %d", g)
		}
	}
	if after := b.servers.Tools(t.Context()); !slices.Equal(before, after) {
		t.Error("tools that didn't change are new objects")
	}
	if b.starts() != 1 {
		t.Error("started again")
	}
}

func TestDiesDuringACall(t *testing.T) {
	b := newFake(t, "dies", mcp.Options{})
	for i := range 2 {
		want(t, b.call("fake_work", `{"zeal":"1"}`), true,
			"[fake_work: the MCP server fake ended during the call: exit status 4: panic: out of luck — whether the call had an effect isn't known; the next call starts it again]")
		if b.starts() != i+1 || len(b.names()) != 3 {
			t.Errorf("started %d times, tools %q", b.starts(), b.names())
		}
	}
	eventually(t, func() string {
		if s := b.servers.Status()[0]; s.String() != "fake (ended: exit status 4: panic: out of luck)" {
			return s.String()
		}
		return ""
	})
	if b.servers.Generation() != 1 {
		t.Error("its tools must stay as they were")
	}
}

func TestNeverAnswers(t *testing.T) {
	b := newFake(t, "dead", mcp.Options{Silence: 300 * time.Millisecond})
	b.servers.SetLimits(mcp.Limits{Ping: 200 * time.Millisecond})
	for i := range 2 {
		want(t, b.call("fake_work", `{"zeal":"1"}`), true,
			"[fake_work: no answer and no sign of progress for 300ms, and the MCP server fake doesn't answer at all — the next call starts it again]")
		if b.starts() != i+1 {
			t.Errorf("started %d times", b.starts())
		}
	}
}

// Whether a silent server lives is asked within the call; a cancel meanwhile says nothing about it.
func TestCancelWhileASilentServerIsAsked(t *testing.T) {
	b := newFake(t, "dead", mcp.Options{Silence: 100 * time.Millisecond})
	b.servers.SetLimits(mcp.Limits{Ping: 20 * time.Second})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !strings.Contains(b.noted(), "ping") {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	want(t, b.callIn(ctx, "fake_work", `{"zeal":"1"}`), true, "[fake_work: cancelled]")
	if s := b.servers.Status()[0]; s.State != mcp.Ready {
		t.Errorf("%v", s)
	}
}

func TestTooSlowButAlive(t *testing.T) {
	b := newFake(t, "slow", mcp.Options{Silence: 300 * time.Millisecond})
	b.servers.SetLimits(mcp.Limits{Ping: 20 * time.Second})
	for range 2 {
		want(t, b.call("fake_work", `{"zeal":"1"}`), true,
			"[fake_work: no answer and no sign of progress for 300ms, so the call was given up; the MCP server fake itself still answers]")
	}
	eventually(t, func() string {
		if n := strings.Count(b.noted(), "cancelled"); n != 2 || b.starts() != 1 {
			return b.noted()
		}
		return ""
	})
}

func TestProgressKeepsACallAlive(t *testing.T) {
	b := newFake(t, "progress", mcp.Options{Silence: 2 * time.Second})
	want(t, b.call("fake_work", `{"zeal":"1"}`), false, "at last")
	if n := b.host.alive.Load(); n < 10 {
		t.Errorf("%d signs of life", n)
	}
}

func TestCancel(t *testing.T) {
	b := newFake(t, "slow", mcp.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for !strings.Contains(b.noted(), "call work") {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	want(t, b.callIn(ctx, "fake_work", `{"zeal":"1"}`), true, "[fake_work: cancelled]")
	eventually(t, func() string {
		if !strings.Contains(b.noted(), "cancelled") {
			return "the server wasn't told"
		}
		return ""
	})
}

func TestNeverStarts(t *testing.T) {
	b := newFake(t, "mute", mcp.Options{})
	b.servers.SetLimits(mcp.Limits{Prompt: 50 * time.Millisecond, Start: 2 * time.Second})
	begin := time.Now()
	if got := b.names(); len(got) != 0 {
		t.Errorf("%q", got)
	}
	if d := time.Since(begin); d > 1500*time.Millisecond {
		t.Errorf("the first prompt was held up for %v", d)
	}
	if s := b.servers.Status()[0]; s.String() != "fake (starting)" {
		t.Errorf("%v", s)
	}
	b.failed("no answer within 2s")
}

// failed waits for the state and its warning.
func (b *bench) failed(reason string) {
	b.t.Helper()
	eventually(b.t, func() string {
		if s := b.servers.Status()[0]; s.State != mcp.Failed {
			return s.String()
		}
		return ""
	})
	if s := b.servers.Status()[0]; s.Reason != reason {
		b.t.Errorf("%q, want %q", s.Reason, reason)
	}
	if w := b.servers.Warnings(); len(w) != 1 || !strings.HasSuffix(w[0], reason) {
		b.t.Errorf("%q", w)
	}
}

func TestCantStart(t *testing.T) {
	t.Run("exits", func(t *testing.T) {
		newFake(t, "exits", mcp.Options{}).start().failed("exit status 3: no key: set FAKE_KEY")
	})
	t.Run("no such program", func(t *testing.T) {
		b := newBench(t, mcp.Options{Servers: []mcp.Server{{Name: "x", Command: "no-such-program"}}})
		b.start().failed("no-such-program: not found on the PATH")
	})
	t.Run("not a server", func(t *testing.T) {
		b := newBench(t, mcp.Options{Servers: []mcp.Server{{Name: "x", Command: "sh", Args: []string{"-c", "echo Hello, person; exit 0"}}}})
		b.start().failed("exit status 0: it wrote to stdout, where only the protocol belongs: Hello, person")
	})
}

func (b *bench) start() *bench {
	b.servers.Start()
	return b
}

func TestFailedStartIsTriedAgain(t *testing.T) {
	b := newFake(t, "second", mcp.Options{})
	b.servers.SetLimits(mcp.Limits{Again: 100 * time.Millisecond})
	b.start().failed("exit status 3: no key: set FAKE_KEY")
	eventually(t, func() string {
		if len(b.servers.Tools(t.Context())) == 0 {
			return "no tools"
		}
		return ""
	})
	if b.starts() != 2 {
		t.Errorf("started %d times", b.starts())
	}
}

func TestServersThatTalkTooMuch(t *testing.T) {
	for mode, text := range map[string]string{
		"noise": `done {"zeal":"1"}`,
		"flood": "after the flood",
		"long":  "[fake_work: the MCP server fake answers: its answer is longer than 16 MiB and wasn't read]",
	} {
		t.Run(mode, func(t *testing.T) {
			b := newFake(t, mode, mcp.Options{})
			for range 2 {
				want(t, b.call("fake_work", `{"zeal":"1"}`), mode == "long", text)
			}
			if b.starts() != 1 {
				t.Errorf("started %d times", b.starts())
			}
		})
	}
}

func TestFailedResults(t *testing.T) {
	want(t, newFake(t, "error", mcp.Options{}).call("fake_work", `{"zeal":"1"}`), true, "the disk is full")
	want(t, newFake(t, "refuses", mcp.Options{}).call("fake_work", `{"zeal":"1"}`), true, "[fake_work: the MCP server fake answers: no amount of work]")
}

func TestResultsAreCut(t *testing.T) {
	b := newFake(t, "", mcp.Options{MaxOutput: 10})
	want(t, b.call("fake_work", `{"zeal":"123456789"}`), false, "done {\"zea\n[... 15 more characters]")
}

func TestCallsSideBySide(t *testing.T) {
	b := newFake(t, "", mcp.Options{})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			want(t, b.call("fake_work", fmt.Sprintf(`{"zeal":"%d"}`, i)), false, fmt.Sprintf(`done {"zeal":"%d"}`, i))
		})
	}
	all.Wait()
}

func TestServersDontGetTheModelsKey(t *testing.T) {
	b := newFake(t, "", mcp.Options{Env: append(os.Environ(), "MM_API_KEY=sk-123456")})
	b.names()
	if !strings.Contains(b.noted(), `key=""`) {
		t.Error(b.noted())
	}
}

// A name that a person has allowed for the session must not pass to another tool.
func TestNamesStayWithTheirTools(t *testing.T) {
	names := mcp.NewNames()
	first := newBench(t, mcp.Options{Names: names, Servers: []mcp.Server{fakeServer("x", "", "")}})
	got := first.names()
	second := newBench(t, mcp.Options{Names: names, Servers: []mcp.Server{fakeServer("x", "", "")}})
	for _, name := range second.names() {
		if slices.Contains(got, name) {
			t.Errorf("%s stands for two tools", name)
		}
	}
	second.servers.Close()
	third := newBench(t, mcp.Options{Names: names, Servers: []mcp.Server{fakeServer("x", "", "")}})
	if slices.Equal(third.names(), got) {
		t.Error("names of a living server were given away")
	}
}

func TestServersOfTheSameName(t *testing.T) {
	b := newBench(t, mcp.Options{Servers: []mcp.Server{fakeServer("x", "", ""), fakeServer("x", "", "")}})
	if got := b.names(); len(got) != 6 || got[3] != "x-2_a_b" {
		t.Errorf("%q", got)
	}
}

// What a session's own servers are called depends on those of the agent file, not on other sessions.
func TestNamesOfSessions(t *testing.T) {
	above := mcp.NewNames()
	newBench(t, mcp.Options{Names: above, Servers: []mcp.Server{fakeServer("x", "", ""), fakeServer("y_a", "", "")}})
	var first []string
	for range 3 {
		names := above.Session()
		b := newBench(t, mcp.Options{Names: names, Servers: []mcp.Server{fakeServer("own", "", ""), fakeServer("x", "", ""), fakeServer("y.a", "", "")}})
		got := b.names()
		if first == nil {
			first = got
		}
		if len(got) != 9 || !slices.Equal(got, first) || got[0] != "own_a_b" || got[3] != "x-2_a_b" || got[6] != "y_a-2_a_b" {
			t.Errorf("%q", got)
		}
		if !names.Own("own_a_b") || above.Own("own_a_b") {
			t.Error("a session's names must be its own")
		}
	}
}
