package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// errInterrupted is about a guard that a Ctrl-C has ended. The terminal sends it to all of mm's
// process group, to which a process belongs between its fork and the begin of its own session; once
// it has that, and has caught what it is sent, nothing of the kind can happen any more.
var errInterrupted = errors.New("it was interrupted")

// maxInterrupted bounds how often a start is tried again that a Ctrl-C had hit.
const maxInterrupted = 10

// Start starts a process. A failure is a *StartError that says why in plain words.
func Start(spec Spec) (*Process, error) {
	for tries := 0; ; tries++ {
		p, err := startOnce(spec)
		if tries == maxInterrupted || !errors.Is(err, errInterrupted) {
			return p, err
		}
	}
}

// Check says why a program can't be started, as far as that can be seen without starting it. The error
// is the *StartError that Start would return.
func Check(spec Spec) error {
	path, err := find(spec, environment(spec))
	if err != nil {
		return startError(spec, spec.Path, err)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		err = fs.ErrPermission
	}
	if err == nil {
		_, err = exec.LookPath(path) // which knows what can be run here
	}
	if err == nil {
		err = runnable(path)
	}
	if err != nil {
		return startError(spec, path, err)
	}
	return nil
}

// runnable looks at how a program begins, where that can be read: a script names its interpreter there.
func runnable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head := make([]byte, 256)
	n, err := f.Read(head)
	if n == 0 && err == io.EOF {
		return syscall.ENOEXEC
	}
	line, _, _ := bytes.Cut(head[:n], []byte{'\n'})
	if words := strings.Fields(strings.TrimPrefix(string(line), "#!")); bytes.HasPrefix(line, []byte("#!")) && len(words) > 0 {
		_, err := os.Stat(words[0])
		return err
	}
	return nil
}

func startOnce(spec Spec) (*Process, error) {
	env := environment(spec)
	path, err := find(spec, env)
	if err != nil {
		return nil, startError(spec, spec.Path, err)
	}
	s := &starter{spec: spec, task: value(env, taskVariable)}
	defer s.closeTheirs()
	p := &Process{urgent: make(chan struct{}), exited: make(chan struct{}), done: make(chan struct{})}
	if err := s.streams(p); err != nil {
		s.closeOurs()
		return nil, startError(spec, path, err)
	}
	if err := s.launch(p, path, env); err != nil {
		s.closeOurs()
		return nil, startError(spec, path, err)
	}
	if p.tail.read != nil {
		go p.tail.drain()
	}
	go p.wait()
	return p, nil
}

// starter holds the descriptors of one Start: those of the process, which mm closes when it has
// been started, and mm's own, which it closes when it hasn't.
type starter struct {
	spec   Spec
	task   string     // the value of taskVariable, "" without one
	files  []*os.File // stdin, stdout, stderr and what a guard needs
	theirs []*os.File
	ours   []*os.File
}

func (s *starter) closeTheirs() { closeAll(s.theirs) }
func (s *starter) closeOurs()   { closeAll(s.ours) }

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

// pipe makes a pipe; toProcess says which end is the process's.
func (s *starter) pipe(toProcess bool) (theirs, ours *os.File, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	theirs, ours = w, r
	if toProcess {
		theirs, ours = r, w
	}
	s.theirs, s.ours = append(s.theirs, theirs), append(s.ours, ours)
	return theirs, ours, nil
}

// streams makes the process's stdin, stdout and stderr.
func (s *starter) streams(p *Process) error {
	stdin, stdinPipe, err := s.stream(s.spec.Stdin, s.spec.StdinPipe, true)
	if err != nil {
		return err
	}
	stdout, stdoutPipe, err := s.stream(s.spec.Stdout, s.spec.StdoutPipe, false)
	if err != nil {
		return err
	}
	stderr, stderrPipe, err := s.stream(s.spec.Stderr, s.spec.Stderr == nil, false)
	if err != nil {
		return err
	}
	s.files = []*os.File{stdin, stdout, stderr}
	if stdinPipe != nil {
		p.Stdin = stdinPipe
	}
	if stdoutPipe != nil {
		p.stdout = &outPipe{file: stdoutPipe}
		p.Stdout = p.stdout
	}
	p.tail = newTail(stderrPipe)
	return nil
}

// stream returns the file for one of the process's streams, and mm's end if it is a pipe.
func (s *starter) stream(given *os.File, pipe, in bool) (theirs, ours *os.File, err error) {
	switch {
	case given != nil:
		return given, nil, nil
	case pipe:
		return s.pipe(in)
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	s.theirs = append(s.theirs, null)
	return null, nil, nil
}

// launch starts the program, under a guard if there is one.
func (s *starter) launch(p *Process, path string, env []string) error {
	name := s.spec.Name
	if name == "" {
		name = s.spec.Path
	}
	argv := append([]string{name}, s.spec.Args...)
	attr := &os.ProcAttr{Dir: s.spec.Dir, Env: env, Files: s.files, Sys: ownSession()}
	var err error
	if s.spec.Guard == "" || !guards {
		p.os, err = os.StartProcess(path, argv, attr)
		if err != nil {
			return err
		}
		p.pid = p.os.Pid
		p.family = newFamily(p.os.Pid, s.task)
		return nil
	}
	return s.launchGuarded(p, path, argv, attr)
}

// taskVariable tells a command, and all that it starts, whose command it is: the pid of its mm. An mm
// may run below another guard; what its commands have left in the background is no part of that
// guard's family.
const taskVariable = "MM_COMMAND_OF"

// environment returns the process's environment, the last of several entries for a name alone:
// most programs take the first. PWD follows Dir, as os/exec has it.
func environment(spec Spec) []string {
	env := spec.Env
	if env == nil {
		env = os.Environ()
	}
	if spec.Guard != "" && !spec.Whole {
		env = append(env[:len(env):len(env)], taskVariable+"="+strconv.Itoa(os.Getpid()))
	}
	if spec.Dir != "" && filepath.IsAbs(spec.Dir) {
		env = append(env[:len(env):len(env)], "PWD="+spec.Dir)
	}
	last := make(map[string]int, len(env))
	for i, kv := range env {
		last[envName(kv)] = i
	}
	out := make([]string, 0, len(last))
	for i, kv := range env {
		if last[envName(kv)] == i {
			out = append(out, kv)
		}
	}
	return out
}

// value is that of a variable, "" without one.
func value(env []string, name string) string {
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

func envName(kv string) string {
	name, _, _ := strings.Cut(kv, "=")
	return foldEnv(name)
}

// Self returns the path under which this program can be started once more, for Spec.Guard.
func Self() (string, error) {
	path, err := self()
	if err != nil {
		return "", fmt.Errorf("finding this program's own file: %w", err)
	}
	return path, nil
}
