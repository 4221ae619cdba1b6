//go:build linux

package interop

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/mmtest"
)

// goSDK is the protocol's Go SDK. It is no dependency of mm: its examples are built by themselves.
const goSDK = "github.com/coder/acp-go-sdk@v0.13.0"

// example builds one of the SDK's examples.
func example(t *testing.T, name string) string {
	t.Helper()
	module, version, _ := strings.Cut(goSDK, "@")
	fetch := exec.Command("go", "mod", "download", goSDK)
	fetch.Dir = t.TempDir() // outside of mm's module
	if out, err := fetch.CombinedOutput(); err != nil {
		t.Skipf("%s can't be fetched from the Go module proxy (%v): %s", goSDK, err, out)
	}
	dir := t.TempDir()
	build := exec.Command("go", "install", module+"/example/"+name+"@"+version)
	build.Dir, build.Env = dir, append(build.Environ(), "GOBIN="+dir, "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the example %s of %s: %v\n%s", name, goSDK, err, out)
	}
	return filepath.Join(dir, name)
}

// TestGoSDKExampleClient: the SDK's example client says hello, the lead asks jan, jan edits, and a
// person at the client answers both requests.
func TestGoSDKExampleClient(t *testing.T) {
	t.Parallel()
	client := example(t, "client")
	for name, c := range map[string]struct {
		answers []int
		file    string
		says    string
	}{
		"allow":          {[]int{1, 1}, "new\n", "lead: jan: a.txt: 1 edit applied"},
		"reject the ask": {[]int{3}, "old\n", "lead: [ask_agent rejected by the user]"},
		"reject an edit": {[]int{1, 3}, "old\n", "lead: jan: [edit_file rejected by the user]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, team())
			cmd := s.command(client, s.mm, "-acp")
			keys, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			r := s.start(cmd)
			for i, answer := range c.answers {
				mmtest.Wait(t, "the client asks", func() bool { return strings.Count(r.stdout.String(), "Choose an option:") > i })
				if _, err := io.WriteString(keys, fmt.Sprintln(answer)); err != nil {
					t.Fatal(err)
				}
			}
			got := r.wait()
			if got.status != 0 || got.stderr != "" {
				t.Errorf("exit %d: %s", got.status, got.stderr)
			}
			// It writes each piece of a message on a line of its own.
			words := strings.Join(strings.Fields(got.stdout), " ")
			for _, want := range []string{"Connected to agent (protocol v1)", "Permission requested: ask_agent: jan — edit", "Agent completed"} {
				if !strings.Contains(words, want) {
					t.Errorf("the client didn't say %q", want)
				}
			}
			if !strings.Contains(strings.ReplaceAll(words, " ", ""), strings.ReplaceAll(c.says, " ", "")) {
				t.Errorf("the client didn't say %q", c.says)
			}
			if text := s.read("a.txt"); text != c.file {
				t.Errorf("a.txt is %q, want %q", text, c.file)
			}
			s.empty() // the client kills mm
		})
	}
}

// TestGoSDKExampleAgent: the SDK's example agent as one that is asked. It reads, then wants to change
// a file, and says what came of it.
func TestGoSDKExampleAgent(t *testing.T) {
	t.Parallel()
	agent := example(t, "agent")
	for kind, want := range map[acp.OptionKind]string{
		acp.AllowOnce:  "Perfect! I've successfully updated the configuration.",
		acp.RejectOnce: "I understand you prefer not to make that change.",
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, map[string]string{
				"mm.yaml": fmt.Sprintf("provider: scripted\nscript: s.yaml\nyolo: false\nmmConfigs: {demo: {command: %q}}\n", agent),
				"s.yaml":  "- when: {user: \".*\"}\n  reply: [{call: {name: ask_agent, arguments: {agent: demo, prompt: improve it}}}]\n- when: {tool: \"(?s)(.*)\"}\n  reply: \"lead: $1\"\n",
			})
			e := acptest.Start(t, s.command(s.mm, "-acp"), acptest.Options{Permission: func(_ context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
				if keyOf(r) == "ask_agent" {
					return acptest.Choose(r, acp.AllowOnce)
				}
				return acptest.Choose(r, kind)
			}})
			e.Initialize(t.Context())
			turn, err := e.Prompt(t.Context(), e.NewSession(t.Context(), s.dir).SessionID, "go")
			if err != nil || turn.StopReason != acp.StopEndTurn || !strings.Contains(turn.Text, want) {
				t.Errorf("%s %q %v", turn.StopReason, turn.Text, err)
			}
			if got := keysOf(e.Asked()); !slices.Equal(got, []string{"ask_agent", "demo/edit"}) {
				t.Errorf("asked about %q", got)
			}
		})
	}
}
