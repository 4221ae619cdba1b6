//go:build linux

package faults

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/llm/llmtest"
	"github.com/mini-me/mm/internal/mmtest"
)

// cancelTeam is a lead whose turn "start" has everything under way at once that a cancel must reach:
// models that answer slowly and commands that run, one and two levels down, and permissions that
// wait, of an agent whose entry says so.
func cancelTeam(t testing.TB) (*models, map[string]string) {
	var m *models
	ready := make(chan struct{})
	m = newModels(t, func(a *llmtest.Answer, r *llmtest.Request) {
		<-ready
		who, last := r.System(), r.Last()
		switch {
		case last.Role == "tool":
			a.Text(who + " done")
		case last.Content == "warm":
			calls(a, "jan: homer warm", "kim: homer warm")
		case last.Content == "start":
			calls(a, "jan: think", "jan: run", "jan: homer think", "jan: homer run", "kim: run", "kim: homer run")
		case last.Content == "start without questions":
			calls(a, "jan: think", "jan: run", "jan: homer think", "jan: homer run")
		case strings.HasPrefix(last.Content, "homer "):
			a.Text(who + " asks. ")
			calls(a, "homer: "+strings.TrimPrefix(last.Content, "homer "))
		case last.Content == "think":
			a.Text(who + " begins")
			m.hang(a, who)
		case last.Content == "run":
			a.Text(who + " runs. ")
			bash(a, hang(who+"-runs", "exec sleep 300"))
		default:
			a.Text(who + " says " + last.Content)
		}
	})
	close(ready)
	team := "mmConfigs: {homer: homer.yaml}"
	return m, map[string]string{
		"mm.yaml":    m.agent("lead", "yolo: true\nmmConfigs:\n  jan: {path: jan.yaml, yolo: true}\n  kim: {path: kim.yaml, yolo: false}"),
		"jan.yaml":   m.agent("jan", team),
		"kim.yaml":   m.agent("kim", team),
		"homer.yaml": m.agent("homer", ""),
	}
}

// agents are the pids of all agents below, sorted.
func (h *house) agents() []int {
	var pids []int
	for _, p := range h.Members() {
		if strings.Contains(p.Line, " -acp ") {
			pids = append(pids, p.PID)
		}
	}
	slices.Sort(pids)
	return pids
}

// begun waits until all of the turn "start" is under way, but for the permissions.
func (h *house) begun(m *models) {
	h.t.Helper()
	m.hangs("jan", true)
	m.hangs("homer", true)
	h.running("jan-runs")
	h.running("homer-runs")
}

// cancelled checks that nothing of the turn "start" is left: no connection to a model, no command;
// and that the agents are those of before. It returns once that is so.
func (h *house) cancelled(m *models, warm []int) {
	h.t.Helper()
	m.hangs("jan", false)
	m.hangs("homer", false)
	mmtest.Wait(h.t, "the commands are gone", func() bool { return h.Count("sleep") == 0 && h.Count("--guard") == 0 })
	if now := h.agents(); !slices.Equal(now, warm) {
		h.t.Errorf("agents %v before, %v after the cancel", warm, now)
	}
	for _, name := range []string{"jan-runs", "homer-runs"} {
		if err := os.Remove(h.path(name)); err != nil {
			h.t.Error(err)
		}
	}
}

// partial checks what the lead's model reads of the turn that was cancelled.
func partial(t testing.TB, m *models) {
	t.Helper()
	const stopped = "\n[ask_agent: %[1]s stopped before finishing: cancelled]"
	for _, want := range []string{
		fmt.Sprintf("jan begins"+stopped, "jan"),
		fmt.Sprintf("jan runs. "+stopped, "jan"),
		fmt.Sprintf("jan asks. "+stopped, "jan"),
		fmt.Sprintf("kim runs. "+stopped, "kim"),
		fmt.Sprintf("kim asks. "+stopped, "kim"),
	} {
		if !slices.Contains(m.results("lead"), want) {
			t.Errorf("no result %q among %q", want, m.results("lead"))
		}
	}
	for _, agent := range []string{"lead", "jan", "kim", "homer"} {
		for _, r := range m.results(agent) {
			if strings.Contains(r, "rejected") {
				t.Errorf("%s was told %q: nobody rejected anything", agent, r)
			}
		}
	}
}

