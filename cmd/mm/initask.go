package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mini-me/mm/internal/ui"
)

// questions asks a person line by line. The end of input takes what is left of the defaults.
type questions struct {
	ctx   context.Context
	out   io.Writer
	lines chan string // closed at the end of input
}

// newQuestions reads lines in a goroutine of its own: a signal must end mm also while nobody types.
// The read that blocks then ends with the process.
func newQuestions(ctx context.Context, in io.Reader, out io.Writer) *questions {
	q := &questions{ctx: ctx, out: out, lines: make(chan string)}
	go func() {
		defer close(q.lines)
		s := bufio.NewScanner(in)
		for s.Scan() {
			select {
			case q.lines <- s.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return q
}

// text asks for a line; an empty one is the default.
func (q *questions) text(question, def string) (string, error) {
	hint := ""
	if def != "" {
		hint = " [" + def + "]"
	}
	fmt.Fprint(q.out, ui.Clean(question+hint+" "))
	select {
	case line, ok := <-q.lines:
		if !ok {
			fmt.Fprintln(q.out)
		}
		if line = strings.TrimSpace(line); line == "" {
			return def, nil
		}
		return line, nil
	case <-q.ctx.Done():
		fmt.Fprintln(q.out)
		return "", errors.New("nothing was written")
	}
}

// yes asks for yes or no, in English or French.
func (q *questions) yes(question string, def bool) (bool, error) {
	word := "y/N"
	if def {
		word = "Y/n"
	}
	for {
		a, err := q.text(question, word)
		if err != nil {
			return false, err
		}
		switch strings.ToLower(a) {
		case strings.ToLower(word):
			return def, nil
		case "y", "yes", "o", "oui":
			return true, nil
		case "n", "no", "non":
			return false, nil
		}
		fmt.Fprintln(q.out, "Type y or n.")
	}
}

// maxShown is how many choices are listed; the others can be typed.
const maxShown = 20

// one asks for one of a list, by number or name; the first is the default. With free, any other name
// is taken as well, and its index is -1.
func (q *questions) one(question string, list []string, free bool) (int, string, error) {
	for i, name := range list[:min(len(list), maxShown)] {
		fmt.Fprintln(q.out, ui.Clean(fmt.Sprintf("  %d. %s", i+1, name)))
	}
	if more := len(list) - maxShown; more > 0 {
		fmt.Fprintf(q.out, "  … and %d more: type the name\n", more)
	}
	for {
		a, err := q.text(question, "1")
		if err != nil {
			return 0, "", err
		}
		if i := slices.Index(list, a); i >= 0 {
			return i, a, nil
		}
		n, err := strconv.Atoi(a)
		switch {
		case err == nil && n >= 1 && n <= len(list):
			return n - 1, list[n-1], nil
		case err != nil && free:
			return -1, a, nil
		}
		fmt.Fprintf(q.out, "Type a number from 1 to %d.\n", len(list))
	}
}
