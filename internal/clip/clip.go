// Package clip shortens texts for people and models.
package clip

import "unicode/utf8"

// To returns the first n characters of s, the last of them an ellipsis where there are more.
func To(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	for i := range s {
		if n--; n == 0 {
			return s[:i] + "…"
		}
	}
	return s
}
