//go:build linux || darwin

package proc

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// reportTime is how long mm waits for a guard to say that it started its command.
const reportTime = 15 * time.Second

// link is what mm holds of a guard.
type link struct {
	lifeline *os.File // the guard kills when this closes
	report   *os.File
	lines    *bufio.Reader
}

// launchGuarded starts a guard that starts the program, and waits until it has.
func (s *starter) launchGuarded(p *Process, path string, argv []string, attr *os.ProcAttr) error {
	theirLine, lifeline, err := s.pipe(true)
	if err != nil {
		return err
	}
	theirReport, report, err := s.pipe(false)
	if err != nil {
		return err
	}
	attr.Files = append(attr.Files, theirLine, theirReport) // guardLifeline, guardReport
	p.os, err = os.StartProcess(s.spec.Guard, append([]string{"mm", guardArg, path}, argv...), attr)
	switch {
	case errors.Is(err, syscall.E2BIG): // the program's own arguments
		return err
	case err != nil:
		return &guardError{err}
	}
	s.closeTheirs() // else the guard's death wouldn't end its report
	p.link = &link{lifeline: lifeline, report: report, lines: bufio.NewReader(report)}
	p.family = newFamily(p.os.Pid, s.task)
	if p.pid, err = p.link.started(); err != nil {
		_ = p.os.Kill()
		if exit := exitOf(p.os.Wait()); exit.Signal == syscall.SIGINT {
			err = &guardError{errInterrupted}
		}
		return err
	}
	p.family.setGuarded(true)
	if s.spec.Whole {
		p.link.hold()
	}
	return nil
}

// started reads the guard's first line: the pid of the command, or why there is none.
func (l *link) started() (pid int, err error) {
	_ = l.report.SetReadDeadline(time.Now().Add(reportTime))
	word, n, err := l.read()
	_ = l.report.SetReadDeadline(time.Time{})
	switch {
	case err != nil:
		return 0, &guardError{fmt.Errorf("it gave no sign (%v)", err)}
	case word == "pid":
		return n, nil
	case word == "errno":
		return 0, syscall.Errno(n)
	}
	return 0, &guardError{fmt.Errorf("it said %q", word)}
}

// hold tells the guard to stay when the command has ended: what that started is to be ended, too. It
// has no effect on a guard that is gone.
func (l *link) hold() { _, _ = l.lifeline.Write([]byte{'h'}) }

// status waits for the end of the command. held says that the guard stays until close; told is false
// when the guard was killed before it could say anything.
func (l *link) status() (e Exit, held, told bool) {
	word, n, err := l.read()
	if err != nil || word != "status" && word != "held" {
		return Exit{}, false, false
	}
	return exitOfStatus(syscall.WaitStatus(n)), word == "held", true
}

// close lets the guard go. One that is still there ends all that it finds first.
func (l *link) close() {
	_ = l.lifeline.Close()
	_ = l.report.Close()
}

// read reads one line "word number" of the report.
func (l *link) read() (word string, n int, err error) {
	line, err := l.lines.ReadString('\n')
	if err != nil {
		return "", 0, err
	}
	word, number, _ := strings.Cut(strings.TrimSpace(line), " ")
	n, err = strconv.Atoi(number)
	return word, n, err
}
