//go:build linux

package faults

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/child"
	"github.com/mini-me/mm/internal/mmtest"
)

// withFake are agent files of an mm that can ask the misbehaving agent, which does something wrong
// from the start, or nothing. more is added to the file.
func withFake(t testing.TB, wrong, more string) map[string]string {
	return map[string]string{
		"mm.yaml": "provider: scripted\nscript: s.yaml\n" + more +
			fmt.Sprintf("\nmmConfigs:\n  fake: {command: %q, env: {%s: '%s'}}\n", self(t), agentEnv, wrong),
		"s.yaml": "- when: {user: \"^let it (.*)\"}\n  reply: [{call: {name: ask_agent, arguments: {agent: fake, prompt: \"$1\"}}}]\n" +
			"- when: {tool: \"(?s)(.*)\"}\n  reply: \"read: $1\"\n",
	}
}

// lines runs line mode on typed lines that are piped in.
func (h *house) lines(lines ...string) exited {
	h.t.Helper()
	cmd := h.command("--log", h.path("log"))
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	r := h.start(cmd)
	r.wait()
	return exited{r.cmd.ProcessState.ExitCode(), r.stdout.String(), r.stderr.String()}
}

func (h *house) file(name string) string {
	h.t.Helper()
	b, err := os.ReadFile(h.path(name))
	if err != nil {
		h.t.Fatal(err)
	}
	return string(b)
}

// report is the object of --output json.
type report struct {
	Answer     string `json:"answer"`
	StopReason string `json:"stop_reason"`
	ToolCalls  []struct {
		Agent, Tool, Title, Status string
		Exit                       *int `json:"exit_code"`
	} `json:"tool_calls"`
	Refused []struct{ Key, Title, Reason string } `json:"refused"`
	Errors  []struct{ Where, Message string }     `json:"errors"`
}

// json runs mm with --output json.
func (h *house) json(args ...string) (report, exited) {
	h.t.Helper()
	e := h.run(append(args, "--output", "json")...)
	var r report
	if err := json.Unmarshal([]byte(e.stdout), &r); err != nil {
		h.t.Errorf("%v: %s%s", err, mmtest.Clip(e.stdout), e.stderr)
	}
	return r, e
}

// TestMisbehavingAgents: each ask of an agent that does something wrong has an outcome with a name,
// and the next ask works.
func TestMisbehavingAgents(t *testing.T) {
	for _, c := range []struct {
		name, wrong, tricks string
		want                string // what the person reads
	}{
		{"banners, escape sequences and blank lines", banners, "say hello", "\nhello\n"},
		{"updates before the session is there", early, "say hello", "\nearly. hello\n"},
		{"ends within a message", "", "say half; midframe", "half\n[ask_agent: fake stopped before finishing: ended (exit status 0)]"},
		{"exits", "", "exit 3", "[ask_agent: fake failed: ended (exit status 3): last words]"},
		{"exits after some text", "", "say some; exit 3", "some\n[ask_agent: fake stopped before finishing: ended (exit status 3): last words]"},
		{"crashes", "", "panic", "[ask_agent: fake failed: crashed: panic: the agent's own]"},
		{"closes its output but lives", "", "close", "[ask_agent: fake failed: closed its output without ending]"},
		{"unknown kinds of updates", "", "kinds; say fine", "\nfine\n"},
		{"update of a call never announced", "", "orphan; say fine", "\nfine\n"},
		{"the same call twice", "", "duplicates; say fine", "\nfine\n"},
		{"unknown sessions and no ids", "", "ids; say fine", "\nfine\n"},
		{"megabytes on stderr", "", "stderr 8388608; say fine", "\nfine\n"},
		{"wants a login in the middle of it", logins, "say some; login",
			"some\n[ask_agent: fake stopped before finishing: needs a login: run `A='b c' " + nameOf(self(t)) + " login --now` in a terminal (Authentication required)]"},
		{"has no mode in which it asks", willful, "say hello", `fake is in mode "YOLO" and offers none in which it asks: it doesn't submit its calls to mm`},
		{"an error", "", "error it is Monday", "[ask_agent: fake failed: it is Monday]"},
		{"an answer with nothing in it", "", "say some; null", "[ask_agent: fake stopped before finishing: no stop reason]"},
		{"an unknown stop reason", "", "say some; stop banana", "[ask_agent: fake stopped before finishing: banana]"},
		{"no text", "", "stop end_turn", "[ask_agent: fake gave no answer]"},
		{"no options", "", "options []", "\ncancelled\n"},
		{"options of unknown kinds", "", `options [{"optionId":"x","name":"x","kind":"perhaps"},{"optionId":7}]`, "\ncancelled\n"},
		{"only for ever", "", `options [{"optionId":"always","name":"a","kind":"allow_always"}]`, "\nalways\n"},
		{"only no", "", `options [{"optionId":"no","name":"a","kind":"reject_once"}]`, "\nno\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHouse(t, racedMM(t), withFake(t, c.wrong, ""))
			e := h.lines("/ask-fake "+c.tricks, "/ask-fake say and on", "/quit")
			if e.status != 0 || !strings.Contains(e.stdout, c.want) {
				t.Errorf("status %d, want %q in:\n%s%s", e.status, c.want, mmtest.Clip(e.stdout), e.stderr)
			}
			if !strings.Contains(e.stdout, "and on\n") {
				t.Errorf("the next ask didn't work:\n%s", mmtest.Clip(e.stdout))
			}
		})
	}
}

