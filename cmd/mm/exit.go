package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mini-me/mm/agents"
	"github.com/mini-me/mm/internal/ui"
)

// The exit statuses of mm, beside those of a single question (internal/front/once). A signal ends
// mm with 128 and its number, as shells have it.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// usageError is a mistake on the command line.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// statusError carries the exit status of a run that has said everything already.
type statusError int

func (e statusError) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// report says an error to the person, once, and returns the exit status.
func report(err error, s streams) int {
	if err == nil {
		return exitOK
	}
	if status, ok := errors.AsType[statusError](err); ok {
		return int(status)
	}
	status := exitFailed
	if _, ok := errors.AsType[*usageError](err); ok {
		status = exitUsage
	}
	text := err.Error()
	if _, ok := errors.AsType[*agents.Error](err); ok {
		status = exitUsage // one FILE:LINE:COLUMN a line
	} else {
		text = "mm: " + strings.TrimSpace(text)
	}
	fmt.Fprintln(s.err, ui.Clean(text))
	return status
}
