//go:build linux

package interop

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/mmtest"
)

// acpx is a client in a terminal. It keeps its sessions below its home, and the process that owns
// them for some seconds after the last prompt.
type acpx struct {
	*stage
	node, path string
}

func newACPX(t *testing.T) *acpx {
	t.Helper()
	path := program(t, "acpx", acpxPackage)
	return &acpx{stage: newStage(t, team()), node: node(t, 22, 13), path: path}
}

func (x *acpx) command(args ...string) *exec.Cmd {
	args = append([]string{x.path, "--agent", x.mm + " -acp", "--cwd", x.dir, "--ttl", "2"}, args...)
	return x.stage.command(x.node, args...)
}

func (x *acpx) run(args ...string) ran {
	x.t.Helper()
	return x.stage.start(x.command(args...)).wait()
}

// exits runs acpx and checks its exit status.
func (x *acpx) exits(status int, args ...string) ran {
	x.t.Helper()
	r := x.run(args...)
	if r.status != status {
		x.t.Fatalf("acpx %s: exit %d, want %d", strings.Join(args, " "), r.status, status)
	}
	return r
}

// says checks what acpx wrote on stdout.
func (x *acpx) says(r ran, texts ...string) {
	x.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.stdout, text) {
			x.t.Errorf("acpx didn't say %q", text)
		}
	}
}

// TestACPXRunsADelegation: the lead asks jan, jan edits; what acpx answers to the permission
// requests decides whether the file changes.
func TestACPXRunsADelegation(t *testing.T) {
	for name, c := range map[string]struct {
		flags  []string
		prompt string
		status int
		file   string
		says   string
	}{
		"approve all":               {[]string{"--approve-all"}, "let jan edit", 0, "new\n", "lead: jan: a.txt: 1 edit applied"},
		"deny all":                  {[]string{"--deny-all"}, "let jan edit", 5, "old\n", "lead: [ask_agent rejected by the user]"},
		"deny its own":              {[]string{"--deny-all"}, "edit", 5, "old\n", "lead: cannot edit a.txt: the editor did not read it"},
		"nobody to ask":             {[]string{"--non-interactive-permissions", "fail"}, "let jan edit", 5, "old\n", "lead: [ask_agent rejected by the user]"},
		"without its file services": {[]string{"--approve-all", "--no-fs", "--no-terminal"}, "edit", 0, "new\n", "lead: a.txt: 1 edit applied"},
		"through its file services": {[]string{"--approve-all"}, "edit", 0, "new\n", "lead: a.txt: 1 edit applied"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := newACPX(t)
			r := x.exits(c.status, append(c.flags, "exec", c.prompt)...)
			x.says(r, c.says, "[done] end_turn")
			if text := x.read("a.txt"); text != c.file {
				t.Errorf("a.txt is %q, want %q", text, c.file)
			}
			x.empty()
		})
	}
}

// TestACPXRefusesWhatJanAsks: the ask itself is allowed, jan's edit isn't.
func TestACPXRefusesWhatJanAsks(t *testing.T) {
	t.Parallel()
	x := newACPX(t)
	r := x.exits(0, "--permission-policy", `{"autoApprove":["other"],"autoDeny":["edit"]}`, "exec", "let jan edit")
	x.says(r, "lead: jan: [edit_file rejected by the user]")
	if text := x.read("a.txt"); text != "old\n" {
		t.Errorf("a.txt is %q", text)
	}
	x.empty()
}

// TestACPXGivesUp: acpx closes mm's stdin when its time is up, and mm ends with all below it.
func TestACPXGivesUp(t *testing.T) {
	t.Parallel()
	x := newACPX(t)
	x.exits(3, "--approve-all", "--timeout", "2", "exec", "let jan hang")
	x.empty()
}

// TestACPXSessions: a session is begun, prompted, cancelled, set up, left until its process has
// ended, resumed and closed.
func TestACPXSessions(t *testing.T) {
	t.Parallel()
	x := newACPX(t)
	x.exits(0, "sessions", "new")
	x.says(x.exits(0, "--approve-all", "prompt", "let jan edit"), "lead: jan: a.txt: 1 edit applied", "[done] end_turn")
	if text := x.read("a.txt"); text != "new\n" {
		t.Errorf("a.txt is %q", text)
	}

	for _, what := range []string{"hang", "let jan hang"} {
		hanging := x.start(x.command("--approve-all", "--format", "json", "prompt", what))
		mmtest.Wait(t, "the turn has begun", func() bool { return strings.Contains(hanging.stdout.String(), `"begun"`) })
		x.exits(0, "cancel")
		r := hanging.wait()
		x.says(r, `"stopReason":"cancelled"`)
		if r.status != 0 {
			t.Errorf("a cancelled prompt exits with %d", r.status)
		}
	}

	x.exits(0, "set-mode", "yolo")
	x.exits(0, "set", "mode", "ask")

	// The owner of the session ends after its two seconds, and mm with it.
	x.empty()
	r := x.exits(0, "--format", "json", "prompt", "still there?")
	x.says(r, `"method":"session/resume"`, `"stopReason":"end_turn"`)
	if strings.Contains(r.stdout, `"method":"session/new"`) {
		t.Error("the session wasn't resumed: acpx began a new one")
	}
	x.listed(1)
	x.exits(0, "sessions", "close")
	x.empty()
}

// listed checks how many sessions mm lists.
func (x *acpx) listed(want int) {
	x.t.Helper()
	r := x.exits(0, "--format", "json", "sessions", "list")
	var list struct {
		Sessions []json.RawMessage `json:"sessions"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil || len(list.Sessions) != want {
		x.t.Errorf("%d sessions (%v), want %d: %s", len(list.Sessions), err, want, r.stdout)
	}
}
