//go:build unix

package session

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func verifyLeaks(m *testing.M) { goleak.VerifyTestMain(m) }

// writeUntilKilled appends numbered messages, and says each number once it is kept.
func writeUntilKilled(dir string) {
	w := NewStore(dir).Create(Info{ID: "one", Cwd: "/"}, Options{Warn: func(err error) { panic(err) }})
	for i := 0; ; i++ {
		w.Append(Message{Role: "user", Content: strconv.Itoa(i) + strings.Repeat(" pad", i%500)})
		fmt.Println(i)
		if i%37 == 0 {
			w.Flush()
		}
	}
}

// TestKill ends a writer with SIGKILL at 200 random moments. Each time the session has every message
// that was kept before.
func TestKill(t *testing.T) {
	for i := range 200 {
		dir := t.TempDir()
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "MM_TEST_WRITER="+dir)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		last := -1
		lines := bufio.NewScanner(out)
		if lines.Scan() { // the first message is kept: from now on any moment will do
			last = 0
		}
		kill := time.AfterFunc(rand.N(20*time.Millisecond), func() { _ = cmd.Process.Kill() })
		for lines.Scan() {
			if n, err := strconv.Atoi(lines.Text()); err == nil {
				last = max(last, n)
			}
		}
		_ = cmd.Wait()
		kill.Stop()
		w, f, err := NewStore(dir).Open("one", Options{})
		if err != nil {
			t.Fatalf("kill %d: %v", i, err)
		}
		if len(f.Messages) < last+1 {
			t.Errorf("kill %d: %d messages, %d had been kept", i, len(f.Messages), last+1)
		}
		for n, m := range f.Messages {
			if m.Role == "user" && !strings.HasPrefix(m.Content+" ", strconv.Itoa(n)+" ") {
				t.Fatalf("kill %d: message %d is %q", i, n, m.Content)
			}
		}
		w.Close()
	}
}