// TestCancelInATerminal: each key and word that cancels does the same, at every level.
func TestCancelInATerminal(t *testing.T) {
	m, files := cancelTeam(t)
	h := newHouse(t, racedMM(t), files)
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("warm\n")
	x.Expect(`^🔐 kim · ask_agent: homer — warm$`)
	x.Keys("s\n")
	x.Expect(`^lead done$`)
	warm := h.agents()
	for name, keys := range map[string]string{"Ctrl-C": "\x03", "/abort": "/abort\n"} {
		x.Expect(`^> `)
		x.Keys("start\n")
		x.Expect(`^🔐 kim · .*-runs.*$`)
		h.begun(m)
		start := time.Now()
		x.Keys("%s", keys)
		x.Expect(`\(withdrawn\)`)
		x.Expect(`^\[cancelled\]$`)
		took(t, "cancel by "+name+", all levels", time.Since(start))
		h.cancelled(m, warm)
		x.Expect(`^> `)
		x.Keys("/permissions\n")
		x.Expect(`^allowed in this session: kim/ask_agent$`)
		x.Expect(`^> `)
		x.Keys("and now?\n")
		x.Expect(`^lead says and now\?$`)
		partial(t, m)
	}
	x.Expect(`^> `)
	x.Keys("start without questions\n")
	h.begun(m)
	start := time.Now()
	x.Keys("hello\n") // a new question
	x.Expect(`^\[cancelled\]$`)
	took(t, "cancel by a new question, all levels", time.Since(start))
	x.Expect(`^lead says hello$`)
	h.cancelled(m, warm)
	x.Expect(`^> `)
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestCancelByAnEditor: session/cancel, and a second prompt.
func TestCancelByAnEditor(t *testing.T) {
	m, files := cancelTeam(t)
	h := newHouse(t, racedMM(t), files)
	withdrawn, asked := make(chan string, 64), make(chan string, 64)
	c, r := h.client(clientOptions{permission: func(ctx context.Context, p acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		var meta acp.PermissionMeta
		p.Meta.Get(acp.MetaKey, &meta)
		if meta.Key == "kim/ask_agent" {
			return acp.Selected("allow_always")
		}
		asked <- meta.Key
		<-ctx.Done()
		withdrawn <- meta.Key
		return acp.PermissionCancelled()
	}})
	id := c.newSession()
	c.ended(c.prompt(id, "warm"))
	warm := h.agents()
	for _, by := range []string{"session/cancel", "a second prompt"} {
		first := c.prompt(id, "start")
		key := <-asked
		h.begun(m)
		start := time.Now()
		var second <-chan answer
		if by == "session/cancel" {
			c.cancel(id)
		} else {
			second = c.prompt(id, "hello")
		}
		if got := <-withdrawn; got != key {
			t.Errorf("%s is withdrawn, %s was asked", got, key)
		}
		if a := c.ended(first); a.err != nil || a.reason != acp.StopCancelled {
			t.Errorf("%s: %+v", by, a)
		}
		took(t, "cancel by "+by+", all levels", time.Since(start))
		h.cancelled(m, warm)
		if second != nil {
			if a := c.ended(second); a.err != nil || a.reason != acp.StopEndTurn {
				t.Errorf("the second prompt: %+v", a)
			}
		} else {
			c.ended(c.prompt(id, "and now?"))
		}
		partial(t, m)
	}
	c.hangUp()
	r.exits(0)
}

// TestAnAgentThatIgnoresACancel is killed after 5 s, and started again by the next ask. Who asked it
// is not: it has a second more, and stays.
func TestAnAgentThatIgnoresACancel(t *testing.T) {
	t.Parallel()
	h := newHouse(t, racedMM(t), withFake(t, "", "yolo: true"))
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("let it say half; mark fake; silent\n")
	first := h.running("fake")
	h.running("silent")
	start := time.Now()
	x.Keys("/abort\n")
	x.Expect(`\[ask_agent: fake stopped before finishing: did not follow a cancel within 5s and was killed\]`)
	x.Expect(`^\[cancelled\]$`)
	took(t, "an agent that ignores a cancel is gone", h.goneAfter(start, first))
	_ = os.Remove(h.path("fake"))
	x.Expect(`^> `)
	x.Keys("let it say whole; mark fake\n")
	x.Expect(`^read: whole$`)
	if again := h.running("fake"); again == first {
		t.Errorf("%d is asked again", again)
	}
	x.Expect(`^> `)
	x.Keys("/quit\n")
	x.Exits(0)
}

// goneAfter waits until a process is gone.
func (h *house) goneAfter(start time.Time, pid int) time.Duration {
	h.t.Helper()
	mmtest.Wait(h.t, "the process is gone", func() bool { return !mmtest.Alive(pid) })
	return time.Since(start)
}

// TestAGrandchildThatIgnoresACancel is killed by the agent that asked it, which has the time for it.
func TestAGrandchildThatIgnoresACancel(t *testing.T) {
	t.Parallel()
	files := withFake(t, "", "")
	files["jan.yaml"], files["jan.s.yaml"] = strings.ReplaceAll(files["mm.yaml"], "s.yaml", "jan.s.yaml"), files["s.yaml"]
	files["mm.yaml"] = "provider: scripted\nscript: s.yaml\nmmConfigs: {jan: jan.yaml}\n"
	h := newHouse(t, racedMM(t), files)
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("/ask-jan let it say half; mark fake; silent\n")
	h.running("silent")
	jan := h.Find("-acp", "jan.yaml")
	start := time.Now()
	x.Keys("/abort\n")
	x.Expect(`^\[cancelled\]$`)
	took(t, "a grandchild that ignores a cancel is gone", h.goneAfter(start, h.running("fake")))
	x.Expect(`^> `)
	x.Keys("/ask-jan let it say whole\n")
	x.Expect(`^read: whole$`)
	if now := h.Find("-acp", "jan.yaml"); now != jan {
		t.Errorf("jan was %d and is %d: it had followed the cancel", jan, now)
	}
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestCancelWhileASessionIsMade: an agent that doesn't answer session/new doesn't hold up a cancel,
// and isn't kept.
func TestCancelWhileASessionIsMade(t *testing.T) {
	t.Parallel()
	h := newHouse(t, racedMM(t), withFake(t, sessionless+","+forking, ""))
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("/ask-fake hello\n")
	h.running(foreign)
	fake := h.Find(self(t), "--guard")
	start := time.Now()
	x.Keys("/abort\n")
	x.Expect(`^\[cancelled\]$`)
	if d := time.Since(start); d > mmtest.Promised {
		t.Errorf("the cancel took %v", d)
	}
	took(t, "an agent that doesn't answer session/new is gone after a cancel", h.goneAfter(start, fake))
	x.Expect(`^> `)
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestCancelBehindASlowTerminal: an agent that can't be heard, since our own terminal is paused, isn't
// killed for not following a cancel.
func TestCancelBehindASlowTerminal(t *testing.T) {
	t.Parallel()
	h := newHouse(t, racedMM(t), withFake(t, "", ""))
	x := h.terminal()
	x.Expect(`^> `)
	x.Keys("/ask-fake mark fake; flood 30000; say end\n")
	fake := h.running("fake")
	x.Expect(`^update 100 `)
	x.Pause()
	pause := time.NewTimer(6 * time.Second) // longer than an agent may take to follow
	x.Keys("/abort\n")
	<-pause.C
	if !mmtest.Alive(fake) {
		t.Error("the agent was killed")
	}
	x.Resume()
	x.Expect(`^\[cancelled\]$`)
	x.Expect(`^> `)
	x.Keys("/ask-fake say still here\n")
	x.Expect(`^still here$`)
	if !mmtest.Alive(fake) {
		t.Error("the agent was killed")
	}
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestCancelRightAfterTheStart: a cancel never overtakes the prompt it belongs to.
func TestCancelRightAfterTheStart(t *testing.T) {
	h := newHouse(t, racedMM(t), withFake(t, "", ""))
	c, r := h.client(clientOptions{})
	id := c.newSession()
	c.ended(c.prompt(id, "/ask-fake say warm"))
	fake := h.Find(self(t), "--guard")
	for i := range 50 {
		done := c.prompt(id, "/ask-fake hang")
		if i%2 == 1 {
			time.Sleep(time.Duration(i) * 100 * time.Microsecond) // another moment each time
		}
		c.cancel(id)
		if a := c.ended(done); a.reason != acp.StopCancelled && a.reason != acp.StopEndTurn {
			t.Fatalf("%+v", a)
		}
	}
	if !mmtest.Alive(fake) {
		t.Error("the agent was killed: it hasn't got a cancel")
	}
	c.hangUp()
	r.exits(0)
}
