package script

import (
	"fmt"
	"strings"
)

// Problem is one thing that is wrong with a script.
type Problem struct {
	File         string
	Line, Column int // counted from 1
	Text         string
}

func (p Problem) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Text)
}

// Problems are all that is wrong with a script, in the order of the file.
type Problems []Problem

// Error has one problem on each line.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// nearest returns the name that was most likely meant, "" when none is near.
func nearest(name string, names []string) string {
	best, distance := "", 3
	for _, n := range names {
		if d := editDistance(strings.ToLower(name), n); d < distance && d < len(n) {
			best, distance = n, d
		}
	}
	return best
}

// editDistance is Levenshtein's, by bytes.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j]+1, row[j+1]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
