//go:build unix

package tools_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mini-me/mm/tools"
)

// killedFile is one of the two contents that the killed process writes in turn: a megabyte, so that
// most kills hit a write at work.
func killedFile(turn int) []byte {
	return bytes.Repeat(fmt.Appendf(nil, "turn %d of the file that is written again and again\n", turn%2), 20_000)
}

// TestKilledWriter is the process that TestKill kills: it writes until then, and says so after
// each write.
func TestKilledWriter(t *testing.T) {
	dir := os.Getenv("MM_TEST_KILLED_WRITER")
	if dir == "" {
		return // only a child of TestKill has work here
	}
	contents := [2][]byte{killedFile(0), killedFile(1)}
	write := tools.Disk{}.WriteFile
	if os.Getenv("MM_TEST_NAMED") != "" {
		write = tools.WriteNamed
	}
	for turn := 0; ; turn++ {
		if err := write(t.Context(), filepath.Join(dir, "a.txt"), contents[turn%2]); err != nil {
			t.Fatal(err)
		}
		fmt.Println("written", turn)
	}
}

// Killed at any moment of a write, mm leaves the old file or the new one, and on Linux nothing
// half-written beside it either.
func TestKill(t *testing.T) {
	if _, half := kill(t, 100); half > 0 && runtime.GOOS == "linux" {
		t.Errorf("%d temporary files are half-written", half)
	}
}

// The same where a temporary file has a name from the start: that file may stay behind, and shows
// that the kills do hit a write.
func TestKillNamed(t *testing.T) {
	t.Setenv("MM_TEST_NAMED", "1")
	if _, half := kill(t, 30); half == 0 {
		t.Error("no kill has hit a write at work")
	}
}

func kill(t *testing.T, kills int) (good, half int) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	for range kills {
		dir := t.TempDir()
		writeTestFile(t, dir, "a.txt", string(killedFile(1)))
		killWriter(t, dir, r.IntN(3), time.Duration(r.IntN(10_000))*time.Microsecond)
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			got, err := os.ReadFile(filepath.Join(dir, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			whole := bytes.Equal(got, killedFile(0)) || bytes.Equal(got, killedFile(1))
			switch {
			case e.Name() == "a.txt" && whole:
				good++
			case !whole:
				half++
			}
		}
	}
	t.Logf("%d of %d kills left a whole file; %d left a half-written temporary file", good, kills, half)
	if good < kills {
		t.Errorf("%d files are damaged or gone", kills-good)
	}
	return good, half
}

// killWriter starts the writer and kills it a while after a number of its writes: the moment is
// meant to be any.
func killWriter(t *testing.T, dir string, writes int, after time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestKilledWriter$")
	cmd.Env = append(os.Environ(), "MM_TEST_KILLED_WRITER="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for seen := 0; seen <= writes && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "written") {
			seen++
		} else {
			t.Errorf("the writer says %q", lines.Text())
		}
	}
	<-time.After(after)
	if err := cmd.Process.Kill(); err != nil {
		t.Error(err)
	}
	for lines.Scan() { // what it still wrote before the kill
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the writer ended by itself: %v", err)
	}
}
