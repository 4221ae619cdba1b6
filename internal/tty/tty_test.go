//go:build linux

package tty

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	Main()
	if how := os.Getenv("MM_TEST_END"); how != "" {
		endAs(how)
	}
	os.Exit(m.Run())
}

// endAs puts the terminal into raw mode and ends.
func endAs(how string) {
	self, _ := os.Executable()
	t, err := Open(os.Stdin, os.Stdout, self)
	if err != nil {
		fmt.Println(err)
		os.Exit(9)
	}
	if strings.HasPrefix(how, "full") {
		t.FullScreen()
		fmt.Print("\x1b[?1049h\x1b[?1002h")
	}
	fmt.Print("raw\r\n")
	_, _ = os.Stdin.Read(make([]byte, 1)) // wait for a key
	switch strings.TrimPrefix(how, "full ") {
	case "close":
		_ = t.Close()
	case "panic":
		go panic("crash")
		select {}
	case "kill":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	case "suspended":
		_ = t.Suspend()
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	os.Exit(1)
}

// wantAfter is what stands on the screen below: a crash is told where it can be read.
func wantAfter(how string) string {
	if how == "full panic" {
		return "panic: crash\r\n\r\ngoroutine "
	}
	return ""
}

// TestAShellThatIsQuicker puts the settings back before the guard looks: the screen is left all the same.
func TestAShellThatIsQuicker(t *testing.T) {
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = master.Close(); _ = slave.Close() }()
	o := order{Before: termiosOf(t, slave)} // Raw is another
	putBack(slave, o, true)
	putBack(slave, o, false) // nothing: a shell's line may be there
	_, _ = slave.WriteString("end\n")
	line, err := bufio.NewReader(master).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != leaveFull+"end" {
		t.Errorf("%q %v", line, err)
	}
}

// TestTheTerminalIsAsBefore ends a process in raw mode in all ways.
func TestTheTerminalIsAsBefore(t *testing.T) {
	for _, how := range []string{"close", "exit", "panic", "kill", "suspended", "full kill", "full panic"} {
		t.Run(how, func(t *testing.T) {
			master, slave, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = master.Close(); _ = slave.Close() }()
			before := termiosOf(t, slave)
			// A shell leads the session, as in life: the end of a leader would reset the terminal.
			cmd := exec.Command("sh", "-c", `"$0"; sleep 300`, os.Args[0])
			cmd.Env = append(os.Environ(), "MM_TEST_END="+how)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() { _ = cmd.Wait() }()
			defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }()
			lines := bufio.NewReader(master)
			for line := ""; !strings.Contains(line, "raw"); {
				if line, err = lines.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			if termiosOf(t, slave) == before {
				t.Fatal("the terminal isn't in raw mode")
			}
			if _, err := master.WriteString("x"); err != nil {
				t.Fatal(err)
			}
			var seen atomic.Value
			left := make(chan struct{})
			go func() { // or writes to the terminal block
				text, told := "", false
				for {
					b, err := lines.ReadByte()
					if err != nil {
						return
					}
					text += string(b)
					seen.Store(text)
					if _, after, ok := strings.Cut(text, leaveFull); ok && strings.Contains(after, wantAfter(how)) && !told {
						told = true
						close(left)
					}
				}
			}()
			limit := time.Now().Add(10 * time.Second)
			for termiosOf(t, slave) != before {
				if time.Now().After(limit) {
					t.Fatalf("the terminal's settings are %+v, want %+v", termiosOf(t, slave), before)
				}
				time.Sleep(5 * time.Millisecond)
			}
			if !strings.HasPrefix(how, "full") {
				return
			}
			select {
			case <-left:
			case <-time.After(10 * time.Second):
				t.Fatalf("the whole screen isn't left: %q", seen.Load())
			}
		})
	}
}

func termiosOf(t *testing.T, f *os.File) unix.Termios {
	t.Helper()
	s, err := settings(f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