// TestACallThatCannotBeAllowed: yolo allowed it, which was recorded, and the agent heard "cancelled".
func TestACallThatCannotBeAllowed(t *testing.T) {
	h := newHouse(t, racedMM(t), withFake(t, "", "yolo: true\naudit: audit\n"))
	h.lines("/ask-fake options []", "/quit")
	text := h.file("audit")
	list := decisions(t, text)
	if len(list) != 1 || list[0] != "fake/sh reject by agent" {
		t.Errorf("%q", text)
	}
}

// TestAgentsThatCannotBeUsed: why an agent doesn't get to work.
func TestAgentsThatCannotBeUsed(t *testing.T) {
	for wrong, want := range map[string]string{
		login + "," + logins: "[ask_agent: fake failed: needs a login: run `A='b c' " + nameOf(self(t)) + " login --now` in a terminal (Authentication required)]",
		login:                "[ask_agent: fake failed: needs a login: run `" + nameOf(self(t)) + "` once in a terminal (Authentication required)]",
		otherACP:             "[ask_agent: fake failed: speaks version 7 of ACP, mm speaks 1]",
	} {
		t.Run(wrong, func(t *testing.T) {
			h := newHouse(t, racedMM(t), withFake(t, wrong, ""))
			for range 2 { // it is tried anew each time
				if e := h.run("--ask", "fake", "hello"); e.status != 1 || e.stdout != "" || !strings.Contains(e.stderr, want) {
					t.Errorf("status %d, want %q in:\n%s%s", e.status, want, e.stdout, e.stderr)
				}
			}
		})
	}
	t.Run(mute, func(t *testing.T) {
		h := newHouse(t, mm(t), nil)
		start := time.Now()
		_, err := child.Start(t.Context(), child.Command{Name: "fake", Path: self(t), Env: h.env(agentEnv + "=" + mute + "," + stubborn),
			Executable: h.binary, StartTimeout: 100 * time.Millisecond})
		if err == nil || err.Error() != "did not answer initialize within 100ms" {
			t.Errorf("%v", err)
		}
		took(t, "an agent that doesn't answer initialize in 100 ms and doesn't want to end is gone", h.Gone(start))
	})
}

func nameOf(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// TestRequestAfterTheTurn: nobody asked for anything any more; it is rejected, and doesn't wait for
// ever.
func TestRequestAfterTheTurn(t *testing.T) {
	h := newHouse(t, racedMM(t), withFake(t, "", ""))
	x := h.terminal()
	for i := range 10 {
		x.Expect(`^> `)
		_ = os.Remove(h.path("after"))
		x.Keys("/ask-fake say turn %d; after\n", i)
		x.Expect(fmt.Sprintf("^turn %d$", i))
		mmtest.Wait(t, "the request is answered", func() bool { _, err := os.Stat(h.path("after")); return err == nil })
		if got := h.file("after"); got != "3" && got != "cancelled" {
			t.Fatalf("answered %q", got)
		}
	}
	x.Keys("/quit\n")
	x.Exits(0)
}

// TestAgentsArePutIntoTheirAskingMode: an agent that would do as it likes is set up to ask before it
// gets its task, by a mode or, where it has none, by the config option that newer agents have.
func TestAgentsArePutIntoTheirAskingMode(t *testing.T) {
	for offers, want := range map[string]string{
		modes:                  "session/set_mode default ",
		settings:               "session/set_config_option permissions default",
		modes + "," + settings: "session/set_mode default ",
	} {
		t.Run(offers, func(t *testing.T) {
			h := newHouse(t, racedMM(t), withFake(t, offers, ""))
			if e := h.run("--ask", "fake", "say hello"); e.status != 0 || e.stdout != "hello\n" {
				t.Errorf("status %d: %s%s", e.status, e.stdout, e.stderr)
			}
			if got := h.file("setup"); got != want {
				t.Errorf("set up by %q, want %q", got, want)
			}
		})
	}
}

// TestAgentsThatActWithoutAskingAreMarked: "mm agents" tells of them until they ask, as one does that
// was set to.
func TestAgentsThatActWithoutAskingAreMarked(t *testing.T) {
	h := newHouse(t, racedMM(t), withFake(t, "", ""))
	for _, c := range []struct {
		does   string
		marked bool
	}{
		{"say hello", false},
		{"duplicates", true}, // a command that it ran
		{"say hello", true},
		{"permission", false},
		{"permission; duplicates", true},
		{"duplicates; permission", true},
		{"permission", false},
	} {
		h.run("--ask", "fake", c.does)
		e := h.run("agents")
		if marked := strings.Contains(e.stdout, "acts without asking"); marked != c.marked {
			t.Errorf("after %q it is marked: %v\n%s%s", c.does, marked, e.stdout, e.stderr)
		}
	}
}

// TestOpenCallsAreEnded: calls that an agent began and didn't end don't stay open for the asker.
func TestOpenCallsAreEnded(t *testing.T) {
	for name, end := range map[string]string{"the turn ends": "say done", "the agent dies": "exit 1"} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, racedMM(t), withFake(t, "", ""))
			r, _ := h.json("--ask", "fake", "open 3; "+end)
			if len(r.ToolCalls) != 3 {
				t.Fatalf("%+v", r.ToolCalls)
			}
			for _, c := range r.ToolCalls {
				if c.Status != "failed" {
					t.Errorf("%+v", c)
				}
			}
		})
	}
}

// TestCallsAreToldApart: calls with the same id, or none, are counted for what they are.
func TestCallsAreToldApart(t *testing.T) {
	h := newHouse(t, racedMM(t), withFake(t, "", ""))
	r, _ := h.json("--ask", "fake", "orphan; duplicates; say done")
	got := []string{}
	for _, c := range r.ToolCalls {
		got = append(got, c.Title+" "+c.Status)
	}
	if strings.Join(got, "; ") != "orphan completed; twice completed" {
		t.Errorf("%q", got)
	}
}
