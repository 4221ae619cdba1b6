// Command shot takes the pictures of the README and the documentation: it runs mm in a terminal, types
// what a person would, and writes what the terminal shows as an SVG.
//
//	go run ./internal/shot            writes all pictures into docs/
//	go run ./internal/shot demo       only docs/demo.svg
//
// Nothing in the pictures is drawn by hand: where one looks wrong, mm looks wrong.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// patience is how long is waited for each thing that must be shown.
const patience = 60 * time.Second

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "shot:", err)
		os.Exit(1)
	}
}

func run(only []string) error {
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
	for _, s := range scenes() {
		if len(only) > 0 && !slices.Contains(only, s.name) {
			continue
		}
		project := filepath.Join(dir, s.name, "project")
		if err := files(project, s.files); err != nil {
			return err
		}
		picture, err := s.play(mm, project)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := os.WriteFile(filepath.Join("docs", s.name+".svg"), []byte(picture), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files makes a folder to work in.
func files(dir string, list map[string]string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range list {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// play runs mm and returns the picture of its terminal at the end of the scene.
func (s scene) play(mm, dir string) (string, error) {
	cmd := exec.Command(mm, s.args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TERM=xterm-256color", "HOME="+dir, "NO_COLOR=", "MM_CONFIG=", "XDG_STATE_HOME="+dir+"/.state")
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(s.rows), Cols: uint16(s.columns)})
	if err != nil {
		return "", err
	}
	seen := &shown{screen: vt.NewEmulator(s.columns, s.rows), changed: make(chan struct{}, 1)}
	done := make(chan struct{})
	go seen.read(tty, done)
	go seen.answer(tty)
	defer func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = tty.Close()
		<-done
	}()
	for _, k := range s.keys {
		if err := seen.wait(k.after); err != nil {
			return "", err
		}
		if k.pause > 0 {
			time.Sleep(k.pause) // what a person takes to read
		}
		if _, err := tty.WriteString(k.typed); err != nil {
			return "", err
		}
	}
	seen.settle()
	seen.mu.Lock()
	defer seen.mu.Unlock()
	return draw(seen.screen, s.label, s.light), nil // before the terminal is put back
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
		ok := i >= 0 || strings.Contains(s.screen.String(), text) // the window draws only what changes
		all := s.raw.String()
		s.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-s.changed:
		case <-deadline:
			return fmt.Errorf("mm never showed %q; the end of what it showed: %q", text, all[max(0, len(all)-2000):])
		}
	}
}

// settle waits until nothing more is shown, or only a clock that goes on.
func (s *shown) settle() {
	limit := time.After(3 * time.Second)
	for {
		select {
		case <-s.changed:
		case <-time.After(time.Second):
			return
		case <-limit:
			return
		}
	}
}
