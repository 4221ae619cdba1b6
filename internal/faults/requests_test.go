//go:build linux

package faults

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/mmtest"
)

// sideBySide is a team whose lead, told "both", asks two agents at once for the same command.
func sideBySide(t testing.TB) (*models, map[string]string) {
	m := newModels(t, func(a *llmtest.Answer, r *llmtest.Request) {
		last := r.Last()
		next, rest, _ := strings.Cut(last.Content, ": ")
		switch {
		case last.Content == "both":
			calls(a, "jan: run: echo of jan", "kim: run: echo of kim")
		case last.Content == "three":
			calls(a, "jan: run: echo a", "jan: run: echo b", "jan: run: echo c")
		case last.Role == "tool":
			a.Text(r.System() + " read " + last.Content)
		case next == "run":
			bash(a, rest)
		default:
			calls(a, next+": "+rest)
		}
	})
	return m, map[string]string{
		"mm.yaml":    m.agent("lead", "yolo: true\nmmConfigs:\n  jan: {path: jan.yaml, yolo: false}\n  kim: {path: kim.yaml, yolo: false}"),
		"jan.yaml":   m.agent("jan", "mmConfigs: {homer: homer.yaml}"),
		"kim.yaml":   m.agent("kim", ""),
		"homer.yaml": m.agent("homer", ""),
	}
}

