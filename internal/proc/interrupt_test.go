//go:build linux || darwin

package proc

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"
)

// playInterrupted starts guarded commands while it is sent SIGINT, and says what failed.
func playInterrupted() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT)
	fmt.Println("ready")
	for range 100 {
		p, err := Start(Spec{Path: "true", Guard: os.Args[0]})
		if err != nil {
			fmt.Println(err)
			continue
		}
		<-p.Done()
	}
}

// A Ctrl-C goes to mm's whole process group. A guard that was just forked is in it until it has a
// session of its own, and died of it: "starting bash: its guard can't be started: it gave no sign".
func TestCtrlCWhileStarting(t *testing.T) {
	mm := exec.Command(os.Args[0], "--interrupted")
	mm.Stderr = os.Stderr
	mm.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := mm.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := mm.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	if line, err := lines.ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q %v", line, err)
	}
	done := make(chan string, 1)
	go func() {
		failed, _ := io.ReadAll(lines)
		done <- string(failed)
	}()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case failed := <-done:
			if err := mm.Wait(); err != nil || failed != "" {
				t.Errorf("%v\n%s", err, failed)
			}
			return
		case <-tick.C:
			_ = syscall.Kill(-mm.Process.Pid, syscall.SIGINT)
		}
	}
}
