// Package cells counts how many cells of a terminal a text takes, character by character as people
// count them: an emoji of several code points is one.
package cells

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Measure counts the cells of a text as the terminal does: ansi.WcWidth, or ansi.GraphemeWidth for
// terminals that say so (mode 2027).
type Measure = ansi.Method

// Cluster cuts the first character off a text that isn't empty and tells its cells.
func Cluster(s string, m Measure) (cluster string, cells int) {
	if s[0] >= ' ' && s[0] < 0x7f && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1], 1
	}
	return ansi.FirstGraphemeCluster(s, m)
}

// Width is the number of cells that a text without escape sequences takes.
func Width(s string, m Measure) int {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return m.StringWidth(s)
		}
	}
	return len(s)
}

// Cut shortens a text without escape sequences to a width; "…" says that something is missing.
func Cut(s string, width int, m Measure) string {
	if len(s) <= width && Width(s, m) <= width || Width(s, m) <= width {
		return s
	}
	if width < 1 {
		return ""
	}
	at, end := 0, 0
	for end < len(s) {
		c, n := Cluster(s[end:], m)
		if at+n > width-1 {
			break
		}
		at += n
		end += len(c)
	}
	return s[:end] + "…"
}

// Pad fills a text up to a width with blanks.
func Pad(s string, width int, m Measure) string {
	if n := width - Width(s, m); n > 0 {
		return s + strings.Repeat(" ", n)
	}
	return s
}

// Break breaks a line into rows no wider than width: behind a blank where there is one when words is
// set, else wherever a row is full. Tabs become four blanks. There is always one row.
func Break(s string, width int, m Measure, words bool) []string {
	s = strings.ReplaceAll(s, "\t", "    ")
	if len(s) <= width {
		return []string{s} // no character takes more cells than bytes
	}
	width = max(width, 1)
	var out []string
	at, begin, blank := 0, 0, 0
	for i := 0; i < len(s); {
		c, n := Cluster(s[i:], m)
		if at+n > width && i > begin {
			end, next := i, i
			switch {
			case words && c == " ":
				next = i + 1
			case words && blank > begin:
				end, next = blank-1, blank
			}
			out = append(out, s[begin:end])
			begin, i, at = next, next, 0
			continue
		}
		at += n
		i += len(c)
		if c == " " {
			blank = i
		}
	}
	if begin < len(s) || len(out) == 0 {
		out = append(out, s[begin:])
	}
	return out
}
