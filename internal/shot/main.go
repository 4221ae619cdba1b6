// Command shot takes the README's picture: it runs mm demo in a terminal, types what a person would,
// and writes what the terminal shows as an SVG.
//
//	go run ./internal/shot            writes docs/demo.svg
//	go run ./internal/shot -o FILE
//
// Nothing in the picture is drawn by hand: where it looks wrong, mm looks wrong.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// The size of the terminal, in cells.
const (
	columns = 96
	rows    = 30
)

// patience is how long is waited for each thing that must be shown.
const patience = 60 * time.Second

func main() {
	out := flag.String("o", filepath.Join("docs", "demo.svg"), "write the picture to `FILE`")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "shot:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	dir, err := os.MkdirTemp("", "mm-shot-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	mm := filepath.Join(dir, "mm")
	build := exec.Command("go", "build", "-o", mm, "./cmd/mm")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building mm: %w", err)
	}
	project := filepath.Join(dir, "project")
	if err := files(project); err != nil {
		return err
	}
	screen, err := play(mm, project)
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(draw(screen)), 0o644)
}

// files makes a folder to look at.
func files(dir string) error {
	for _, name := range []string{"LICENSE", "README.md", "go.mod", "main.go", "main_test.go"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// keys is what is typed, each once the text before it is shown.
var keys = []struct{ after, typed string }{
	{"/quit ends.", ""},
	{"> ", "what is here?\r"},
	{"ever in this session ?", "s\r"},
	{"main_test.go", ""},
	{"tokens", ""},
}

// play runs the demo and returns the terminal's last screen.
func play(mm, dir string) (*vt.Emulator, error) {
	cmd := exec.Command(mm, "demo")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "HOME="+dir, "NO_COLOR=", "MM_CONFIG=", "XDG_STATE_HOME="+dir+"/.state")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		return nil, err
	}
	s := &shown{screen: vt.NewEmulator(columns, rows), changed: make(chan struct{}, 1)}
	done := make(chan struct{})
	go s.read(tty, done)
	go s.answer(tty)
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = tty.Close()
		<-done
	}()
	for _, k := range keys {
		if err := s.wait(k.after); err != nil {
			return nil, err
		}
		if _, err := tty.WriteString(k.typed); err != nil {
			return nil, err
		}
	}
	s.settle()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen, nil
}

// shown is what the terminal has been told.
type shown struct {
	mu      sync.Mutex
	screen  *vt.Emulator // guarded by mu
	raw     bytes.Buffer // guarded by mu
	from    int          // guarded by mu: how much of raw was waited for already
	changed chan struct{}
}

func (s *shown) read(tty *os.File, done chan struct{}) {
	defer close(done)
	buf := make([]byte, 4096)
	for {
		n, err := tty.Read(buf)
		s.mu.Lock()
		_, _ = s.screen.Write(buf[:n])
		s.raw.Write(buf[:n])
		s.mu.Unlock()
		select {
		case s.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// answer passes on what the terminal answers to questions about itself.
func (s *shown) answer(tty *os.File) {
	buf := make([]byte, 256)
	for {
		n, err := s.screen.Read(buf)
		if err != nil {
			return
		}
		_, _ = tty.Write(buf[:n])
	}
}

// wait waits until a text has been shown.
func (s *shown) wait(text string) error {
	deadline := time.After(patience)
	for {
		s.mu.Lock()
		i := bytes.Index(s.raw.Bytes()[s.from:], []byte(text))
		if i >= 0 {
			s.from += i + len(text)
		}
		all := s.raw.String()
		s.mu.Unlock()
		if i >= 0 {
			return nil
		}
		select {
		case <-s.changed:
		case <-deadline:
			return fmt.Errorf("the demo never showed %q; the end of what it showed: %q", text, all[max(0, len(all)-2000):])
		}
	}
}

// settle waits until nothing more is shown.
func (s *shown) settle() {
	for {
		select {
		case <-s.changed:
		case <-time.After(time.Second):
			return
		}
	}
}
