//go:build linux

package interop

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/mmtest"
)

// nowhere is a proxy that isn't there (port 9 discards): no peer reaches more than this machine.
const nowhere = "http://127.0.0.1:9"

// stage is a folder with agent files, and the family of what runs there.
type stage struct {
	*mmtest.Family
	t   *testing.T
	dir string
	mm  string
}

func newStage(t *testing.T, files map[string]string) *stage {
	t.Helper()
	s := &stage{t: t, mm: built.Raced(t), dir: mmtest.Folder(t, files)}
	s.Family = mmtest.NewFamily(t)
	t.Cleanup(func() { mmtest.CheckRaces(t, s.raceLog()) })
	return s
}

func (s *stage) raceLog() string { return filepath.Join(built.Dir, "race-"+s.ID()) }

// env is the environment of all that runs on the stage: its home is there, too, and what this
// machine's user has set for mm or a peer doesn't count.
func (s *stage) env() []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		switch prefix, _, _ := strings.Cut(name, "_"); prefix {
		case "XDG", "MM", "AGENT", "OPENCODE", "ACPX":
			continue
		}
		if !strings.HasSuffix(strings.ToLower(name), "_proxy") {
			env = append(env, kv)
		}
	}
	return append(env, "HOME="+filepath.Join(s.dir, "home"), s.Env(), "TERM=dumb", "NO_COLOR=1", mmtest.RaceEnv(s.raceLog()),
		"HTTP_PROXY="+nowhere, "HTTPS_PROXY="+nowhere, "http_proxy="+nowhere, "https_proxy="+nowhere,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost", "npm_config_registry="+nowhere)
}

// command is a program that is started in the folder.
func (s *stage) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = s.env()
	return cmd
}

// ran is how a program has ended.
type ran struct {
	status         int
	stdout, stderr string
}

// running is a program at work.
type running struct {
	t              *testing.T
	cmd            *exec.Cmd
	stdout, stderr mmtest.Buffer
	done           chan struct{}
}

// start starts a program of the stage.
func (s *stage) start(cmd *exec.Cmd) *running {
	s.t.Helper()
	r := &running{t: s.t, cmd: cmd, done: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = &r.stdout, &r.stderr
	// What a program leaves behind may hold its pipes; the family tells of it.
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	go func() {
		defer close(r.done)
		if err := cmd.Wait(); err != nil && cmd.ProcessState == nil && !errors.Is(err, exec.ErrWaitDelay) {
			r.t.Errorf("waiting for %s: %v", cmd.Path, err)
		}
	}()
	s.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-r.done
		if s.t.Failed() {
			s.t.Logf("%s\nstdout: %s\nstderr: %s", strings.Join(cmd.Args, " "), r.stdout.String(), r.stderr.String())
		}
	})
	return r
}

// ended reports whether a program has ended.
func (r *running) ended() bool {
	select {
	case <-r.done:
		return true
	default:
		return false
	}
}

// wait waits for a program's end.
func (r *running) wait() ran {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 2*mmtest.Patience)
	defer cancel()
	select {
	case <-r.done:
	case <-ctx.Done():
		r.t.Fatalf("%s doesn't end", strings.Join(r.cmd.Args, " "))
	}
	return ran{r.cmd.ProcessState.ExitCode(), r.stdout.String(), r.stderr.String()}
}

// run runs a program to its end.
func (s *stage) run(name string, args ...string) ran {
	s.t.Helper()
	return s.start(s.command(name, args...)).wait()
}

// read is a file of the stage, "" when it isn't there.
func (s *stage) read(name string) string {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(b)
}

// write writes a file of the stage.
func (s *stage) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// empty waits until nothing of the stage runs any more.
func (s *stage) empty() {
	s.t.Helper()
	mmtest.Wait(s.t, "nothing of mm runs any more", func() bool { return len(s.Members()) == 0 })
}

// team is a lead who asks jan; jan edits a.txt. What they write is told by what they are asked.
func team() map[string]string {
	return map[string]string{
		"mm.yaml":  "provider: scripted\nscript: lead.yaml\neditTools: true\nyolo: false\nmmConfigs: {jan: jan.yaml}\n",
		"jan.yaml": "provider: scripted\nscript: jan.s.yaml\neditTools: true\n",
		"a.txt":    "old\n",
		"lead.yaml": `
- when: {user: "^let jan (.*)"}
  reply:
    - text: "asking "
    - call: {name: ask_agent, arguments: {agent: jan, prompt: "$1"}}
- when: {user: "^Hello, agent!$"}
  reply: [{call: {name: ask_agent, arguments: {agent: jan, prompt: edit}}}]
- when: {user: "^edit"}
  reply: [{call: {name: edit_file, arguments: {path: a.txt, edits: [{old: old, new: new}]}}}]
- when: {user: "^question"}
  reply: [{call: {name: ask_user, arguments: {questions: [{question: "Which?", options: [a, b]}, {question: "Sure?", type: confirm}, {question: "Why?"}]}}}]
- when: {user: "^hang"}
  reply: [{text: begun}, {delay: 300s}, {text: never}]
- when: {user: "^still there"}
  reply: "the lead is here"
- when: {tool: "(?s)(.*)"}
  reply: "lead: $1"
`,
		"jan.s.yaml": `
- when: {user: "^edit"}
  reply: [{call: {name: edit_file, arguments: {path: a.txt, edits: [{old: old, new: new}]}}}]
- when: {user: "^hang"}
  reply: [{text: begun}, {delay: 300s}, {text: never}]
- when: {tool: "(?s)(.*)"}
  reply: "jan: $1"
`,
	}
}
