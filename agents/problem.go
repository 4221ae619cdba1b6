package agents

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is one fault of an agent file or of the environment it is read in.
type Problem struct {
	// File is the path as it was given to Load; "" for a fault of an environment variable.
	File string
	// Line and Column are counted from 1, Column in characters; both are 0 when the fault is the
	// file's as a whole.
	Line, Column int
	// Key is the place in the file, such as "mmConfigs.jan.path"; may be "".
	Key string
	// Text says what is wrong and, where that is known, what to do.
	Text string
	// Err is the error behind it, if there is one, such as fs.ErrNotExist.
	Err error
}

// String gives FILE:LINE:COLUMN: text, with what is known of the place.
func (p Problem) String() string {
	switch {
	case p.File == "":
		return p.Text
	case p.Line == 0:
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text)
}

// Error holds all problems of an agent file, ordered by place. It is the only type of error that
// this package returns.
type Error struct {
	Problems []Problem
}

// Error gives one line for each problem.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the errors behind the problems, so that errors.Is(err, fs.ErrNotExist) works.
func (e *Error) Unwrap() []error {
	var errs []error
	for _, p := range e.Problems {
		if p.Err != nil {
			errs = append(errs, p.Err)
		}
	}
	return errs
}

// asError returns nil without problems. What one alias repeats is said once. Problems of main, the
// agent file, come before those of other files.
func asError(problems []Problem, main string) error {
	if len(problems) == 0 {
		return nil
	}
	sort.SliceStable(problems, func(i, j int) bool {
		a, b := problems[i], problems[j]
		if a.File != b.File {
			return a.File == main || (b.File != main && a.File < b.File)
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	said := map[string]bool{}
	kept := problems[:0]
	for _, p := range problems {
		if line := p.String(); !said[line] {
			said[line] = true
			kept = append(kept, p)
		}
	}
	return &Error{Problems: kept}
}
