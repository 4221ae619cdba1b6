//go:build linux

package interop

import (
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/internal/acp"
	"github.com/mini-me/mm/internal/acp/acptest"
	"github.com/mini-me/mm/internal/mmtest"
)

// TestOpencodeThatDoesNotAsk: with its own defaults opencode asks nobody. mm says so, and marks it.
func TestOpencodeThatDoesNotAsk(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, false, `{}`)
	r := o.run("--ask", "oc", "run echo made >made.txt")
	if r.status != 0 || !strings.Contains(r.stderr, `oc ran "echo made >made.txt" without asking`) {
		t.Errorf("exit %d: %s", r.status, r.stderr)
	}
	const mark = "acts without asking"
	if r := o.run("agents"); !strings.Contains(r.stdout, mark) {
		t.Errorf("mm agents doesn't tell: %s", r.stdout)
	}
	// Once it is set to ask, the mark goes.
	o.configure(asking)
	if r := o.run("--ask", "oc", "write"); strings.Contains(r.stderr, "without asking") {
		t.Errorf("exit %d: %s", r.status, r.stderr)
	}
	if r := o.run("agents"); strings.Contains(r.stdout, mark) {
		t.Errorf("mm agents still tells: %s", r.stdout)
	}
	o.empty()
}

// TestOpencodeIsRememberedByKey: what is allowed for the session isn't asked again, and another kind
// is.
func TestOpencodeIsRememberedByKey(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, false, asking)
	e, id := o.edit(acptest.Options{Permission: func(_ context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		return acptest.Choose(r, acp.AllowAlways)
	}})
	for _, prompt := range []string{"write", "write", "run echo hi"} {
		if turn, err := e.Prompt(t.Context(), id, prompt); err != nil || !strings.Contains(turn.Text, "the tool said") {
			t.Errorf("%s: %q %v", prompt, turn.Text, err)
		}
	}
	if got := keysOf(e.Asked()); !slices.Equal(got, []string{"ask_agent", "oc/edit", "oc/execute"}) {
		t.Errorf("asked about %q", got)
	}
}

// TestOpencodeRefusedInJSON: a refusal one level down is told on the command line.
func TestOpencodeRefusedInJSON(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, false, asking)
	r := o.run("--strict", "--output", "json", "--ask", "oc", "write")
	var out struct {
		Answer  string
		Refused []struct{ Key string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &out); err != nil {
		t.Fatalf("%v: %s", err, r.stdout)
	}
	if r.status != 6 || len(out.Refused) != 1 || out.Refused[0].Key != "oc/edit" {
		t.Errorf("exit %d: %s", r.status, r.stdout)
	}
	if o.read("made.txt") != "" {
		t.Error("a refused edit was made")
	}
}

// TestOpencodesOwnAgents: what an agent of opencode's own wants to run is asked of nobody, and opencode
// waits for ever (anomalyco/opencode#48232). mm doesn't, and nothing is run. The documented setting
// takes that tool away.
func TestOpencodesOwnAgents(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, false, `{"edit": "ask", "bash": "ask"}`)
	config := o.read("mm.yaml")
	o.write("mm.yaml", config+"watchdogTimeout: 5s\n")
	r := o.run("--ask", "oc", "delegate run echo made >made.txt")
	if r.status == 0 || !strings.Contains(r.stderr, "turn stopped by the watchdog") {
		t.Errorf("exit %d: %s", r.status, r.stderr)
	}
	if o.read("made.txt") != "" {
		t.Error("a command ran that nobody was asked about")
	}
	o.write("mm.yaml", config)
	o.configure(asking)
	r = o.run("--ask", "oc", "delegate run echo made >made.txt")
	if r.status != 0 || !strings.Contains(r.stdout, "unavailable tool 'task'") {
		t.Errorf("exit %d: %s%s", r.status, r.stdout, r.stderr)
	}
	o.empty()
}

// TestOpencodeIsCancelled: a cancel ends its turn, while its model works and while a request of its
// waits for the user; the same opencode serves the next ask.
func TestOpencodeIsCancelled(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, false, asking)
	e, id := o.edit(acptest.Options{Permission: func(ctx context.Context, r acp.RequestPermissionRequest) acp.RequestPermissionResponse {
		if keyOf(r) == "ask_agent" {
			return acptest.Choose(r, acp.AllowOnce)
		}
		<-ctx.Done()
		return acp.PermissionCancelled()
	}})
	ctx, cancel := context.WithTimeout(t.Context(), mmtest.Patience)
	defer cancel()
	cancelled := func(prompt string, working func()) {
		done := make(chan acptest.Turn, 1)
		go func() {
			turn, err := e.Prompt(t.Context(), id, prompt)
			if err != nil {
				t.Error(err)
			}
			done <- turn
		}()
		working()
		e.Cancel(t.Context(), id)
		if turn := <-done; turn.StopReason != acp.StopCancelled {
			t.Errorf("%s: %s %q", prompt, turn.StopReason, turn.Text)
		}
	}
	cancelled("hang", func() {
		e.WaitUpdate(ctx, func(u acp.SessionUpdate) bool { return strings.Contains(string(u.Raw), `"begun"`) })
	})
	first := o.Find("opencode", "acp")
	asked := len(e.Asked())
	cancelled("write", func() { e.WaitAsked(ctx, asked+2) }) // the ask and the edit
	if o.read("made.txt") != "" {
		t.Error("a cancelled edit was made")
	}
	turn, err := e.Prompt(t.Context(), id, "are you there?")
	if err != nil || turn.Text != "lead: you said: are you there?" {
		t.Errorf("%q %v", turn.Text, err)
	}
	if now := o.Find("opencode", "acp"); now != first {
		t.Errorf("another opencode answered: %d, before it was %d", now, first)
	}
}

// TestOpencodesModelFails: the failure of another agent's model is told as such.
func TestOpencodesModelFails(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, false, asking)
	r := o.run("--ask", "oc", "fail")
	if r.status != 1 || !strings.Contains(r.stderr, "oc failed: ") || !strings.Contains(r.stderr, "the model doesn't want to") {
		t.Errorf("exit %d: %s", r.status, r.stderr)
	}
	o.empty()
}

// TestOpencodeEndsWithMM: nothing of opencode outlives an mm that is killed.
func TestOpencodeEndsWithMM(t *testing.T) {
	t.Parallel()
	o := newOpencode(t, true, asking)
	var r *running
	for range tries {
		r = o.start(o.command(o.mm, "--ask", "oc", "run echo begun >made.txt; sleep 300"))
		mmtest.Wait(t, "opencode works", func() bool { return o.read("made.txt") != "" || r.ended() })
		if !r.ended() {
			break
		}
	}
	start := time.Now()
	if err := r.cmd.Process.Signal(os.Kill); err != nil {
		t.Fatal(err)
	}
	t.Logf("gone after %v", o.Gone(start))
}
