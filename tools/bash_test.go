//go:build linux || darwin

package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/mini-me/mm/consent"
	"github.com/mini-me/mm/internal/ui"
	"github.com/mini-me/mm/tools"
)

// host counts signs of life; bash needs nothing else of a turn.
type host struct {
	ui.Host
	alive atomic.Int32
}

func (h *host) Alive() { h.alive.Add(1) }

func bash(o tools.BashOptions) *tools.Bash {
	o.Guard = os.Args[0]
	return tools.NewBash(o)
}

func bashCall(t *testing.T, command string) tools.Call {
	t.Helper()
	args, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		t.Fatal(err)
	}
	return tools.Call{ID: "call00001", Args: args, Cwd: t.TempDir()}
}

func runBash(t *testing.T, o tools.BashOptions, command string) tools.Result {
	t.Helper()
	p := bash(o).Prepare(t.Context(), bashCall(t, command))
	if p.Refused != "" {
		t.Fatal(p.Refused)
	}
	return p.Run(t.Context(), &host{})
}

func code(n int) *int { return &n }

func TestBashResults(t *testing.T) {
	tests := []struct {
		command string
		want    tools.Result
	}{
		{"echo hello", tools.Result{Text: "hello\n", ExitCode: code(0)}},
		{"echo a; echo b >&2; echo c", tools.Result{Text: "a\nb\nc\n", ExitCode: code(0)}},
		{":", tools.Result{Text: "(no output)", ExitCode: code(0)}},
		{"echo; echo", tools.Result{Text: "(no output)", ExitCode: code(0)}},
		{"cat", tools.Result{Text: "(no output)", ExitCode: code(0)}},
		{"exit 3", tools.Result{Text: "[exit code: exit status 3]", ExitCode: code(3), Failed: true}},
		{"echo hello; false", tools.Result{Text: "hello\n[exit code: exit status 1]", ExitCode: code(1), Failed: true}},
		{"printf hello; false", tools.Result{Text: "hello\n[exit code: exit status 1]", ExitCode: code(1), Failed: true}},
		{"kill -9 $$", tools.Result{Text: "[exit code: signal: killed]", Failed: true}},
		{`printf 'a\xffb\xe4\xb8'`, tools.Result{Text: "a\uFFFDb\uFFFD", ExitCode: code(0)}},
		{"[[ -n $BASH_VERSION ]] && echo <(:) | grep -c /", tools.Result{Text: "1\n", ExitCode: code(0)}},
		{": </dev/tty", tools.Result{Text: "bash: line 1: /dev/tty: No such device or address\n[exit code: exit status 1]", ExitCode: code(1), Failed: true}},
		{"echo one >/dev/stderr; echo two >>/dev/stderr; echo three", tools.Result{Text: "one\ntwo\nthree\n", ExitCode: code(0)}},
	}
	for _, test := range tests {
		got := runBash(t, tools.BashOptions{}, test.command)
		got.Text = strings.ReplaceAll(got.Text, "Device not configured", "No such device or address") // macOS
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", test.command, diff)
		}
	}
}

