//go:build linux

package faults

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/mini-me/mm/child"
	"github.com/mini-me/mm/internal/mmtest"
)

// starterEnv makes the test binary start an agent again and again; its value is an mm.
const starterEnv = "MM_FAULTS_STARTER"

// playStarter says what failed.
func playStarter(mm string) int {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT)
	for range 20 {
		c, err := child.Start(context.Background(), child.Command{Name: "jan", Path: mm, Args: []string{"-acp", "-c", "homer.yaml"}, MM: true})
		if err != nil {
			fmt.Println(err)
			continue
		}
		c.Close()
	}
	return 0
}

// TestCtrlCWhileAnAgentStarts: the terminal's SIGINT, which means the turn and not the agent, hit
// children that had just been forked: "jan ended (signal: interrupt)".
func TestCtrlCWhileAnAgentStarts(t *testing.T) {
	h := newHouse(t, mm(t), busy(t))
	cmd := exec.Command(self(t))
	cmd.Dir, cmd.Env = h.dir, h.env(starterEnv+"="+h.binary)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	mmtest.Wait(t, "it starts agents", func() bool { return h.Count("homer.yaml") > 0 })
	failed := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(out)
		failed <- string(b)
	}()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case text := <-failed:
			if err := cmd.Wait(); err != nil || text != "" {
				t.Errorf("%v\n%s", err, text)
			}
			return
		case <-tick.C:
			_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
		}
	}
}
