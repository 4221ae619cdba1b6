package edit

import (
	"html"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// cutGutter takes off the numbers and bars that read_file, refusals, cat -n, grep -n and editors
// put in front of lines, if all lines that aren't blank have them.
func cutGutter(s string) string {
	number := regexp.MustCompile(`^[-+ ]?(?:│ ?)?\s*\d+ ?(?:│|\||:|→|\t) ?`)
	bar := regexp.MustCompile(`^\s*│ ?`)
	if out, ok := cutFront(s, number); ok {
		return out
	}
	if out, ok := cutFront(s, bar); ok {
		return out
	}
	return s
}

func cutFront(s string, front *regexp.Regexp) (string, bool) {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if blank(l) {
			continue
		}
		at := front.FindStringIndex(l)
		if at == nil {
			return "", false
		}
		lines[i] = l[at[1]:]
	}
	return strings.Join(lines, "\n"), true
}

// cutFence takes off a Markdown fence, or a pair of tags such as <old>, around s.
func cutFence(s string) string {
	lines := strings.Split(strings.Trim(s, "\n"), "\n")
	if len(lines) < 3 {
		return s
	}
	first, last := strings.TrimSpace(lines[0]), strings.TrimSpace(lines[len(lines)-1])
	fence := strings.HasPrefix(first, "```") && strings.Trim(last, "`") == "" && last != ""
	tag := regexp.MustCompile(`^<(\w+)>$`).FindStringSubmatch(first)
	if !fence && (tag == nil || last != "</"+tag[1]+">") {
		return s
	}
	return strings.Join(lines[1:len(lines)-1], "\n")
}

// cutMarkers takes the old side out of a diff or of a SEARCH/REPLACE block.
func cutMarkers(s string) string {
	if _, rest, ok := strings.Cut(s, "<<<<<<<"); ok && strings.Contains(rest, "=======") {
		_, rest, _ = strings.Cut(rest, "\n")
		search, _, _ := strings.Cut(rest, "=======")
		return search
	}
	var old []string
	marked := false
	for _, l := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		switch {
		case l == "":
			old = append(old, l)
		case strings.HasPrefix(l, "@@"), strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "):
			marked = true
		case l[0] == '-':
			marked = true
			old = append(old, l[1:])
		case l[0] == '+':
			marked = true
		case l[0] == ' ':
			old = append(old, l[1:])
		default:
			return s
		}
	}
	if !marked || len(old) == 0 {
		return s
	}
	return strings.Join(old, "\n")
}

// unescape takes off one level of the escapes of JSON strings and of most languages.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '"', '\'', '\\', '/', '`', '$':
			b.WriteByte(c)
		case 'u':
			r, size := hexRune(s[i+1:])
			if size == 0 {
				b.WriteString(`\u`)
				continue
			}
			b.WriteRune(r)
			i += size
		default:
			b.WriteString(s[i-1 : i+1])
		}
	}
	return b.String()
}

// hexRune reads the digits after \u, also of a surrogate pair; size is what it took, 0 for none.
func hexRune(s string) (r rune, size int) {
	read := func(s string) rune {
		if len(s) < 4 {
			return -1
		}
		n, err := strconv.ParseUint(s[:4], 16, 16)
		if err != nil {
			return -1
		}
		return rune(n)
	}
	r = read(s)
	if r < 0 {
		return 0, 0
	}
	if rest, ok := strings.CutPrefix(s[4:], `\u`); ok && utf16.IsSurrogate(r) {
		if pair := utf16.DecodeRune(r, read(rest)); pair != utf8.RuneError {
			return pair, 10
		}
	}
	return r, 4
}

func unescapeHTML(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	return html.UnescapeString(s)
}

func plainPunctuation(s string) string {
	return replaceRunes(s, "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "‘", "'", "’", "'", "‚", "'",
		"′", "'", "″", `"`, "–", "-", "—", "-", "‑", "-", "−", "-", "…", "...")
}

// plainSpaces makes all spaces plain ones, and takes out what can't be seen.
func plainSpaces(s string) string {
	if ascii(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case unicode.Is(unicode.Zs, r):
			return ' '
		case unicode.Is(unicode.Cf, r), r >= 0xFE00 && r <= 0xFE0F:
			return -1
		}
		return r
	}, s)
}

func composed(s string) string {
	if ascii(s) {
		return s
	}
	return norm.NFC.String(s)
}

func noBackslashes(s string) string { return strings.ReplaceAll(s, `\`, "") }

// innerSpaces makes each run of blanks inside of a line one space.
func innerSpaces(s string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\t' {
			c = ' '
		}
		if c != ' ' || len(out) == 0 || out[len(out)-1] != ' ' {
			out = append(out, c)
		}
	}
	return string(out)
}

func replaceRunes(s string, pairs ...string) string {
	if ascii(s) {
		return s
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
