package agents

import (
	"slices"
	"strings"
)

func contains(list []string, text string) bool { return slices.Contains(list, text) }

// oneOf lists choices: "a, b or c".
func oneOf(choices []string) string {
	if len(choices) < 2 {
		return strings.Join(choices, "")
	}
	last := len(choices) - 1
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}

// didYouMean names the nearest of the right words, if one is near.
func didYouMean(word string, right []string) string {
	if best := nearest(word, right); best != "" {
		return " — did you mean " + quote(best) + "?"
	}
	return ""
}

// nearest finds the word that was probably meant: without regard to case, "-" and "_", with about
// one slip for every three letters. Of equally near words the first wins.
func nearest(word string, right []string) string {
	best, distance := "", 0
	folded := fold(word)
	if len(folded) > maxShown {
		return ""
	}
	for _, r := range right {
		f := fold(r)
		d := slips(folded, f)
		if d > max(1, min(len(folded), len(f))/3) {
			continue
		}
		if best == "" || d < distance {
			best, distance = r, d
		}
	}
	return best
}

func fold(word string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(word))
}

// slips counts the letters to insert, delete, change or swap with their neighbour to turn a into b
// (optimal string alignment).
func slips(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			change := last[j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			row[j] = min(last[j]+1, row[j-1]+1, change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}

// quotedCode puts words in backquotes.
func quotedCode(words []string) []string {
	var all []string
	for _, word := range words {
		all = append(all, "`"+word+"`")
	}
	return all
}
