package tools

import (
	"fmt"
	"unicode/utf8"
)

// Truncate keeps the first n characters (Unicode code points) of s and says how many more there
// were. n <= 0 keeps everything.
func Truncate(s string, n int) string {
	total := utf8.RuneCountInString(s)
	if n <= 0 || total <= n {
		return s
	}
	return s[:at(s, n)] + fmt.Sprintf("\n[... %d more characters]", total-n)
}

// TruncateMiddle keeps both ends of s, n characters in all, and says between them how many are left
// out: what a command said first and last counts most.
func TruncateMiddle(s string, n int) string {
	total := utf8.RuneCountInString(s)
	if n <= 0 || total <= n {
		return s
	}
	head := n / 2
	return s[:at(s, head)] + fmt.Sprintf("\n[... %d more characters]\n", total-n) + s[at(s, total-(n-head)):]
}

// at returns the byte offset of the n-th character.
func at(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}
