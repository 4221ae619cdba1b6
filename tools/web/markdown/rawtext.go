package markdown

import "strings"

// write writes text with its white space collapsed; in a pre, as it stands.
func (r *rawWriter) write(s string) {
	if r.pre > 0 {
		r.verbatim(verbatim(s))
		return
	}
	s = visible(s)
	for i := 0; i < len(s); {
		if isBlank(s[i]) {
			r.space = true
			i++
			continue
		}
		j := i
		for j < len(s) && !isBlank(s[j]) {
			j++
		}
		r.flush()
		r.escape(s[i:j])
		i = j
	}
}

// flush writes the white space and line breaks that wait.
func (r *rawWriter) flush() {
	switch {
	case !r.text:
	case r.lines > 0:
		r.put(strings.Repeat("<br>", r.lines))
	case r.space:
		r.put(" ")
	}
	r.space, r.lines = false, 0
}

func (r *rawWriter) escape(s string) {
	if hasVisible(s) {
		r.any = true
	}
	r.task, r.text = false, true
	r.put(escapeHTML(s))
}

// verbatim writes text of a pre. A line end before a blank line is written as a reference, since a
// blank line would end the HTML.
func (r *rawWriter) verbatim(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			if strings.TrimSpace(line) == "" {
				r.put("&#10;")
			} else {
				r.w.newline()
			}
		}
		if line != "" {
			r.escape(line)
		}
	}
}

// escapeHTML escapes what can't stand in HTML text; quotes can.
func escapeHTML(s string) string {
	if !strings.ContainsAny(s, "&<>") {
		return s
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

// escapeValue escapes what can't stand in a value between double quotes.
func escapeValue(s string) string {
	return strings.ReplaceAll(escapeHTML(s), `"`, "&quot;")
}