func TestBashFolderAndEnvironment(t *testing.T) {
	c := bashCall(t, `pwd -P; echo "$A"`)
	real, err := filepath.EvalSymlinks(c.Cwd)
	if err != nil {
		t.Fatal(err)
	}
	b := bash(tools.BashOptions{Env: append(os.Environ(), "A=b")})
	if got := b.Prepare(t.Context(), c).Run(t.Context(), &host{}).Text; got != real+"\nb\n" {
		t.Errorf("%q", got)
	}
	c.Cwd = "/no/such/folder"
	want := tools.Result{Text: "[error: starting bash: the folder /no/such/folder doesn't exist]", Failed: true}
	if diff := cmp.Diff(want, b.Prepare(t.Context(), c).Run(t.Context(), &host{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestBashPlan(t *testing.T) {
	p := bash(tools.BashOptions{}).Prepare(t.Context(), bashCall(t, "make test"))
	if p.Title != "make test" || p.Line != "🛠️ bash: make test" || p.Kind != consent.KindExecute ||
		p.Asks != consent.UnlessYolo || tools.Rejected(p.RejectedAs) != "[command rejected by the user]" {
		t.Errorf("%+v", p)
	}
	spec := bash(tools.BashOptions{}).Spec()
	if spec.Name != "bash" || spec.Counter != (tools.Counter{Icon: "⚙", Noun: "command"}) || !json.Valid(spec.Parameters) {
		t.Errorf("%+v", spec)
	}
	if n := len(spec.Description) + len(spec.Parameters); n > 300 {
		t.Errorf("the declaration takes %d bytes", n)
	}
}

func TestBashArguments(t *testing.T) {
	const send = ` — send {"command": "the shell command to run"}]`
	tests := map[string]string{
		`{}`:                          "[bash: there is no command" + send,
		``:                            "[bash: there is no command" + send,
		`null`:                        "[bash: there is no command" + send,
		`{"command": " \n"}`:          "[bash: there is no command" + send,
		`{"command": null}`:           "[bash: there is no command" + send,
		`{"command": 5}`:              "[bash: command must be a string, not a number" + send,
		`{"command": ["ls", "-l"]}`:   "[bash: command must be a string, not a list" + send,
		`["ls"]`:                      "[bash: the arguments must be a JSON object, not a list" + send,
		`{"command": "a\u0000b"}`:     "[bash: the command has a NUL character, which no command can have" + send,
		`{"cmd": "ls"}`:               "",
		`{"command": "", "cmd": ":"}`: "",
		`{"command": "ls", "x": 1}`:   "",
	}
	for args, want := range tests {
		p := bash(tools.BashOptions{}).Prepare(t.Context(), tools.Call{Args: json.RawMessage(args)})
		if p.Refused != want || (p.Run == nil) != (want != "") {
			t.Errorf("%s: %q", args, p.Refused)
		}
	}
}

func TestBashTimeout(t *testing.T) {
	if got := tools.NewBash(tools.BashOptions{}).Spec().Description; !strings.Contains(got, "30s at most") {
		t.Errorf("the default isn't 30 s: %s", got)
	}
	// The timeout is shorter here; its text is the same.
	got := runBash(t, tools.BashOptions{Timeout: 300 * time.Millisecond}, "echo so far; sleep 300")
	want := tools.Result{Text: "so far\n[error: 300ms timeout exceeded]", Failed: true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if text := fmt.Sprintf("[error: %s timeout exceeded]", tools.BashTimeout); text != "[error: 30s timeout exceeded]" {
		t.Error(text)
	}
}

// pidsOf waits until a command has written n pids to the file.
func pidsOf(t *testing.T, file string, n int) []string {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		data, _ := os.ReadFile(file)
		if pids := strings.Fields(string(data)); len(pids) >= n && strings.HasSuffix(string(data), "\n") {
			return pids
		}
		if time.Now().After(end) {
			t.Fatal("the command doesn't start")
		}
	}
}

// alive reports whether a process runs; a zombie that nobody has reaped doesn't.
func alive(pid string) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", pid).Output()
	state := strings.TrimSpace(string(out))
	return err == nil && state != "" && state[0] != 'Z'
}

// A stopped command is gone with all it started when the call returns, also what ignores SIGTERM.
func TestBashCancel(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	result := make(chan tools.Result, 1)
	p := bash(tools.BashOptions{}).Prepare(ctx, bashCall(t, `echo so far
		timeout 300 sleep 300 & echo $! >>`+file+`
		(trap '' TERM; sleep 300; sleep 300) & echo $! >>`+file+`
		sh -c 'trap "" TERM; echo $$ >>`+file+`; sleep 300; sleep 300'; sleep 300`))
	go func() { result <- p.Run(ctx, &host{}) }()
	pids := pidsOf(t, file, 3)
	begin := time.Now()
	cancel()
	got := <-result
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
	if diff := cmp.Diff(tools.Result{Text: "so far\n[error: cancelled]", Failed: true}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, pid := range pids {
		if alive(pid) {
			t.Errorf("process %s lives", pid)
		}
	}
}

func TestBashCancelledBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := filepath.Join(t.TempDir(), "ran")
	got := bash(tools.BashOptions{}).Prepare(ctx, bashCall(t, "sleep 1; echo >"+file)).Run(ctx, &host{})
	if _, err := os.Stat(file); got.Text != "[error: cancelled]" || err == nil {
		t.Errorf("%+v", got)
	}
}

// Through a pipe the call would wait for the task, which holds the output open.
func TestBashLeavesBackgroundTasks(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pids")
	for _, command := range []string{
		"nohup sleep 300 & echo $! >" + file,
		"sleep 300 & echo $! >" + file,
		"(exec sleep 300) & echo $! >" + file + "; exit 3",
	} {
		begin := time.Now()
		got := runBash(t, tools.BashOptions{}, command)
		if took := time.Since(begin); took > 10*time.Second {
			t.Errorf("%s: took %v", command, took)
		}
		if strings.Contains(got.Text, "timeout") {
			t.Errorf("%s: %+v", command, got)
		}
		pid := pidsOf(t, file, 1)[0]
		if !alive(pid) {
			t.Errorf("%s: the background task is gone", command)
		}
		t.Cleanup(func() { _ = exec.Command("kill", "-9", pid).Run() })
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

func TestBashTruncates(t *testing.T) {
	got := runBash(t, tools.BashOptions{MaxOutput: 10}, "printf 'ééééé..........日本語言語'").Text
	if want := "ééééé\n[... 10 more characters]\n日本語言語"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	got = runBash(t, tools.BashOptions{MaxOutput: 10}, "printf '0123456789'").Text
	if got != "0123456789" {
		t.Errorf("%q", got)
	}
	got = runBash(t, tools.BashOptions{MaxOutput: 11}, "seq 1000; exit 4").Text
	if want := "1\n2\n3\n[... 3882 more characters]\n\n1000\n[exit code: exit status 4]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestBashReadsBothEndsBack(t *testing.T) {
	const gap = "\n[... output too large to read back in full ...]\n"
	// 3 MB of three-byte characters, so that both cuts fall inside of one.
	const command = `printf start; printf '日%.0s' $(seq 1000000); printf end`
	got := runBash(t, tools.BashOptions{}, command).Text
	head, tail, found := strings.Cut(got, gap)
	if !found || !strings.HasPrefix(head, "start日") || !strings.HasSuffix(tail, "日end") || strings.ContainsRune(got, utf8.RuneError) {
		t.Fatalf("%.40q … %.40q", head, tail)
	}
	for name, part := range map[string]string{"head": head, "tail": tail} {
		if len(part) > 1<<20 || len(part) < 1<<20-utf8.UTFMax {
			t.Errorf("%s: %d bytes", name, len(part))
		}
	}
	got = runBash(t, tools.BashOptions{MaxOutput: 100}, command).Text
	want := regexp.MustCompile(`^start日{45}\n\[\.\.\. \d+ more characters\]` + regexp.QuoteMeta(gap) + `日{47}end$`)
	if !want.MatchString(got) {
		t.Errorf("%q", got)
	}
	n := utf8.RuneCountInString(head) + utf8.RuneCountInString(tail) - 100
	if !strings.Contains(got, fmt.Sprintf("[... %d more characters]", n)) {
		t.Errorf("%d characters were left out: %q", n, got)
	}
}

func TestBashOutputIsASignOfLife(t *testing.T) {
	h := &host{}
	c := bashCall(t, "for i in 1 2 3 4; do echo $i; sleep 0.25; done")
	bash(tools.BashOptions{}).Prepare(t.Context(), c).Run(t.Context(), h)
	if got := h.alive.Load(); got < 2 {
		t.Errorf("fed %d times", got)
	}
	quiet := &host{}
	c = bashCall(t, "sleep 0.5")
	bash(tools.BashOptions{}).Prepare(t.Context(), c).Run(t.Context(), quiet)
	if got := quiet.alive.Load(); got != 0 {
		t.Errorf("fed %d times by silence", got)
	}
}

func TestBashLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	runBash(t, tools.BashOptions{}, "echo hello")
	runBash(t, tools.BashOptions{Timeout: 50 * time.Millisecond}, "sleep 300")
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	t.Setenv("TMPDIR", "/no/such/folder")
	if got := runBash(t, tools.BashOptions{}, "echo hello").Text; !strings.HasPrefix(got, "[error: there is no file for the output: ") {
		t.Errorf("%q", got)
	}
}

func TestBashTooLongACommand(t *testing.T) {
	got := runBash(t, tools.BashOptions{}, ": "+strings.Repeat("x", 8<<20))
	if got.Text != "[error: starting bash: argument list too long]" || !got.Failed {
		t.Errorf("%.200q", got.Text)
	}
}

func TestBashStopsAFlood(t *testing.T) {
	got := runBash(t, tools.BashOptions{MaxOutput: 10, MaxFile: 4 << 20}, "yes")
	if !strings.HasSuffix(got.Text, "\n[error: the output grew over 4 MiB — command stopped; use head or grep]") || !got.Failed {
		t.Errorf("%q", got.Text)
	}
}

func TestBashCallsRunAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	wait := func(mine, other string) string {
		return fmt.Sprintf("echo >%s/%s; while [ ! -e %s/%s ]; do sleep 0.01; done; echo met", dir, mine, dir, other)
	}
	texts := make(chan string, 2)
	for _, command := range []string{wait("a", "b"), wait("b", "a")} {
		p := bash(tools.BashOptions{}).Prepare(t.Context(), bashCall(t, command))
		go func() { texts <- p.Run(t.Context(), &host{}).Text }()
	}
	for range 2 {
		if got := <-texts; got != "met\n" {
			t.Errorf("%q", got)
		}
	}
}