// TestRequestsQueueInATerminal: one is shown at a time, with its place; the answer goes to its asker.
func TestRequestsQueueInATerminal(t *testing.T) {
	m, files := sideBySide(t)
	h := newHouse(t, racedMM(t), files)
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("both\n")
	first := x.Expect(`^🔐 (jan|kim) · bash: echo of (jan|kim)`)
	for !strings.Contains(x.Screen(), "kim/bash: echo of kim") || !strings.Contains(x.Screen(), "jan/bash: echo of jan") {
		x.Keys("/permissions\n") // until both wait
		x.Expect(`^🔐 (jan|kim) · bash: echo of (jan|kim)`)
	}
	x.Keys("/permissions\n")
	x.Expect(`^🔐 (jan|kim) · bash: echo of (jan|kim)  \(1 of 2\)$`)
	answer := map[bool]string{true: "a", false: "r"} // jan may, kim may not
	x.Keys("%s\n", answer[strings.Contains(first, "jan")])
	other := map[bool]string{true: "kim", false: "jan"}[strings.Contains(first, "jan")]
	x.Expect(`^🔐 ` + other + ` · bash: echo of ` + other + `$`)
	x.Keys("%s\n", answer[other == "jan"])
	x.Expect(`^lead read `)
	x.Expect(`^> `)
	want := []string{"jan read of jan\n", "kim read [command rejected by the user]"}
	if got := m.results("lead"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestAnAnswerForTheSession also answers those that wait under the same key, and no other.
func TestAnAnswerForTheSession(t *testing.T) {
	m, files := sideBySide(t)
	h := newHouse(t, racedMM(t), files)
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("three\n")
	x.Expect(`^🔐 jan · bash: echo `)
	x.Keys("s\n")
	x.Expect(`^lead read `)
	x.Expect(`^> `)
	if got := m.results("lead"); !slices.Equal(got, []string{"jan read a\n", "jan read b\n", "jan read c\n"}) {
		t.Errorf("%q", got)
	}
	x.Keys("/permissions\n")
	x.Expect(`^allowed in this session: jan/bash$`)
	x.Expect(`^> `)
	for _, other := range []string{"/ask-kim run: echo x", "/ask-jan homer: run: echo x"} {
		x.Keys("%s\n", other)
		x.Expect(`^🔐 `)
		x.Keys("/abort\n")
		x.Expect(`^> `)
	}
	if n := strings.Count(x.Screen(), "🔐 jan · bash"); n != 1 {
		t.Errorf("jan's commands were asked about %d times", n)
	}
	x.Keys("/quit\n")
	x.Exits(0)
}

// victims are the agents whose death withdraws the request of the command two levels down.
var victims = map[string]string{"homer.yaml": "homer", "jan.yaml": "jan"}

// TestTheAskersDeathWithdraws: in a terminal and in an editor, at both levels.
func TestTheAskersDeathWithdraws(t *testing.T) {
	for file, name := range victims {
		t.Run(name+" in a terminal", func(t *testing.T) {
			_, files := sideBySide(t)
			h := newHouse(t, racedMM(t), files)
			x := h.terminal()
			x.Expect(`^> `)
			x.Keys("/ask-jan homer: run: echo x\n")
			x.Expect(`^🔐 jan · ask_agent: homer`)
			x.Keys("a\n")
			x.Expect(`^🔐 jan · homer · bash: echo x$`)
			kill(h.Find("-acp", file))
			x.Expect(`\(withdrawn\)`)
			failed := "[ask_agent: " + name + " failed: ended (signal: killed)]" // told by others, perhaps before
			mmtest.Wait(t, failed, func() bool { return strings.Contains(x.Screen(), failed) })
			x.Expect(`^> `)
			x.Keys("/permissions\n")
			x.Expect(`^nothing is remembered and nothing waits$`)
			x.Keys("/quit\n")
			x.Exits(0)
		})
		t.Run(name+" in an editor", func(t *testing.T) {
			_, files := sideBySide(t)
			h := newHouse(t, racedMM(t), files)
			asked, withdrawn := make(chan struct{}, 1), make(chan struct{}, 1)
			c, r := h.client(clientOptions{permission: func(ctx context.Context, p acp.RequestPermissionRequest) acp.RequestPermissionResponse {
				if strings.Contains(fmt.Sprint(p.ToolCall.Title), "homer") && p.ToolCall.Name == "ask_agent" {
					return acp.Selected("allow_once")
				}
				asked <- struct{}{}
				<-ctx.Done()
				withdrawn <- struct{}{}
				return acp.PermissionCancelled()
			}})
			done := c.prompt(c.newSession(), "/ask-jan homer: run: echo x")
			<-asked
			kill(h.Find("-acp", file))
			<-withdrawn
			if a := c.ended(done); a.err != nil {
				t.Error(a.err)
			}
			c.hangUp()
			r.exits(0)
		})
	}
}

// TestAWaitingRequestBlocksNobody: neither another session nor another ask of the same agent.
func TestAWaitingRequestBlocksNobody(t *testing.T) {
	_, files := sideBySide(t)
	h := newHouse(t, racedMM(t), files)
	asked := make(chan struct{}, 1)
	c, r := h.client(clientOptions{permission: func(ctx context.Context, p acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		if strings.Contains(p.ToolCall.Title, "never") {
			asked <- struct{}{}
			<-ctx.Done()
			return acp.PermissionCancelled()
		}
		return acp.Selected("allow_once")
	}})
	one, two := c.newSession(), c.newSession()
	waiting := c.prompt(one, "/ask-jan run: echo never")
	<-asked
	for range 3 {
		if a := c.ended(c.prompt(two, "/ask-jan run: echo hi")); a.err != nil || a.reason != acp.StopEndTurn {
			t.Errorf("%+v", a)
		}
	}
	three := c.newSession()
	if a := c.ended(c.prompt(three, "/ask-jan homer: run: echo hi")); a.err != nil {
		t.Error(a.err)
	}
	c.cancel(one)
	if a := c.ended(waiting); a.reason != acp.StopCancelled {
		t.Errorf("%+v", a)
	}
	c.hangUp()
	r.exits(0)
}

// TestAForeignAgentDiesAsking: its question goes with it.
func TestAForeignAgentDiesAsking(t *testing.T) {
	h := newHouse(t, racedMM(t), withFake(t, "", "yolo: false"))
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("/ask-fake dies\n")
	x.Expect(`^🔐 fake · sh: make mischief$`)
	_ = syscall.Kill(h.running("asked"), syscall.SIGKILL)
	x.Expect(`\(withdrawn\)`)
	x.Expect(`\[ask_agent: fake failed: ended \(signal: killed\)\]`)
	x.Expect(`^> `)
	x.Keys("/ask-fake permission\n")
	x.Expect(`^🔐 fake · sh: make mischief$`)
	x.Keys("n\n")
	x.Expect(`^3$`) // what reject_once is called there
	x.Keys("/quit\n")
	x.Exits(0)
}
