//go:build unix

package hooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/mini-me/mm/hooks"
	"github.com/mini-me/mm/internal/proc"
)

func TestMain(m *testing.M) {
	proc.Main()
	goleak.VerifyTestMain(m)
}

// runner returns a Runner whose hooks run under a guard, in a folder of their own.
func runner(t *testing.T, k hooks.Kind, list ...hooks.Hook) *hooks.Runner {
	t.Helper()
	r, err := hooks.New(map[string][]hooks.Hook{string(k): list}, hooks.Options{Dir: t.TempDir(), Guard: os.Args[0]})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func command(c string) hooks.Hook { return hooks.Hook{Command: c} }

// event returns an event that all hooks without a match run for.
func event(k hooks.Kind) hooks.Event {
	e := hooks.Event{Kind: k, Session: "s1", Cwd: "/project", Name: "bash"}
	switch k {
	case hooks.PreAsk, hooks.PostAsk:
		e.Name, e.Agent, e.Prompt, e.Answer = "jan", "jan", "look around", "all is well"
	default:
		e.Tool, e.Input, e.Title = "bash", json.RawMessage(`{"command":"make test && echo <done>"}`), "make test && echo <done>"
	}
	return e
}

func run(t *testing.T, r *hooks.Runner, e hooks.Event) hooks.Outcome {
	t.Helper()
	o, err := r.Run(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOutcomes(t *testing.T) {
	deny := hooks.Outcome{Decision: hooks.Deny, Reason: "not here"}
	failed := func(command, why string, warnings ...string) hooks.Outcome {
		return hooks.Outcome{Decision: hooks.Deny, Failed: true, Reason: "hook " + command + " failed: " + why, Warnings: warnings}
	}
	tests := []struct {
		name string
		kind hooks.Kind
		hook hooks.Hook
		want hooks.Outcome
	}{
		{"silence goes on", hooks.PreToolCall, command(":"), hooks.Outcome{}},
		{"blank output goes on", hooks.PreToolCall, command("echo; echo"), hooks.Outcome{}},
		{"an empty object goes on", hooks.PreToolCall, command("echo '{}'"), hooks.Outcome{}},
		{"allow", hooks.PreToolCall, command(`echo '{"decision": "allow"}'`), hooks.Outcome{Decision: hooks.Allow}},
		{"allow means nothing elsewhere", hooks.PreAsk, command(`echo '{"decision": "allow"}'`), hooks.Outcome{}},
		{"deny", hooks.PreToolCall, command(`echo '{"decision": "deny", "reason": "not here"}'`), deny},
		{"deny without a reason", hooks.PreToolCall, command(`echo '{"decision": "deny"}'`), hooks.Outcome{Decision: hooks.Deny, Reason: "no reason given"}},
		{"status 2", hooks.PreToolCall, command("echo not here >&2; exit 2"), deny},
		{"status 2 ignores stdout", hooks.PreToolCall, command("echo nonsense; echo not here >&2; exit 2"), deny},
		{"status 2 without a reason", hooks.PostAsk, command("exit 2"), hooks.Outcome{Decision: hooks.Deny, Reason: "no reason given"}},
		{"status 2 after a call", hooks.PostToolCall, command("echo not here >&2; exit 2"), deny},
		{"prompt", hooks.PreAsk, command(`echo '{"prompt": "other", "context": "c"}'`), hooks.Outcome{Prompt: "other", PromptReplaced: true, Context: "c"}},
		{"empty prompt", hooks.PreAsk, command(`echo '{"prompt": ""}'`), hooks.Outcome{PromptReplaced: true}},
		{"null is absent", hooks.PreAsk, command(`echo '{"prompt": null, "decision": null}'`), hooks.Outcome{}},
		{"answer", hooks.PostAsk, command(`echo '{"answer": "other"}'`), hooks.Outcome{Answer: "other", AnswerReplaced: true}},
		{"prompt elsewhere", hooks.PostAsk, command(`echo '{"prompt": "other"}'`), hooks.Outcome{Warnings: []string{
			`hook echo '{"prompt": "other"}': only preAsk hooks can replace the prompt`}}},
		{"answer elsewhere", hooks.PreToolCall, command(`echo '{"answer": "other"}'`), hooks.Outcome{Warnings: []string{
			`hook echo '{"answer": "other"}': only postAsk hooks can replace the answer`}}},
		{"status 3", hooks.PreToolCall, command("exit 3"), failed("exit 3", "exit status 3")},
		{"status 3 says why", hooks.PreToolCall, command("echo a >&2; echo b >&2; exit 3"),
			failed("echo a >&2; echo b >&2; exit 3", "exit status 3", "hook echo a >&2; echo b >&2; exit 3 wrote: b")},
		{"signal", hooks.PreToolCall, command("kill -9 $$"), failed("kill -9 $$", "signal: killed")},
		{"no such program", hooks.PreToolCall, command("no-such-program 2>/dev/null"), failed("no-such-program 2>/dev/null", "exit status 127")},
		{"timeout", hooks.PreToolCall, hooks.Hook{Command: "sleep 300", Timeout: 50 * time.Millisecond}, failed("sleep 300", "timed out after 50ms")},
		{"text", hooks.PreToolCall, command("echo hello"), failed("echo hello", "output is not a JSON object")},
		{"array", hooks.PreToolCall, command("echo '[]'"), failed("echo '[]'", "output is not a JSON object")},
		{"cut", hooks.PreToolCall, command(`echo '{"decision"'`), failed(`echo '{"decision"'`, "output is not a JSON object")},
		{"two", hooks.PreToolCall, command("echo '{} {}'"), failed("echo '{} {}'", "output is not a JSON object")},
		{"unknown key", hooks.PreToolCall, command(`echo '{"decison": "deny"}'`), failed(`echo '{"decison": "deny"}'`, `its output has the unknown key "decison"`)},
		{"wrong type", hooks.PreAsk, command(`echo '{"prompt": 1}'`), failed(`echo '{"prompt": 1}'`, `"prompt" in its output must be a string`)},
		{"wrong decision", hooks.PreAsk, command(`echo '{"decision": "no"}'`), failed(`echo '{"decision": "no"}'`, `its decision is "no", neither "allow" nor "deny"`)},
		{"too much", hooks.PreToolCall, command("yes"), failed("yes", "output is over 1 MiB")},
		{"a little too much", hooks.PreToolCall, command("head -c 1048577 /dev/zero"), failed("head -c 1048577 /dev/zero", "output is over 1 MiB")},
		{"several lines", hooks.PreToolCall, command("\nfalse ||\nexit 3"), failed("false || …", "exit status 3")},
		{"onError continue", hooks.PreToolCall, hooks.Hook{Command: "exit 3", OnError: "continue"}, hooks.Outcome{Warnings: []string{"hook exit 3 failed: exit status 3"}}},
		{"after a call it goes on", hooks.PostToolCall, command("exit 3"), hooks.Outcome{Warnings: []string{"hook exit 3 failed: exit status 3"}}},
		{"after a call, told to deny", hooks.PostToolCall, hooks.Hook{Command: "exit 3", OnError: "deny"}, failed("exit 3", "exit status 3")},
		{"an answer is withheld", hooks.PostAsk, command("exit 3"), failed("exit 3", "exit status 3")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := run(t, runner(t, test.kind, test.hook), event(test.kind))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// The fields of each moment, exactly (supplement 6 and 16).
func TestInput(t *testing.T) {
	tests := []struct {
		name string
		e    hooks.Event
		want string
	}{
		{"preToolCall", event(hooks.PreToolCall), `{"event":"preToolCall","session":"s1","cwd":"/project","depth":0,"tool":"bash","input":{"command":"make test && echo <done>"},"title":"make test && echo <done>"}`},
		{"postToolCall without output", event(hooks.PostToolCall), `{"event":"postToolCall","session":"s1","cwd":"/project","depth":0,"tool":"bash","input":{"command":"make test && echo <done>"},"title":"make test && echo <done>","output":""}`},
		{"preAsk", func() hooks.Event { e := event(hooks.PreAsk); e.Answer = ""; e.Depth = 1; return e }(), `{"event":"preAsk","session":"s1","cwd":"/project","depth":1,"agent":"jan","prompt":"look around"}`},
		{"postAsk", event(hooks.PostAsk), `{"event":"postAsk","session":"s1","cwd":"/project","depth":0,"agent":"jan","prompt":"look around","answer":"all is well"}`},
		{"ask_agent", hooks.Event{Kind: hooks.PreToolCall, Name: "ask_agent", Tool: "ask_agent", Agent: "jan", Prompt: "look", Input: json.RawMessage(`{"agent":"jan","prompt":"look"}`)},
			`{"event":"preToolCall","session":"","cwd":"","depth":0,"agent":"jan","tool":"ask_agent","input":{"agent":"jan","prompt":"look"},"prompt":"look"}`},
		{"arguments that aren't JSON", hooks.Event{Kind: hooks.PreToolCall, Tool: "bash", Input: json.RawMessage(`{"command":`)},
			`{"event":"preToolCall","session":"","cwd":"","depth":0,"tool":"bash","input":"{\"command\":"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "input")
			run(t, runner(t, test.e.Kind, command("cat >"+file)), test.e)
			got, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want+"\n", string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestLargeInputs(t *testing.T) {
	e := event(hooks.PreToolCall)
	e.Input = json.RawMessage(fmt.Sprintf("%q", strings.Repeat("x", 3<<20)))
	for _, c := range []string{"cat >/dev/null", "exec <&-; sleep 0.05", ":", "(setsid sleep 5 &) >/dev/null 2>&1"} {
		if o := run(t, runner(t, hooks.PreToolCall, command(c)), e); o.Decision != hooks.None {
			t.Errorf("%s: %+v", c, o)
		}
	}
}

func TestFolderAndEnvironment(t *testing.T) {
	dir := t.TempDir()
	r, err := hooks.New(map[string][]hooks.Hook{"preAsk": {command(`printf '{"context": "%s %s %s"}' "$(pwd -P)" "$MM_CWD" "$A"`)}},
		hooks.Options{Dir: dir, Env: append(os.Environ(), "A=b", "MM_CWD=wrong")})
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, r, event(hooks.PreAsk)).Context, real+" /project b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOrder(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	note := func(rest string) hooks.Hook { return command("cat >>" + log + "; " + rest) }
	r := runner(t, hooks.PreAsk,
		note(`echo '{"prompt": "second", "context": "one"}'`),
		note(`echo '{"prompt": "third", "context": "two"}'`),
		note(`echo '{"decision": "deny", "reason": "enough", "prompt": "unseen"}'`),
		note(`echo '{"prompt": "never"}'`))
	o := run(t, r, event(hooks.PreAsk))
	want := hooks.Outcome{Decision: hooks.Deny, Reason: "enough", Prompt: "third", PromptReplaced: true, Context: "one\ntwo"}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var prompts []string
	for line := range strings.Lines(string(data)) {
		var in struct{ Prompt string }
		if err := json.Unmarshal([]byte(line), &in); err != nil {
			t.Fatal(err)
		}
		prompts = append(prompts, in.Prompt)
	}
	if diff := cmp.Diff([]string{"look around", "second", "third"}, prompts); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDenialBeatsAllow(t *testing.T) {
	r := runner(t, hooks.PreToolCall, command(`echo '{"decision": "allow"}'`), command("exit 2"))
	if o := run(t, r, event(hooks.PreToolCall)); o.Decision != hooks.Deny {
		t.Errorf("%+v", o)
	}
	r = runner(t, hooks.PreToolCall, command(`echo '{"decision": "allow"}'`), command(":"))
	if o := run(t, r, event(hooks.PreToolCall)); o.Decision != hooks.Allow {
		t.Errorf("%+v", o)
	}
}

func TestMatch(t *testing.T) {
	tests := []struct {
		match, name string
		want        bool
	}{
		{"", "anything", true},
		{"bash", "bash", true},
		{"bash", "bashful", false},
		{"bash", "jan/bash", false},
		{"jan/bash", "jan/bash", true},
		{".*/bash", "jan/homer/bash", true},
		{"bash|write_file", "write_file", true},
		{"bash|write_file", "write_file2", false},
		{"ba", "bash", false},
		{"(?i)BASH", "bash", true},
		{"bash", "bash\n", false},
		{"(?m)^bash$", "x\nbash", false},
	}
	for _, test := range tests {
		r := runner(t, hooks.PreToolCall, hooks.Hook{Match: test.match, Command: "exit 2"})
		e := event(hooks.PreToolCall)
		e.Name = test.name
		if got := r.Matches(hooks.PreToolCall, test.name); got != test.want {
			t.Errorf("Matches(%q, %q) = %v", test.match, test.name, got)
		}
		if got := run(t, r, e).Decision == hooks.Deny; got != test.want {
			t.Errorf("%q ran for %q: %v", test.match, test.name, got)
		}
	}
	if runner(t, hooks.PreToolCall, command(":")).Matches(hooks.PreAsk, "bash") {
		t.Error("a hook of another moment matches")
	}
}

func TestFaultsStopTheStart(t *testing.T) {
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"plain.sh": 0o644, "good.sh": 0o755, "a b.sh": 0o755} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), mode); err != nil {
			t.Fatal(err)
		}
	}
	good := []string{
		"./good.sh", "./good.sh -x", "  ./good.sh;true", `"./a b.sh" x`, `'./a b.sh'`, `./a\ b.sh`, "good.sh", "python3 ./no.py",
		"$HOME/no.sh", "X=./no.sh true", "test -f ./no.sh", dir + "/good.sh", "(./no.sh)", "./go*.sh",
	}
	for _, c := range good {
		if _, err := hooks.New(map[string][]hooks.Hook{"preAsk": {command(c)}}, hooks.Options{Dir: dir}); err != nil {
			t.Errorf("%s: %v", c, err)
		}
	}
	_, err := hooks.New(map[string][]hooks.Hook{
		"preToolCall": {
			{Match: "(", Command: ":"},
			{Match: "a)|(b", Command: ":"},
			{Command: "./no.sh --strict"},
			{Command: "./plain.sh"},
			{Command: dir},
			{Command: " "},
			{Command: ":", OnError: "ignore", Timeout: -1},
			{Command: "./good.sh"},
			{Command: "~/no/such/hook.sh"},
		},
		"preTool": {{Command: ":"}},
	}, hooks.Options{Dir: dir})
	home, homeErr := os.UserHomeDir()
	if homeErr != nil {
		t.Fatal(homeErr)
	}
	want := strings.Join([]string{
		"hooks.preTool: unknown event — the events are preToolCall, preAsk, postAsk, postToolCall",
		"hooks.preToolCall[0].match: error parsing regexp: missing closing ): `(`",
		"hooks.preToolCall[1].match: error parsing regexp: unexpected ): `a)|(b`",
		"hooks.preToolCall[2].command: there is no file " + dir + "/no.sh",
		"hooks.preToolCall[3].command: " + dir + "/plain.sh can't be run — chmod +x makes it so",
		"hooks.preToolCall[4].command: " + dir + " is a folder",
		"hooks.preToolCall[5].command: is empty",
		`hooks.preToolCall[6].onError: must be "deny" or "continue"`,
		"hooks.preToolCall[6].timeout: must not be negative",
		"hooks.preToolCall[8].command: there is no file " + home + "/no/such/hook.sh",
	}, "\n")
	if err == nil {
		t.Fatal("no fault was found")
	}
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var fault *hooks.Fault
	if !errors.As(err, &fault) || fault.Event != "preTool" {
		t.Errorf("%#v", fault)
	}
}

// A cancelled turn ends the hook, and that isn't the hook's failure.
func TestCancel(t *testing.T) {
	dir := t.TempDir()
	started, over := filepath.Join(dir, "started"), filepath.Join(dir, "over")
	r := runner(t, hooks.PreToolCall, command("trap '' TERM; echo >"+started+"; sleep 300; sleep 300; echo >"+over))
	abort := errors.New("abort")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		for range time.Tick(2 * time.Millisecond) {
			if _, err := os.Stat(started); err == nil {
				cancel(abort)
				return
			}
		}
	}()
	o, err := r.Run(ctx, event(hooks.PreToolCall))
	if !errors.Is(err, abort) || o.Decision != hooks.None {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := r.Run(ctx, event(hooks.PreToolCall)); !errors.Is(err, abort) {
		t.Errorf("with a context that has ended: %v", err)
	}
	if _, err := os.Stat(over); err == nil {
		t.Error("the hook went on")
	}
}

// A hook that times out is gone with all it started.
func TestTimeoutEndsTheGroup(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	r := runner(t, hooks.PreToolCall, hooks.Hook{
		Command: "sh -c 'trap \"\" TERM; echo $$ >" + pids + "; sleep 300; sleep 300'; :", Timeout: 2 * time.Second,
	})
	run(t, r, event(hooks.PreToolCall))
	data, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	if err := pidGone(strings.TrimSpace(string(data))); err != nil {
		t.Error(err)
	}
}

// A background task of a hook that has ended isn't waited for, though it holds the pipes open.
func TestBackgroundTask(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	r := runner(t, hooks.PreToolCall, hooks.Hook{Command: `sleep 300 & echo $! >` + pid + `; echo '{"decision": "allow"}'`, Timeout: 10 * time.Second})
	if o := run(t, r, event(hooks.PreToolCall)); o.Decision != hooks.Allow {
		t.Errorf("%+v", o)
	}
	if out, err := exec.Command("sh", "-c", "kill $(cat "+pid+")").CombinedOutput(); err != nil {
		t.Errorf("the background task is gone: %s", out)
	}
}
